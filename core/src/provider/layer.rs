//! Something around whatever answers.

use std::fmt;

use async_trait::async_trait;

use super::{Completion, Limits, ModelId, Note, Provider, ProviderError, Request, Run};

/// What a layer does to answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: an equal request goes in, and the answer comes back as it is.
    Transparent,
    /// It can change them, and this tells two settings of it apart.
    Shapes {
        /// What is shaped, such as `metered model`.
        name: String,
        /// The setting, without secrets.
        fingerprint: String,
    },
}

/// What a run is going to need, in sizes. The diff itself is none of a layer's business.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The model that answers.
    pub model: &'a ModelId,
    /// For each file of the change, in path order, [`crate::change::FileChange::marked_bytes`].
    pub file_bytes: &'a [u64],
    /// How many calls the run needs when nothing is served from a cache.
    pub calls: u32,
}

/// A layer: something around whatever answers.
///
/// It is no provider and has no identity. It says what it does to answers, and the core composes
/// the identity of the stack. One value serves a whole run and sees every call.
#[async_trait]
pub trait Layer: fmt::Debug + Send + Sync {
    /// Returns what the layer does to answers. It does not change during a run.
    fn effect(&self) -> Effect;

    /// Returns the limits of the stack up to this layer, given those of what it stands around.
    fn narrow(&self, inner: Limits) -> Limits;

    /// Looks at what the run is going to need, before anything is sent, and returns what to say.
    /// An error ends the run.
    fn preflight(&self, plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError>;

    /// Makes a call through `next`, which is whatever this layer stands around.
    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError>;

    /// Returns what to say when the run is over, however it ended.
    fn settle(&self) -> Vec<Note>;
}
