//! What a model reads: fixed words, the rules, and the change between delimiters.

mod render;
mod schema;
mod template;
mod visible;

pub use render::Section;
pub(crate) use render::{heading_bytes, hunk_bytes};
pub use template::PromptBuilder;
