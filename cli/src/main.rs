//! The `aurumcode` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    aurumcode::run_process()
}
