//! The values that must never leave the process.

use aurumcode_core::provider::{Environment, Registry};
use aurumcode_core::redact::Redactor;
use serde_json::Value;

use crate::variables;

/// Returns the redaction of a run: it masks, besides everything that looks like a secret, the value
/// of each variable that is declared to hold one.
pub(crate) fn redactor(environment: &Environment, registry: Option<&Registry>) -> Redactor {
    let secret = variables::all(registry)
        .into_iter()
        .filter(|variable| variable.secret);
    let values = secret.filter_map(|variable| environment.text(variable.name));
    Redactor::new(values.flat_map(with_parts))
}

/// Parts of a header's name that say that its value is a secret. A value of another header can be
/// a word that stands in every second line of a review.
const SECRET_NAMES: [&str; 6] = ["auth", "cookie", "key", "password", "secret", "token"];

/// Returns a value with the secrets inside it: a JSON object of headers, say, is never printed as
/// it was set, but each of its values could be, and so could a token behind a word such as Bearer.
fn with_parts(value: String) -> Vec<String> {
    let mut parts = Vec::new();
    if let Ok(Value::Object(members)) = serde_json::from_str::<Value>(&value) {
        let secret = members.iter().filter(|(name, _)| {
            let name = name.to_lowercase();
            SECRET_NAMES.iter().any(|part| name.contains(part))
        });
        for text in secret.filter_map(|(_, value)| value.as_str()) {
            parts.extend(text.split_whitespace().last().map(str::to_owned));
            parts.push(text.to_owned());
        }
    }
    parts.push(value);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_inside_a_secret_value_is_secret_too() {
        let value = r#"{"X-Key":"Bearer qwertz","X-Title":"review","n":1}"#;
        assert_eq!(
            with_parts(value.to_owned()),
            ["qwertz", "Bearer qwertz", value]
        );
        assert_eq!(with_parts("plain".to_owned()), ["plain"]);
    }
}
