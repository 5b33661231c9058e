//! Tests of the git source on real repositories, made by the `git` program.

mod refs;
mod sandbox;
mod shapes;
