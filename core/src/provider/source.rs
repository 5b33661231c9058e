//! Something that answers.

use std::fmt;

use async_trait::async_trait;

use super::{Completion, Identity, Limits, ModelId, ProviderError, Request, Run};

/// Which model answers, and is billed, before anything is sent.
pub trait ModelResolver {
    /// Returns the model that the next call goes to.
    fn resolve_model(&self) -> ModelId;
}

/// A source: something that answers.
///
/// Every method is required, so that forgetting one does not compile.
#[async_trait]
pub trait Provider: ModelResolver + fmt::Debug + Send + Sync {
    /// Returns all that is asked for and could change the answer: the normalised endpoint without
    /// credentials, the model, every parameter. Never a secret, a limit of time or money, or what
    /// an endpoint made of the request. It does not change during a run.
    fn identity(&self) -> Identity;

    /// Returns what people call this source, such as `offline fixture provider`.
    fn label(&self) -> String;

    /// Returns the window and the output cap, where they are known or set.
    fn limits(&self) -> Limits;

    /// Asks once and returns what came back. A future that is dropped leaves nothing behind.
    async fn complete(&self, request: &Request, run: &dyn Run)
    -> Result<Completion, ProviderError>;
}
