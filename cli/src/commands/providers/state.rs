//! What is linked, and what state it is in with the variables of this process.

use std::collections::BTreeMap;

use aurumcode_core::provider::{
    BuildContext, Flag, LayerContext, LayerRegistration, ModelId, SelectionError,
    SourceRegistration, Unready, Variable,
};
use serde::Serialize;

use super::super::Session;

/// Everything that is linked.
#[derive(Debug, Serialize)]
pub(super) struct Linked {
    /// The sources, in the order in which they are asked.
    pub(super) sources: Vec<Shown>,
    /// The layers, the outermost first.
    pub(super) layers: Vec<Shown>,
    /// Why the source that is picked by a variable cannot be used.
    #[serde(skip)]
    pub(super) unusable_choice: Option<String>,
}

/// A source or a layer.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) summary: &'static str,
    /// Whether a source is asked only when it is picked by name.
    pub(super) by_name_only: bool,
    /// Whether a source is the one that answers when `--modelo` names none.
    pub(super) answers: bool,
    pub(super) state: State,
    /// What the state means here: what answers, what to set, or why it is broken.
    pub(super) detail: String,
    pub(super) variables: Vec<ShownVariable>,
    pub(super) flags: Vec<ShownFlag>,
}

/// The state of a source or a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It can be used.
    Ready,
    /// Something has to be set first.
    NotConfigured,
    /// Something is set that cannot be used.
    Broken,
}

/// A variable, never its value.
#[derive(Debug, Serialize)]
pub(super) struct ShownVariable {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) secret: bool,
    pub(super) set: bool,
}

/// A flag of `review`.
#[derive(Debug, Serialize)]
pub(super) struct ShownFlag {
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) value_name: &'static str,
    pub(super) help: &'static str,
}

/// Looks at everything that is linked.
pub(super) fn look(session: &Session<'_>) -> Linked {
    let flags = BTreeMap::new();
    let context = BuildContext {
        environment: session.environment,
        flags: &flags,
        model: None,
    };
    let registry = session.registry;
    let choice = registry.choose(&context);
    let mut sources: Vec<Shown> = registry
        .sources()
        .iter()
        .map(|entry| source(entry, &context, session))
        .collect();
    let (picked, unusable_choice) = match choice {
        Ok(choice) => (choice.source.map(|source| source.name), None),
        Err(error) => (None, Some(error)),
    };
    if unusable_choice.is_none() {
        let answering = sources.iter_mut().find(|source| match picked {
            Some(name) => source.name == name,
            None => !source.by_name_only && source.state != State::NotConfigured,
        });
        if let Some(source) = answering {
            source.answers = true;
        }
    }
    let model = ModelId::new("none");
    let layer_context = LayerContext {
        build: context,
        answers: &model,
    };
    Linked {
        sources,
        layers: registry
            .layers()
            .iter()
            .map(|entry| layer(entry, &layer_context, session))
            .collect(),
        unusable_choice: unusable_choice.as_ref().map(SelectionError::to_string),
    }
}

fn source(entry: &SourceRegistration, context: &BuildContext<'_>, session: &Session<'_>) -> Shown {
    let (state, detail) = match (entry.build)(context) {
        Ok(provider) => {
            let model = aurumcode_core::text::quoted(provider.resolve_model().as_str());
            (
                State::Ready,
                format!("model {model} ({})", provider.label()),
            )
        }
        Err(Unready::NotMine(what_to_set)) => (State::NotConfigured, what_to_set),
        Err(Unready::Broken(error)) => (State::Broken, error.to_string()),
        Err(Unready::Setup(error)) => (State::Broken, error.to_string()),
    };
    Shown {
        name: entry.name,
        package: entry.origin.package,
        version: entry.origin.version,
        summary: entry.summary,
        by_name_only: entry.position.is_none(),
        answers: false,
        state,
        detail: session.console.redactor().text(&detail).into_owned(),
        variables: variables(entry.variables, session),
        flags: flags(entry.flags),
    }
}

fn layer(entry: &LayerRegistration, context: &LayerContext<'_>, session: &Session<'_>) -> Shown {
    let (state, detail) = match (entry.build)(context) {
        Ok(Some(_)) => (State::Ready, "stands in every review".to_owned()),
        Ok(None) => {
            let flags: Vec<String> = entry
                .flags
                .iter()
                .map(|flag| format!("--{} <{}>", flag.name, flag.value_name))
                .collect();
            let what = if flags.is_empty() {
                "set its variables".to_owned()
            } else {
                format!("give {}", flags.join(" or "))
            };
            (State::NotConfigured, what)
        }
        Err(error) => (State::Broken, error.to_string()),
    };
    Shown {
        name: entry.name,
        package: entry.origin.package,
        version: entry.origin.version,
        summary: entry.summary,
        by_name_only: false,
        answers: false,
        state,
        detail: session.console.redactor().text(&detail).into_owned(),
        variables: variables(entry.variables, session),
        flags: flags(entry.flags),
    }
}

fn variables(
    declared: &'static [&'static [Variable]],
    session: &Session<'_>,
) -> Vec<ShownVariable> {
    declared
        .iter()
        .copied()
        .flatten()
        .map(|variable| ShownVariable {
            name: variable.name,
            help: variable.help,
            secret: variable.secret,
            set: session.environment.raw(variable.name).is_some(),
        })
        .collect()
}

fn flags(declared: &'static [Flag]) -> Vec<ShownFlag> {
    declared
        .iter()
        .map(|flag| ShownFlag {
            name: flag.name,
            aliases: flag.aliases,
            value_name: flag.value_name,
            help: flag.help,
        })
        .collect()
}
