//! Any text through the redaction: the lines stay, a second time changes nothing, and the exact
//! value does not survive, in whatever disguise.
//!
//! The first line of the input is the exact value, the rest is the text; the value is put into it
//! at the places that a control character marks, each in a spelling of its own.
#![no_main]

use aurumcode_core::change::{Hunk, LineKind};
use aurumcode_core::redact::{MARKER, Redactor};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use libfuzzer_sys::fuzz_target;

/// A shorter value is masked only where it stands alone.
const SHORTEST: usize = 8;

/// A value with fewer letters and digits is not looked for in every disguise.
const LETTERS: usize = 12;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let (value, text) = input.split_once('\n').unwrap_or(("", &input));
    let value = value.trim();
    let is_secret = value.len() >= SHORTEST && !resembles_marker(value);
    let redactor = Redactor::new(is_secret.then(|| value.to_owned()));
    let spellings = if is_secret {
        spellings(value)
    } else {
        Vec::new()
    };
    let text = planted(text, &spellings);

    let once = redactor.text(&text).into_owned();
    assert_eq!(breaks(&once), breaks(&text));
    assert_eq!(redactor.text(&once), once, "from {text:?}");
    for spelling in &spellings {
        assert!(!once.contains(spelling), "{spelling:?} in {once:?}");
    }
    in_a_hunk(&redactor, &text, &spellings);
});

fn in_a_hunk(redactor: &Redactor, text: &str, spellings: &[String]) {
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
    assert!(lines.iter().all(|line| !line.contains('\n')));
    for other_side in [LineKind::Added, LineKind::Removed] {
        let side = hunk.lines().zip(&lines);
        let side = side.filter(|(line, _)| line.kind != other_side);
        let side: String = side.map(|(_, text)| format!("{text}\n")).collect();
        for spelling in spellings {
            assert!(!side.contains(spelling), "{spelling:?} in {side:?}");
        }
    }
}

/// Returns whether a value could be read out of the marker and what stands beside it.
fn resembles_marker(value: &str) -> bool {
    value.contains(['[', ']']) || MARKER.contains(value)
}

/// Returns the value as it stands and, where it is made of enough letters and digits, disguised.
fn spellings(value: &str) -> Vec<String> {
    let mut spellings = vec![value.to_owned()];
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/+=".contains(&byte);
    let letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    if letters < LETTERS || !value.bytes().all(is_plain) {
        return spellings;
    }
    let (first, second) = value.split_at(value.len() / 2);
    let each = |spelled: &dyn Fn(u8) -> String| value.bytes().map(spelled).collect::<String>();
    let shifted = |shift: usize| URL_SAFE_NO_PAD.encode(format!("{}{value}", "x".repeat(shift)));
    spellings.extend([
        format!("{first}\n{second}"),
        format!("{first}\\n{second}"),
        format!("{first}\" +\n    \"{second}"),
        each(&|byte| format!("%{byte:02X}")),
        each(&|byte| format!("%{byte:02x}")),
        each(&|byte| format!("\\u{byte:04x}")),
        each(&|byte| format!("\\x{byte:02x}")),
        each(&|byte| format!("&#{byte};")),
        each(&|byte| format!("{byte:02x}")),
        STANDARD.encode(value),
        STANDARD.encode(value).replace('=', ""),
        shifted(1),
        shifted(2),
    ]);
    spellings
}

/// Puts a spelling, between blanks, in place of each control character but the line feed.
fn planted(text: &str, spellings: &[String]) -> String {
    let mut planted = String::with_capacity(text.len());
    for character in text.chars() {
        let spelling = match character {
            '\n' | '\t' => None,
            '\0'..' ' => spellings.get(u32::from(character) as usize % spellings.len().max(1)),
            _ => None,
        };
        match spelling {
            Some(spelling) => planted.extend([" ", spelling, " "]),
            None => planted.push(character),
        }
    }
    planted
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
