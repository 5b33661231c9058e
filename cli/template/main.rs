//! aurumcode with this provider beside the stock ones.

// A crate that nothing names is not linked, and its provider is then missing without a word.
use aurumcode_provider_newcomer as _;

fn main() -> std::process::ExitCode {
    aurumcode::run_process()
}
