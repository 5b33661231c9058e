//! Text that was made to cost much.

use std::time::{Duration, Instant};

use aurumcode_core::redact::Redactor;

/// How long one text may take on a busy machine. A cost that grows with the
/// square of the length takes far longer.
const LIMIT: Duration = Duration::from_secs(10);

/// A build without optimisation gets a tenth, so that the test stays short.
const BYTES: usize = if cfg!(debug_assertions) {
    100_000
} else {
    1_000_000
};

#[test]
fn hostile_text_costs_no_more_than_its_length() {
    let dashes = "-".repeat(5);
    let begin = format!("{dashes}BEGIN PRIVATE KEY{dashes}");
    let end = format!("{dashes}END PRIVATE KEY{dashes}");
    let pieces = [
        "=".to_owned(),
        "\"".to_owned(),
        "'\\".to_owned(),
        "password=".to_owned(),
        "password=\"".to_owned(),
        "password: ".to_owned(),
        "password='a".to_owned(),
        "token ".to_owned(),
        "key:\n".to_owned(),
        "password: |\n ".to_owned(),
        "a://".to_owned(),
        "a://b@".to_owned(),
        "Authorization: ".to_owned(),
        "Cookie: a=".to_owned(),
        "Bearer ".to_owned(),
        "eyJ.".to_owned(),
        "eyJaaaaaaaaaa-".to_owned(),
        "sk-".to_owned(),
        "\\\"kty\\\"".to_owned(),
        "curl -u ".to_owned(),
        " -b a;".to_owned(),
        begin.clone(),
        format!("{begin}\n"),
        format!("{begin}\n{}\n", "A".repeat(64)),
        end.clone(),
        format!("{}\n{end}\n", "A".repeat(64)),
        format!("{end}\n"),
        "A".repeat(64),
        format!("{}\n", "A".repeat(64)),
        "%41\\u0041&#65;".to_owned(),
        "name: DB_PASSWORD\n".to_owned(),
    ];
    let redactor = Redactor::new([
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAB".to_owned(),
        "a;b;c;d;e;f".to_owned(),
    ]);
    let mut slow = Vec::new();
    for piece in pieces {
        let text = piece.repeat(BYTES / piece.len());
        let start = Instant::now();
        let found = redactor.text(&text);
        let took = start.elapsed();
        assert_eq!(
            found.matches('\n').count(),
            text.matches('\n').count(),
            "{piece:?}"
        );
        if took > LIMIT {
            slow.push((piece, took));
        }
    }
    assert_eq!(slow, []);
}
