//! The linked sources and layers, and the choice among them.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::{
    BuildContext, Choice, ErrorKind, Flag, Layer, ModelId, Origin, Provider, ProviderError,
    SetupError, Stack, Variable,
};
use crate::text;

/// Why a source does not answer with the settings of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    /// The settings do not name this source; the text says what to set, for `aurumcode providers`.
    NotMine(String),
    /// The settings name this source, but it cannot be used.
    Broken(ProviderError),
    /// A setting is no value of its kind, whoever reads it.
    Setup(SetupError),
}

impl Unready {
    /// Says why the source cannot be used: which setting is wrong, and what would be right.
    pub fn broken(message: impl Into<String>) -> Self {
        Self::Broken(ProviderError::new(ErrorKind::Setup, message))
    }
}

impl From<SetupError> for Unready {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<ProviderError> for Unready {
    fn from(error: ProviderError) -> Self {
        Self::Broken(error)
    }
}

/// Looks at the settings of a run and makes the source that they name.
pub type BuildSource = fn(&BuildContext<'_>) -> Result<Arc<dyn Provider>, Unready>;

/// A source's entry in the registry: names and plain functions.
#[derive(Debug, Clone, Copy)]
pub struct SourceRegistration {
    /// The name by which users pick it, in lower case.
    pub name: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// What it serves, one sentence without the final period.
    pub summary: &'static str,
    /// Where the user picks none by name, sources are asked in this order, the lowest first; equal
    /// positions go by name. A source without a position is asked only when it is picked: its
    /// variables may be set for other programs.
    pub position: Option<u16>,
    /// The variables that it reads: its own, and the groups that it shares with others.
    pub variables: &'static [&'static [Variable]],
    /// The flags that it adds.
    pub flags: &'static [Flag],
    /// Looks at the settings and makes the source that they name.
    pub build: BuildSource,
}

inventory::collect!(SourceRegistration);

/// What a layer is built from.
#[derive(Debug, Clone, Copy)]
pub struct LayerContext<'a> {
    /// What every plugin is handed.
    pub build: BuildContext<'a>,
    /// The model that answers inside.
    pub answers: &'a ModelId,
}

/// A layer's entry in the registry: names and plain functions.
#[derive(Debug, Clone, Copy)]
pub struct LayerRegistration {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// What it does, one sentence without the final period.
    pub summary: &'static str,
    /// Where it stands: the lowest is the outermost; equal positions go by name.
    pub position: u16,
    /// The variables that it reads: its own, and the groups that it shares with others.
    pub variables: &'static [&'static [Variable]],
    /// The flags that it adds.
    pub flags: &'static [Flag],
    /// Builds the layer, or nothing when the settings do not ask for it.
    pub build: BuildLayer,
}

inventory::collect!(LayerRegistration);

/// Builds a layer, or nothing when the settings do not ask for it.
pub type BuildLayer = fn(&LayerContext<'_>) -> Result<Option<Arc<dyn Layer>>, SetupError>;

/// A set of registrations that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegistryError {
    /// Two registrations have one name.
    #[error("two providers are named `{name}`: one from {first}, one from {second}; link only one")]
    DuplicateName {
        /// The name.
        name: &'static str,
        /// The package of the one.
        first: &'static str,
        /// The package of the other.
        second: &'static str,
    },
    /// Two registrations add one flag.
    #[error("two providers add the flag --{flag}: {first} and {second}; link only one")]
    DuplicateFlag {
        /// The flag without dashes.
        flag: &'static str,
        /// The package of the one.
        first: &'static str,
        /// The package of the other.
        second: &'static str,
    },
}

/// Why no stack could be made of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// No source is named by the settings.
    #[error("no LLM provider is configured")]
    NothingConfigured,
    /// The user picks a source that is not linked.
    #[error("{}", unknown(.name, .given_by, .near))]
    Unknown {
        /// The name as it is given.
        name: String,
        /// Where it is given.
        given_by: &'static str,
        /// The linked sources that may be meant, or all of them.
        near: Vec<&'static str>,
    },
    /// The user picks a source that needs more settings.
    #[error("the provider {name} is not configured: {what_to_set}")]
    NotConfigured {
        /// The source.
        name: &'static str,
        /// What the source says is to be set.
        what_to_set: String,
    },
    /// The source that the settings name cannot be used.
    #[error("{error}")]
    Broken {
        /// The source.
        name: &'static str,
        /// Why.
        #[source]
        error: ProviderError,
    },
    /// The user's settings contradict themselves.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

fn unknown(name: &str, given_by: &str, near: &[&str]) -> String {
    format!(
        "{given_by} names {}, and no such provider is linked: did you mean {}? `aurumcode providers` lists them",
        text::quoted(name),
        near.join(" or "),
    )
}

/// The sources and layers of this program, each name once, in their stated order.
#[derive(Debug)]
pub struct Registry {
    sources: Vec<SourceRegistration>,
    layers: Vec<LayerRegistration>,
}

impl Registry {
    /// Reads what is linked into this program.
    pub fn linked() -> Result<Self, RegistryError> {
        Self::from_entries(
            inventory::iter::<SourceRegistration>.into_iter().copied(),
            inventory::iter::<LayerRegistration>.into_iter().copied(),
        )
    }

