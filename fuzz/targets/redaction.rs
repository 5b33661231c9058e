//! Any text through the redaction: the lines stay, a second time changes nothing, and the exact
//! value does not survive.
//!
//! The first line of the input is the exact value, the rest is the text; the value is put into it
//! at the places that a control character marks: as it is, with a line break in it, or encoded.
#![no_main]

use std::fmt::Write as _;

use aurumcode_core::change::{Hunk, LineKind};
use aurumcode_core::redact::{MARKER, Redactor};
use libfuzzer_sys::fuzz_target;

/// A shorter value is masked only where it stands alone.
const SHORTEST: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let (value, text) = input.split_once('\n').unwrap_or(("", &input));
    let value = value.trim();
    let is_secret = value.len() >= SHORTEST && !resembles_marker(value);
    let redactor = Redactor::new(is_secret.then(|| value.to_owned()));
    let text = planted(text, value);

    let once = redactor.text(&text).into_owned();
    assert_eq!(breaks(&once), breaks(&text));
    assert_eq!(redactor.text(&once), once, "from {text:?}");
    if is_secret {
        assert!(!once.contains(value), "{value:?} in {once:?}");
    }
    in_a_hunk(&redactor, &text, is_secret.then_some(value));
});

fn in_a_hunk(redactor: &Redactor, text: &str, value: Option<&str>) {
    let mut hunk = Hunk::new(1, 1);
    for (index, line) in text.split('\n').enumerate() {
        let kind = match (line.len() + index) % 4 {
            0 => LineKind::Removed,
            1 => LineKind::Context,
            _ => LineKind::Added,
        };
        hunk.push(kind, line.as_bytes(), true);
    }
    let lines = redactor.hunk(&hunk);
    assert_eq!(lines.len(), hunk.len());
    for line in lines {
        assert!(!line.contains('\n'));
        if let Some(value) = value {
            assert!(!line.contains(value), "{value:?} in {line:?}");
        }
    }
}

/// Returns whether a value could be read out of the marker and what stands beside it.
fn resembles_marker(value: &str) -> bool {
    value.contains(['[', ']']) || MARKER.contains(value)
}

fn planted(text: &str, value: &str) -> String {
    let mut planted = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{1}' => planted.push_str(value),
            '\u{2}' => {
                let middle = value.len() / 2;
                let middle = (middle..).find(|at| value.is_char_boundary(*at)).unwrap();
                let (first, second) = value.split_at(middle);
                planted.push_str(first);
                planted.push('\n');
                planted.push_str(second);
            }
            '\u{3}' => {
                for byte in value.bytes() {
                    // Writing to a string cannot fail.
                    let _ = write!(planted, "%{byte:02X}");
                }
            }
            other => planted.push(other),
        }
    }
    planted
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
