//! The values that must never leave the process.

use aurumcode_core::provider::{Environment, Registry};
use aurumcode_core::redact::Redactor;
use aurumcode_provider_http::Url;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::variables;

/// Returns the redaction of a run: it masks, besides everything that looks like a secret, the value
/// of each variable that is declared to hold one, and the credentials of each that holds a URL.
pub(crate) fn redactor(environment: &Environment, registry: Option<&Registry>) -> Redactor {
    let mut values = Vec::new();
    for variable in variables::all(registry) {
        // The variables of proxies count in small letters too.
        for name in [variable.name.to_owned(), variable.name.to_lowercase()] {
            let value = environment.text(&name);
            values.extend(value.into_iter().flat_map(|value| {
                if variable.secret {
                    with_parts(value)
                } else {
                    credentials(&value)
                }
            }));
        }
    }
    Redactor::new(values)
}

/// Parts of the name of a header or of a URL's parameter that say that its value is a secret. A
/// value of another one can be a word that stands in every second line of a review.
const SECRET_NAMES: [&str; 6] = ["auth", "cookie", "key", "password", "secret", "token"];

/// From this many bytes on, the user of a URL without a password is taken for a token.
const TOKEN_BYTES: usize = 16;

/// Returns a value with the secrets inside it: a JSON object of headers, say, is never printed as
/// it was set, but each of its values could be, and so could a token behind a word such as Bearer.
fn with_parts(value: String) -> Vec<String> {
    let mut parts = Vec::new();
    if let Ok(Value::Object(members)) = serde_json::from_str::<Value>(&value) {
        let secret = members.iter().filter(|(name, _)| names_a_secret(name));
        for text in secret.filter_map(|(_, value)| value.as_str()) {
            parts.extend(text.split_whitespace().last().map(str::to_owned));
            parts.push(text.to_owned());
        }
    }
    parts.push(value);
    parts
}

/// Returns the password of a URL, or the user where a token stands in its place, and the secrets
/// among its parameters: as they are written and as they are meant.
fn credentials(url: &str) -> Vec<String> {
    let Ok(url) = Url::parse(url.trim()) else {
        return Vec::new();
    };
    let token = Some(url.username()).filter(|user| user.len() >= TOKEN_BYTES);
    let mut found = Vec::new();
    if let Some(written) = url.password().or(token) {
        let meant = percent_decode_str(written).decode_utf8_lossy();
        found.extend([written.to_owned(), meant.into_owned()]);
    }
    let parameters = url.query_pairs();
    let secret = parameters.filter(|(name, _)| names_a_secret(name));
    found.extend(secret.map(|(_, value)| value.into_owned()));
    found
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET_NAMES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_credentials_of_a_url_are_secret() {
        assert_eq!(
            credentials("https://user:p%40ss@host/v1?api-version=2024-10-21&api-key=a%2Bb#x"),
            ["p%40ss", "p@ss", "a+b"]
        );
        assert_eq!(credentials("https://user@host/"), [""; 0]);
        assert_eq!(credentials("a directory"), [""; 0]);
    }

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
