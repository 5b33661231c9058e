//! The built binary on real repositories.

// Always true here; it tells clippy that helper functions are test code too.
#![cfg(test)]

mod architecture;
mod cache;
mod directory;
mod exit_codes_table;
mod fixtures;
mod help;
mod hostile;
mod large;
mod limite;
mod providers;
mod providers_list;
mod providers_new;
mod providers_signals;
mod providers_tls;
mod pull_request;
mod readme;
mod secrets;
mod streams;
mod support;
mod usage;
