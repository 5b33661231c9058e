//! The embedded rule catalog.

use serde::Deserialize;
use thiserror::Error;

use crate::finding::Severity;

/// The catalog's text, embedded so that a binary needs no file beside it.
const EMBEDDED: &str = include_str!("rules.toml");

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The word by which a finding cites the rule, such as `quality/dead-code`.
    pub id: String,
    /// A few words for a heading.
    pub title: String,
    /// How serious a finding of the security pass is. A model states its own.
    pub severity: Severity,
    /// What the rule is about, for models and for people.
    pub description: String,
}

/// A catalog that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogError {
    /// The text is no catalog.
    #[error("the rule catalog is malformed: {0}")]
    Malformed(String),
    /// Two rules have one id.
    #[error("the rule catalog has two rules with the id `{0}`")]
    DuplicateId(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    rule: Vec<Rule>,
}

/// The rules, sorted by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    rules: Vec<Rule>,
}

impl Catalog {
    /// Reads the catalog that this crate embeds.
    pub fn embedded() -> Result<Self, CatalogError> {
        Self::parse(EMBEDDED)
    }

    /// Reads a catalog from its text, which is TOML with one `[[rule]]` table for each rule.
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let document: Document = toml::from_str(text)
            .map_err(|error| CatalogError::Malformed(error.message().to_owned()))?;
        let mut rules = document.rule;
        rules.sort_by(|left, right| left.id.cmp(&right.id));
        for (rule, next) in rules.iter().zip(rules.iter().skip(1)) {
            if rule.id == next.id {
                return Err(CatalogError::DuplicateId(rule.id.clone()));
            }
        }
        Ok(Self { rules })
    }

    /// Returns the rules, sorted by id.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the rule with this id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        let index = self
            .rules
            .binary_search_by(|rule| rule.id.as_str().cmp(id))
            .ok()?;
        self.rules.get(index)
    }
}
