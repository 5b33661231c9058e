//! The values that must never leave the process.

use aurumcode_core::provider::{Environment, Registry};
use aurumcode_core::redact::Redactor;

use crate::variables;

/// Returns the redaction of a run: it masks, besides everything that looks like a secret, the value
/// of each variable that is declared to hold one.
pub(crate) fn redactor(environment: &Environment, registry: Option<&Registry>) -> Redactor {
    let secret = variables::all(registry)
        .into_iter()
        .filter(|variable| variable.secret);
    Redactor::new(secret.filter_map(|variable| environment.text(variable.name)))
}
