//! What stands behind a source, as the suite asks for it to be played.

use std::fmt;

use aurumcode_core::async_trait;
use aurumcode_core::provider::{ErrorKind, Finish, Usage};

use crate::Settings;

/// Returns the secret of the suite. It looks like no key that a pattern would find, so only a
/// source that keeps its own key to itself passes.
pub fn secret() -> String {
    ["quiet", "willow", "under", "seven", "bridges"].join("-")
}

/// What the backend is to do with every call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Script {
    /// Answer.
    Answer(Answer),
    /// Refuse or fail.
    Fail(Failure),
    /// Send the first half of an answer and end.
    Cut,
    /// Send an answer without anything in it.
    Empty,
    /// Send something that is no answer of this kind of backend, such as a login page.
    Foreign,
    /// Send an answer that does not end.
    Endless,
    /// Send an error that does not end.
    EndlessFailure,
    /// Take the call and say nothing.
    Silent,
}

/// A good answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the model says.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What was counted.
    pub usage: Usage,
}

/// A refusal or a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What the source is to make of it, with the wait or the window that the backend states.
    pub kind: ErrorKind,
    /// What the backend says. It holds the [`secret`], as servers do that echo a key.
    pub words: String,
}

/// A backend that plays a script, and the settings with which a source asks it.
pub struct Stage {
    /// The settings. Where the source has a key, it is the [`secret`].
    pub settings: Settings,
    /// The backend; it plays until it is dropped.
    pub backend: Box<dyn Backend>,
}

impl fmt::Debug for Stage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stage").finish_non_exhaustive()
    }
}

/// What plays a script.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Returns what reached the backend, one text for a call.
    fn received(&self) -> Vec<String>;

    /// Waits until a call has reached the backend.
    async fn arrived(&self);

    /// Waits until nothing is left of any call: no connection, no process. The suite bounds it.
    async fn idle(&self);

    /// Returns how many bytes of an endless answer were taken.
    fn taken(&self) -> u64;
}
