//! The world as a call may use it.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;

/// Who should see a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteLevel {
    /// Everybody, unless asked to be quiet.
    Normal,
    /// Those who ask for an explanation of the run.
    Detail,
}

/// One line for stderr, without the program's prefix. Whoever prints it redacts and cleans it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Who should see it.
    pub level: NoteLevel,
    /// The line.
    pub text: String,
}

impl Note {
    /// Makes a line for everybody.
    pub fn normal(text: impl Into<String>) -> Self {
        Self {
            level: NoteLevel::Normal,
            text: text.into(),
        }
    }

    /// Makes a line for those who ask for an explanation of the run.
    pub fn detail(text: impl Into<String>) -> Self {
        Self {
            level: NoteLevel::Detail,
            text: text.into(),
        }
    }
}

/// What a call may use of the world. Nothing in the engine or in a provider reaches for a clock, a
/// random number or stderr by itself, so a test decides all of them.
#[async_trait]
pub trait Run: Send + Sync {
    /// Says something as it happens.
    fn note(&self, note: Note);

    /// Returns a random number, for jitter and never for a secret.
    fn random(&self) -> u64;

    /// Returns the time of day, for dates that a server sends.
    fn now(&self) -> SystemTime;

    /// Waits.
    async fn sleep(&self, duration: Duration);
}
