//! How something that answers is described, registered, chosen and composed.
//!
//! A *source* answers ([`Provider`]). A *layer* stands around whatever answers ([`Layer`]). Both
//! register themselves with [`inventory`], are chosen once by [`Registry::select`], and are
//! composed into a [`Stack`], the only place where an identity is put together.

mod choice;
mod end;
mod error;
mod identity;
mod layer;
mod registry;
mod request;
mod run;
mod settings;
mod source;
mod stack;
#[cfg(test)]
mod tests;
#[cfg(doctest)]
mod unwritable;

pub use choice::{Choice, PROVIDER};
pub use end::EndHook;
pub use error::{Billing, ErrorKind, ProviderError, RetryAdvice};
pub use identity::Identity;
pub use layer::{Effect, Layer, Plan};
pub use registry::{
    BuildLayer, BuildSource, LayerContext, LayerRegistration, Registry, RegistryError,
    SelectionError, SourceRegistration, Unready,
};
pub use request::{CallNumber, Completion, Finish, Limits, ModelId, Prompt, Request, Usage};
pub use run::{Note, NoteLevel, Run};
pub use settings::{
    BuildContext, CONTEXT_TOKENS, Environment, Flag, MAX_OUTPUT_TOKENS, Origin, SetupError,
    TOKEN_LIMITS, Variable, token_limits,
};
pub use source::{ModelResolver, Provider};
pub use stack::Stack;
