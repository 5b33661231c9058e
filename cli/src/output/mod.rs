//! The words by which a person hears what a review brought. Nothing here writes: the lines go
//! through the console.

mod findings;
mod gate;
mod incomplete;
mod security;
mod warnings;

pub(crate) use findings::quality_block;
pub(crate) use gate::Gate;
pub(crate) use incomplete::incomplete;
pub(crate) use security::{security_applied, security_section};
pub(crate) use warnings::{discarded, reused, unconverted};
