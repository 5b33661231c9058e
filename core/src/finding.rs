//! What a review finds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How serious a finding is, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth changing.
    Warning,
    /// Wrong or dangerous.
    Error,
}

impl Severity {
    /// Returns the word that is printed for this severity.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// One finding of a model, redacted, on one line of text, citing a rule of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The file, as it is printed.
    pub file: String,
    /// The line in the new file (a removed line: in the old one), or 0 for the file as a whole.
    pub line: u32,
    /// The model's severity.
    pub severity: Severity,
    /// What the model says, on one line.
    pub message: String,
    /// The catalog's rule that it cites.
    pub rule_id: String,
    /// Text that the model would put in place of the line; it may have several lines.
    pub suggestion: Option<String>,
}
