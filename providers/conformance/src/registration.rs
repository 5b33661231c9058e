//! What the registrations of sources and of layers have in common.

use std::collections::BTreeSet;

use aurumcode_core::provider::{Flag, Origin, Variable};

use crate::Setting;
use crate::report::none_of;
use crate::settings::neutral;

/// The declared parts of a registration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) origin: Origin,
    pub(crate) summary: &'static str,
    pub(crate) variables: &'static [&'static [Variable]],
    pub(crate) flags: &'static [Flag],
}

impl Declared {
    /// Returns the variables.
    pub(crate) fn variables(self) -> impl Iterator<Item = &'static Variable> + Clone {
        self.variables.iter().copied().flatten()
    }

    /// Returns the names of the variables.
    pub(crate) fn variable_names(self) -> impl Iterator<Item = &'static str> + Clone {
        self.variables().map(|variable| variable.name)
    }

    /// Complains about what people could not read or tell apart.
    pub(crate) fn wording(&self) -> Result<(), String> {
        let mut complaints = Vec::new();
        let plain = |character: char| {
            character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
        };
        if self.name.is_empty() || !self.name.chars().all(plain) {
            complaints.push(format!(
                "the name {:?} has other than small letters, digits and dashes",
                self.name
            ));
        }
        if self.origin.package.is_empty() || self.origin.version.is_empty() {
            complaints.push("the origin names no package or no version".to_owned());
        }
        let helps = self
            .variables()
            .map(|variable| (variable.name, variable.help))
            .chain(self.flags.iter().map(|flag| (flag.name, flag.help)))
            .chain([("the summary", self.summary)]);
        for (what, help) in helps {
            if help.is_empty() || help.ends_with('.') || help.contains('\n') {
                complaints.push(format!(
                    "the text of {what} is empty, ends in a period or has a line break: {help:?}"
                ));
            }
        }
        let mut seen = BTreeSet::new();
        for name in self.variable_names() {
            if !seen.insert(name) {
                complaints.push(format!("{name} is declared twice"));
            }
        }
        none_of(complaints)
    }

    /// Complains about a declared variable or flag of which nobody says whether it changes answers.
    pub(crate) fn decided(&self, changes: &[Setting], keeps: &[Setting]) -> Result<(), String> {
        let known = neutral(*self);
        let settings = || changes.iter().chain(keeps).chain(&known);
        let variables = self
            .variable_names()
            .filter(|name| !settings().any(|setting| setting.is_variable(name)))
            .map(|name| format!("the variable {name} is in neither list"));
        let flags = self
            .flags
            .iter()
            .filter(|flag| !settings().any(|setting| setting.is_flag(flag.name)))
            .map(|flag| format!("the flag --{} is in neither list", flag.name));
        none_of(variables.chain(flags))
    }
}
