//! Text that a model, a repository or a server wrote, made safe for a terminal and a log.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns `text` on one line: a run of line breaks and tabs is one blank, every other character
/// that steers a terminal or hides text is written out as `\u{…}`, and nothing that a CI system
/// would run as a command is left in that form.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let _ = text;
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => line.push(' '),
            character if character.is_control() => {
                let _ = write!(line, "\\u{{{:x}}}", u32::from(character));
            }
            character => line.push(character),
        }
    }
    Cow::Owned(line)
}

/// Returns a path's bytes as one line of text: what is no UTF-8 becomes U+FFFD, a control
/// character is written out, everything else stands as it is.
pub fn path(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => one_line(text),
        Cow::Owned(text) => Cow::Owned(one_line(&text).into_owned()),
    }
}

/// Returns `text` between double quotes, with every quote, backslash and unprintable character
/// written as an escape: `\"`, `\\`, `\n`, `\t`, `\x1b`, `\u202e`. Messages quote this way
/// whatever a user or a repository named.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            character if character.is_control() && u32::from(character) < 0x80 => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(character));
            }
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
