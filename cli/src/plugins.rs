//! The providers of this program. A crate that nothing names is not linked, and what it registers
//! is then missing without a word; this is the only place that names them.

use std::collections::BTreeSet;

use aurumcode_core::provider::{Registry, RegistryError};
use aurumcode_provider_anthropic as _;
use aurumcode_provider_command as _;
use aurumcode_provider_fixture as _;
use aurumcode_provider_limite as _;
use aurumcode_provider_openai_compatible as _;
use aurumcode_provider_retry as _;
use thiserror::Error;

use crate::arguments;

/// A set of providers that cannot be used.
#[derive(Debug, Error)]
pub(crate) enum PluginError {
    /// They contradict each other.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// One of them adds a flag that the program has by itself.
    #[error(
        "a provider adds the flag --{0}, which aurumcode has by itself; the provider has to name it differently"
    )]
    TakenFlag(&'static str),
}

/// Reads the registrations of this program.
pub(crate) fn registry() -> Result<Registry, PluginError> {
    let registry = Registry::linked()?;
    refuse_taken_flags(&registry)?;
    Ok(registry)
}

fn refuse_taken_flags(registry: &Registry) -> Result<(), PluginError> {
    if registry.flags().next().is_none() {
        return Ok(());
    }
    let taken: BTreeSet<String> = arguments::review::own_flags()
        .get_arguments()
        .flat_map(|flag| flag.get_long_and_visible_aliases().unwrap_or_default())
        .map(str::to_owned)
        .chain(["help".to_owned()])
        .collect();
    let added = registry
        .flags()
        .flat_map(|flag| [flag.name].into_iter().chain(flag.aliases.iter().copied()));
    for name in added {
        if taken.contains(name) {
            return Err(PluginError::TakenFlag(name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use aurumcode_core::provider::{Flag, Origin, SourceRegistration, Unready};

    use super::*;

    #[test]
    fn a_plugin_cannot_take_a_flag_of_the_program() {
        const FLAG: Flag = Flag {
            name: "bas",
            aliases: &["model"],
            value_name: "x",
            help: "x",
            check: |_| Ok(()),
        };
        let source = SourceRegistration {
            name: "x",
            origin: Origin {
                package: "x",
                version: "1",
            },
            summary: "x",
            position: Some(1),
            variables: &[],
            flags: &[FLAG],
            build: |_| Err(Unready::NotMine(String::new())),
        };
        let registry = Registry::from_entries([source], []).unwrap();
        let error = refuse_taken_flags(&registry).unwrap_err();
        assert!(matches!(error, PluginError::TakenFlag("model")), "{error}");
    }
}
