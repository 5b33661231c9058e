//! What is kept for a file.

use serde::{Deserialize, Serialize};

use super::Key;
use crate::answer::Record;

/// What whatever answers said about one file. Everything in it is redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key that the entry is kept under.
    pub key: Key,
    /// The file's printed path, redacted, for people who look into the directory.
    pub path: String,
    /// The model that was asked.
    pub model: String,
    /// The model that the endpoint says answered, where it says so.
    pub served_by: Option<String>,
    /// What the endpoint made of the request, for people.
    pub adaptations: Vec<String>,
    /// What was said about the file, in the order of the answer.
    pub records: Vec<Record>,
    /// What the calls that brought this entry said about files that they did not send. It stands
    /// in the entry of the call's first path alone.
    pub calls: Vec<CallRecords>,
}

/// What one call said about files that it did not send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallRecords {
    /// The keys of the files that the call did send.
    pub keys: Vec<Key>,
    /// Each record with the key of the file that it is about, where that file was in the change.
    pub records: Vec<(Record, Option<Key>)>,
}