    /// Takes registrations in any order.
    pub fn from_entries(
        sources: impl IntoIterator<Item = SourceRegistration>,
        layers: impl IntoIterator<Item = LayerRegistration>,
    ) -> Result<Self, RegistryError> {
        let mut sources: Vec<_> = sources.into_iter().collect();
        let mut layers: Vec<_> = layers.into_iter().collect();
        sources.sort_by_key(|entry| {
            let last = entry.position.is_none();
            (last, entry.position, entry.name, entry.origin.package)
        });
        layers.sort_by_key(|entry| (entry.position, entry.name, entry.origin.package));
        let registry = Self { sources, layers };
        registry.refuse_duplicates()?;
        Ok(registry)
    }

    fn refuse_duplicates(&self) -> Result<(), RegistryError> {
        let sources = self
            .sources
            .iter()
            .map(|entry| (entry.name, entry.origin, entry.flags));
        let layers = self
            .layers
            .iter()
            .map(|entry| (entry.name, entry.origin, entry.flags));
        let mut names = BTreeMap::new();
        let mut flags = BTreeMap::new();
        for (name, origin, added) in sources.chain(layers) {
            if let Some(first) = names.insert(name, origin.package) {
                return Err(RegistryError::DuplicateName {
                    name,
                    first,
                    second: origin.package,
                });
            }
            let words = added
                .iter()
                .flat_map(|flag| [flag.name].into_iter().chain(flag.aliases.iter().copied()));
            for flag in words {
                if let Some(first) = flags.insert(flag, origin.package) {
                    return Err(RegistryError::DuplicateFlag {
                        flag,
                        first,
                        second: origin.package,
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns the sources in the order in which they are asked.
    pub fn sources(&self) -> &[SourceRegistration] {
        &self.sources
    }

    /// Returns the layers, the outermost first.
    pub fn layers(&self) -> &[LayerRegistration] {
        &self.layers
    }

    /// Returns every declared flag, those of sources first.
    pub fn flags(&self) -> impl Iterator<Item = &'static Flag> {
        let sources = self.sources.iter().flat_map(|entry| entry.flags);
        sources.chain(self.layers.iter().flat_map(|entry| entry.flags))
    }

    /// Returns every declared variable, those of sources first.
    pub fn variables(&self) -> impl Iterator<Item = &'static Variable> {
        let sources = self.sources.iter().flat_map(|entry| entry.variables);
        let layers = self.layers.iter().flat_map(|entry| entry.variables);
        sources.chain(layers).copied().flatten()
    }

    /// Makes the stack of a run: the source of [`Registry::select_source`], with the layers around it.
    pub fn select(&self, context: &BuildContext<'_>) -> Result<Stack, SelectionError> {
        let choice = self.choose(context)?;
        let context = &BuildContext {
            model: choice.model.as_ref(),
            ..*context
        };
        let (name, provider) = self.chosen(choice.source.as_ref(), context)?;
        self.stack(name, provider, context)
    }

    /// Asks the source of this name, or the one that the user picks by name, or else each source
    /// with a position in turn; the first that the settings name is taken, ready or broken.
    pub fn select_source(
        &self,
        name: Option<&str>,
        context: &BuildContext<'_>,
    ) -> Result<(&'static str, Arc<dyn Provider>), SelectionError> {
        let choice = match name {
            Some(name) => Choice {
                source: Some(self.named(name, "the command line")?),
                model: context.model.cloned(),
            },
            None => self.choose(context)?,
        };
        let context = &BuildContext {
            model: choice.model.as_ref(),
            ..*context
        };
        self.chosen(choice.source.as_ref(), context)
    }

    fn chosen(
        &self,
        picked: Option<&SourceRegistration>,
        context: &BuildContext<'_>,
    ) -> Result<(&'static str, Arc<dyn Provider>), SelectionError> {
        let in_order = self.sources.iter().filter(|entry| entry.position.is_some());
        let asked: Vec<_> = match picked {
            Some(source) => vec![source],
            None => in_order.collect(),
        };
        for source in asked {
            let name = source.name;
            match (source.build)(context) {
                Ok(provider) => return Ok((name, provider)),
                Err(Unready::Broken(error)) => return Err(SelectionError::Broken { name, error }),
                Err(Unready::Setup(error)) => return Err(SelectionError::Setup(error)),
                Err(Unready::NotMine(what_to_set)) if picked.is_some() => {
                    return Err(SelectionError::NotConfigured { name, what_to_set });
                }
                Err(Unready::NotMine(_)) => {}
            }
        }
        Err(SelectionError::NothingConfigured)
    }

    fn stack(
        &self,
        name: &'static str,
        provider: Arc<dyn Provider>,
        context: &BuildContext<'_>,
    ) -> Result<Stack, SelectionError> {
        let answers = provider.resolve_model();
        let mut stack = Stack::new(name, provider);
        for layer in self.layers.iter().rev() {
            let context = LayerContext {
                build: *context,
                answers: &answers,
            };
            if let Some(value) = (layer.build)(&context)? {
                stack = stack.wrapped(layer.name, value);
            }
        }
        Ok(stack)
    }
}
