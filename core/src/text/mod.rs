//! Text that a model, a repository or a server wrote, made safe for a terminal and a log.
//!
//! Nothing that is read from outside may steer a terminal, hide or reorder what stands on the line,
//! begin a second line, or be run by a CI system that reads the log. Ordinary text of any script
//! stays byte for byte.

mod chat;
mod fate;
mod form;
#[cfg(test)]
mod tests;

pub(crate) use chat::{begins_chat_word, has_chat_word, may_begin_chat_word};
pub use form::{excerpt, one_line, path, quoted};
