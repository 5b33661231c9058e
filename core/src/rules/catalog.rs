//! The embedded rule catalog.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use super::pattern::{Examples, Pattern};
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
    /// The part of the security review standard that the rule belongs to, such as `SCR-001`.
    pub standard: Option<String>,
    /// What the security pass says where the rule applies.
    pub detected: Option<String>,
    /// Examples for the redaction's shapes of secrets, where the rule applies those.
    pub secrets: Option<Examples>,
    /// The expressions by which the security pass applies the rule.
    #[serde(default, rename = "pattern")]
    pub patterns: Vec<Pattern>,
}

impl Rule {
    /// Returns whether the rule is one of the security rules.
    pub fn is_security(&self) -> bool {
        self.id.starts_with("security/")
    }

    /// Returns whether the security pass can apply the rule.
    pub fn has_matcher(&self) -> bool {
        self.secrets.is_some() || !self.patterns.is_empty()
    }
}

/// A catalog that cannot be used. Reads after `review rules unavailable: `.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogError {
    /// The text is no catalog.
    #[error("the rule catalog is malformed: {0}")]
    Malformed(String),
    /// Two rules have one id.
    #[error("the rule catalog has two rules with the id `{0}`")]
    DuplicateId(String),
    /// A rule has a matcher and lacks what its findings print.
    #[error("the rule `{rule}` has a matcher and no `{field}`")]
    Incomplete {
        /// The rule's id.
        rule: String,
        /// The field that is missing.
        field: &'static str,
    },
    /// A pattern names a language that no file can have.
    #[error("the rule `{rule}` has a pattern for the unknown language `{language}`")]
    UnknownLanguage {
        /// The rule's id.
        rule: String,
        /// The word that is no language.
        language: String,
    },
    /// A pattern of a rule cannot be used.
    #[error("the rule `{rule}` has a pattern that cannot be used: {cause}")]
    Pattern {
        /// The rule's id.
        rule: String,
        /// What is wrong with the pattern.
        cause: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Parts that several expressions share, by name.
    #[serde(default)]
    fragments: BTreeMap<String, String>,
    #[serde(rename = "rule")]
    rules: Vec<Rule>,
}

/// The rules, sorted by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    rules: Vec<Rule>,
    /// Whether the tests have seen every expression compile, so that no start has to check them.
    tested: bool,
}

impl Catalog {
    /// Reads the catalog that this crate embeds.
    pub fn embedded() -> Result<Self, CatalogError> {
        let catalog = Self::parse(EMBEDDED)?;
        Ok(Self {
            tested: true,
            ..catalog
        })
    }

    /// Reads a catalog from its text, which is TOML with one `[[rule]]` table for each rule.
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let document: Document = toml::from_str(text)
            .map_err(|error| CatalogError::Malformed(error.message().to_owned()))?;
        let Document {
            fragments,
            mut rules,
        } = document;
        for pattern in rules.iter_mut().flat_map(|rule| &mut rule.patterns) {
            pattern.insert(&fragments);
        }
        rules.sort_by(|left, right| left.id.cmp(&right.id));
        for (rule, next) in rules.iter().zip(rules.iter().skip(1)) {
            if rule.id == next.id {
                return Err(CatalogError::DuplicateId(rule.id.clone()));
            }
        }
        Ok(Self {
            rules,
            tested: false,
        })
    }

    /// Returns the rules, sorted by id.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn is_tested(&self) -> bool {
        self.tested
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
