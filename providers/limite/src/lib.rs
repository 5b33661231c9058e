//! The metering layer behind `--limite`.
