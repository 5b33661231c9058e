//! The words by which a person hears what a review brought. Nothing here writes: the lines go
//! through the console.

mod findings;
mod gate;
mod incomplete;
mod publication;
mod security;
mod warnings;

pub(crate) use findings::{line as finding_line, quality_block};
pub(crate) use gate::Gate;
pub(crate) use incomplete::incomplete;
pub(crate) use publication::{GENERAL, INLINE, KNOWN, Unpublished, published, unpublished};
pub(crate) use security::{
    line as security_line, security_applied, security_section, words as security_words,
};
pub(crate) use warnings::{discarded, reused, unconverted};
