//! The `aurumcode` program.

fn main() {}
