//! Flags that are on or off: `--seguranca`, `--seguranca=true`, `--seguranca=false`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, ArgMatches};

/// What counts as true; the first word is the one that help and messages show.
const TRUE: [&str; 6] = ["true", "TRUE", "True", "t", "T", "1"];

/// What counts as false.
const FALSE: [&str; 6] = ["false", "FALSE", "False", "f", "F", "0"];

/// Makes a flag that is off unless it is given.
pub(crate) fn flag(name: &'static str) -> Arg {
    let words = [TRUE, FALSE].map(|words| {
        let [shown, others @ ..] = words;
        PossibleValue::new(shown).aliases(others)
    });
    Arg::new(name)
        .long(name)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value(TRUE[0])
        .hide_possible_values(true)
        .value_name("true|false")
        .value_parser(PossibleValuesParser::new(words).map(|word| TRUE.contains(&word.as_str())))
}

/// Returns whether the flag is on.
pub(crate) fn is_on(matches: &ArgMatches, name: &str) -> bool {
    matches.get_one(name).copied().unwrap_or(false)
}
