//! What every test of the built binary needs: a world of its own, a repository in it, and an
//! outcome that can be compared whole.

mod endpoint;
mod outcome;
mod repository;
mod world;

pub(crate) use endpoint::{Endpoint, completion, cut, finding};
pub(crate) use outcome::Outcome;
pub(crate) use repository::Repository;
pub(crate) use world::{World, project};
