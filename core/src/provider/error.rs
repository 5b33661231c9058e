//! Why a call brought no answer, by what can be done about it.

use std::time::Duration;

use thiserror::Error;

use super::Usage;

/// What a failed call cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// Nothing: the request was not sent or was refused before any work.
    NotBilled,
    /// Nobody can say; it has to be counted as spent.
    Unknown,
    /// The endpoint said what it counted.
    Reported(Usage),
}

/// The kinds of failure, by what the caller should do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The key is missing or refused.
    Authentication,
    /// The key is known and not allowed to do this.
    Permission,
    /// The endpoint does not know the model.
    ModelNotFound,
    /// Too many requests, with the wait that the server asks for.
    RateLimited {
        /// How long the server wants us to wait, where it says so.
        retry_after: Option<Duration>,
    },
    /// The account has nothing left; waiting does not help.
    QuotaExhausted,
    /// The run's own ceiling does not allow the call.
    BudgetExhausted,
    /// The server is overloaded or failed by itself.
    Overloaded {
        /// How long the server wants us to wait, where it says so.
        retry_after: Option<Duration>,
    },
    /// The prompt does not fit the model's window.
    TooLong {
        /// The window in tokens, where the server says it.
        limit_tokens: Option<u64>,
    },
    /// The server refuses the request for another reason; the same request is refused again.
    Rejected,
    /// No answer came in time.
    Timeout,
    /// The connection could not be made or broke.
    Transport,
    /// Something came back that is no answer.
    BadResponse,
    /// What the provider was set up with cannot be used.
    Setup,
}

/// Whether asking again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAdvice {
    /// It cannot.
    Never,
    /// It can, after a while; the server's own wait comes first where there is one.
    After(Option<Duration>),
}

/// A call that brought no answer.
///
/// The message reads like help: what happened, to what, and what the user can do. It holds no
/// secret and at most [`crate::limits::QUOTED_CHARACTERS`] of the server's own words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// What to tell the user, on one line.
    pub message: String,
    /// The HTTP status, where there is one.
    pub status: Option<u16>,
    /// The vendor's own word for the failure, where there is one.
    pub code: Option<String>,
    /// What the call cost.
    pub billing: Billing,
}

impl ProviderError {
    /// Makes an error of a call that cost nothing.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            status: None,
            code: None,
            billing: Billing::NotBilled,
        }
    }

    /// Sets what the call cost.
    #[must_use]
    pub fn billed(mut self, billing: Billing) -> Self {
        self.billing = billing;
        self
    }

    /// Returns whether asking again can help.
    pub fn retry_advice(&self) -> RetryAdvice {
        match self.kind {
            ErrorKind::RateLimited { retry_after } | ErrorKind::Overloaded { retry_after } => {
                RetryAdvice::After(retry_after)
            }
            ErrorKind::Timeout | ErrorKind::Transport => RetryAdvice::After(None),
            ErrorKind::Authentication
            | ErrorKind::Permission
            | ErrorKind::ModelNotFound
            | ErrorKind::QuotaExhausted
            | ErrorKind::BudgetExhausted
            | ErrorKind::TooLong { .. }
            | ErrorKind::Rejected
            | ErrorKind::BadResponse
            | ErrorKind::Setup => RetryAdvice::Never,
        }
    }

    /// Returns whether every other call of the run would fail the same way, so that none of them
    /// is worth starting.
    pub fn ends_run(&self) -> bool {
        match self.kind {
            ErrorKind::Authentication
            | ErrorKind::Permission
            | ErrorKind::ModelNotFound
            | ErrorKind::QuotaExhausted
            | ErrorKind::BudgetExhausted
            | ErrorKind::Setup => true,
            ErrorKind::RateLimited { .. }
            | ErrorKind::Overloaded { .. }
            | ErrorKind::TooLong { .. }
            | ErrorKind::Rejected
            | ErrorKind::Timeout
            | ErrorKind::Transport
            | ErrorKind::BadResponse => false,
        }
    }
}
