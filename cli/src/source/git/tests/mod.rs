//! Tests of the git source on real repositories, made by the `git` program.

mod child;
mod refs;
mod repositories;
mod sandbox;
mod shapes;
