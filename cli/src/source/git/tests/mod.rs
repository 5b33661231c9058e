//! Tests of the git source on real repositories, made by the `git` program.

mod child;
mod hunks;
mod isolation;
mod names;
mod refs;
mod repositories;
mod sandbox;
mod shapes;
