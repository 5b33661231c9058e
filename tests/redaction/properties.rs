//! What holds for every text.

use aurumcode_core::change::{Hunk, LineKind};
use aurumcode_core::redact::{Redactor, secrets_in_line};
use proptest::prelude::*;

/// Pieces from which texts are made that come close to secrets.
const PIECES: &[&str] = &[
    "password",
    "token",
    "apiKey",
    "Authorization",
    "Cookie",
    "Bearer ",
    "Basic ",
    "=",
    ": ",
    " := ",
    "\"",
    "'",
    "\\\"",
    "`",
    "://",
    "@",
    "?",
    "&",
    ";",
    ",",
    "\n",
    "\r\n",
    " ",
    "\\n",
    "(",
    ")",
    "[REDACTED]",
    "[REDACTED",
    "ghp_",
    "AKIA",
    "eyJ",
    ".",
    "-",
    "_",
    "hunter2",
    "a1B2c3D4e5F6g7H8",
    "ABCDEFGHIJKLMNOP1234",
    "x",
    "é",
    "\u{200b}",
    "${A}",
    "-----BEGIN ",
    "PRIVATE KEY",
    "-----",
    "-----END ",
    "MIIEvQIBADANBgkqhkiG9w0BAQ",
    "curl -u ",
    "value",
    "name",
    "%41",
    "|",
    ">",
    "<",
    "/",
    "key",
    "secret",
    "\\u0041",
    "CANARY",
    "1234567890",
];

fn near_secrets() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![near_secrets(), any::<String>(), "[ -~\n]{0,200}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redaction_is_idempotent_and_keeps_the_lines(text in any_text()) {
        let redactor = Redactor::new(["CANARY1234567890".to_owned()]);
        let once = redactor.text(&text).into_owned();
        prop_assert_eq!(redactor.text(&once), once.as_str());
        let breaks = |text: &str| text.matches(['\n', '\r']).count();
        prop_assert_eq!(breaks(&once), breaks(&text));
    }

    #[test]
    fn a_hunk_keeps_its_length_whatever_its_bytes(
        lines in prop::collection::vec((0..3_usize, prop_oneof![
            prop::collection::vec(any::<u8>(), 0..80),
            near_secrets().prop_map(String::into_bytes),
        ]), 0..30)
    ) {
        let kinds = [LineKind::Context, LineKind::Added, LineKind::Removed];
        let mut hunk = Hunk::new(1, 1);
        for (kind, line) in &lines {
            hunk.push(kinds[*kind], line, true);
        }
        prop_assert_eq!(Redactor::new(["CANARY1234567890".to_owned()]).hunk(&hunk).len(), lines.len());
    }

    #[test]
    fn a_value_in_use_never_survives(value in "[a-zA-Z0-9+/=_.:@-]{8,40}", before in any_text(), after in any_text()) {
        let redactor = Redactor::new([value.clone()]);
        let text = format!("{before}{value}{after}");
        let found = redactor.text(&text);
        prop_assert!(!found.contains(&value) || "[REDACTED]".contains(&value));
    }

    #[test]
    fn the_secrets_of_a_line_are_in_order_and_on_characters(line in near_secrets()) {
        let mut done = 0;
        for secret in secrets_in_line(&line, None) {
            prop_assert!(secret.range.start >= done && secret.range.end > secret.range.start);
            prop_assert!(line.get(secret.range.clone()).is_some());
            done = secret.range.end;
        }
    }
}
