//! What the user picks by name: a source, a model of it, or both.

use super::{
    BuildContext, ModelId, Registry, SelectionError, SetupError, SourceRegistration, Variable,
};

/// Names the source that answers where `--modelo` names none. The registry reads it.
pub const PROVIDER: Variable = Variable {
    name: "AURUMCODE_PROVIDER",
    help: "the provider that answers, by its name in `aurumcode providers`, unless --modelo names one as <provider>:<model>; without it the first that is configured answers",
    secret: false,
};

/// How many letters may be wrong in a name that is still taken for a slip.
const SLIPS: usize = 2;

/// What the user picks.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The source.
    pub source: Option<SourceRegistration>,
    /// The model, by the name that its endpoint knows.
    pub model: Option<ModelId>,
}

impl Registry {
    /// Takes apart what the user asks for. The word before the first colon of a model is a source
    /// when it is the name of one, so `anthropic:claude` picks both and `llama3:8b` is a model.
    pub fn choose(&self, context: &BuildContext<'_>) -> Result<Choice, SelectionError> {
        let named = context.model.map(|model| self.split(model));
        if let Some((Some(source), model)) = named {
            if model.as_str().trim().is_empty() {
                let message = "--modelo: model name must not be empty".to_owned();
                return Err(SetupError::Usage(message).into());
            }
            return Ok(Choice {
                source: Some(source),
                model: Some(model),
            });
        }
        let source = match context.environment.text(PROVIDER.name) {
            None => None,
            Some(name) => Some(self.named(name.trim(), PROVIDER.name)?),
        };
        Ok(Choice {
            source,
            model: context.model.cloned(),
        })
    }

    /// Returns the model that is meant, by the name that its endpoint knows.
    pub fn model_in(&self, model: &ModelId) -> ModelId {
        self.split(model).1
    }

    /// Returns the linked sources whose name may be meant by the word before the first colon of a
    /// model, when that is no source itself.
    pub fn sources_like(&self, model: &ModelId) -> Vec<&'static str> {
        match model.as_str().split_once(':') {
            Some((word, _)) if self.source(word).is_none() => self.near(word),
            _ => Vec::new(),
        }
    }

    fn split(&self, model: &ModelId) -> (Option<SourceRegistration>, ModelId) {
        let parts = model.as_str().split_once(':');
        match parts.and_then(|(word, rest)| Some((self.source(word)?, rest))) {
            Some((source, rest)) => (Some(source), ModelId::new(rest)),
            None => (None, model.clone()),
        }
    }

    fn source(&self, name: &str) -> Option<SourceRegistration> {
        let mut sources = self.sources().iter();
        sources.find(|entry| entry.name == name).copied()
    }

    pub(super) fn named(
        &self,
        name: &str,
        given_by: &'static str,
    ) -> Result<SourceRegistration, SelectionError> {
        self.source(name).ok_or_else(|| {
            let near = self.near(name);
            let all = self.sources().iter().map(|entry| entry.name);
            SelectionError::Unknown {
                name: name.to_owned(),
                given_by,
                near: if near.is_empty() { all.collect() } else { near },
            }
        })
    }

    /// Returns the sources whose names are this word but for a slip, or begin with it.
    fn near(&self, word: &str) -> Vec<&'static str> {
        let word = word.to_lowercase();
        let mut near: Vec<_> = self
            .sources()
            .iter()
            .map(|entry| (strsim::osa_distance(&word, entry.name), entry.name))
            .filter(|(slips, name)| {
                *slips <= SLIPS.min(word.len() / 3) || (word.len() > 2 && name.starts_with(&word))
            })
            .collect();
        near.sort_unstable();
        near.into_iter().map(|(_, name)| name).collect()
    }
}
