//! What is asked and what comes back.

use std::fmt;
use std::sync::Arc;

/// The name of a model, as its endpoint knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(String);

impl ModelId {
    /// Takes a name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a model reads, already redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What to do: fixed text and the rules. Nobody outside this project writes into it.
    pub instructions: Arc<str>,
    /// What to do it with: the diff, between delimiters. It is hostile input.
    pub material: String,
}

impl Prompt {
    /// Returns the size of the prompt as [`fmt::Display`] writes it, in bytes.
    pub fn bytes(&self) -> u64 {
        self.instructions.len() as u64 + 1 + self.material.len() as u64
    }
}

/// The prompt as one text: the instructions, a line break, the material.
impl fmt::Display for Prompt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.instructions)?;
        formatter.write_str(&self.material)
    }
}

/// Which call of the run a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallNumber {
    /// The call's number in the order of the run, from 1.
    pub number: u32,
    /// How many calls the run is known to need by now.
    pub of: u32,
}

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What the model reads.
    pub prompt: Prompt,
    /// The JSON schema of the answer that is wanted.
    pub answer_schema: Arc<serde_json::Value>,
    /// The most tokens that the answer may have, where one is set. A source sends exactly this.
    pub output_cap: Option<u32>,
    /// Where the call stands in its run. It says nothing about the answer.
    pub call: CallNumber,
}

/// What a source or a layer allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The tokens of prompt and answer together that the model takes, where known.
    pub context_tokens: Option<u64>,
    /// The most tokens that an answer may have, where one is to be set.
    pub output_tokens: Option<u32>,
}

/// Tokens that an endpoint says it counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The output limit cut the answer, or the stream ended before the model was done.
    Length,
    /// The model refused, with its words where it said any.
    Refused(String),
    /// A filter of the endpoint stopped the answer.
    Filtered,
    /// The endpoint does not say, or says a word that is not known.
    Unstated,
}

/// What a call brought. It is billed, whatever its [`Finish`] says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The answer's text.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What the endpoint counted, where it says so.
    pub usage: Option<Usage>,
    /// The model that the endpoint says answered.
    pub served_by: Option<ModelId>,
    /// What the source left out or changed because the endpoint refused it, for people. It is
    /// recorded with the answer and never part of a key.
    pub adaptations: Vec<String>,
}
