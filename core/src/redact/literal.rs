//! Reading a literal value: in quotes of any kind, or bare.

use super::bytes::{at, skip, skip_blanks, stands_at};
use super::words;

/// The most bytes of a quoted value that are searched for its closing quote; a value without one
/// ends with its line.
const QUOTED_BYTES: usize = 4096;

/// The most bytes of a bare value.
const BARE_BYTES: usize = 1024;

/// A literal value in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether quotes stand around it.
    pub(super) quoted: bool,
}

/// Reads the quoted literal that stands at `position`, after a prefix such as `r#` or a wrapper
/// such as `String::from(`.
pub(super) fn quoted(text: &[u8], position: usize, end: usize) -> Option<Literal> {
    let mut place = skip_blanks(text, position, end);
    for _ in 0..3 {
        if let Some(found) = in_quotes(text, place, end) {
            return Some(found);
        }
        place = after_prefix(text, place, end)?;
    }
    None
}

/// Steps over what may stand directly before a quote and belongs to the literal.
fn after_prefix(text: &[u8], position: usize, end: usize) -> Option<usize> {
    let mut place = skip(text, position, end.min(position + 3), |byte| {
        matches!(byte, b'&' | b'*' | b'@' | b'$' | b'[' | b'(' | b'{')
    });
    if stands_at(text, place, b"]byte(") {
        return Some(place + 6);
    }
    if stands_at(text, place, b"new ") {
        place += 4;
    }
    let word_end = skip(text, place, end.min(place + 48), |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-')
    });
    let word = text.get(place..word_end)?;
    match at(text, word_end) {
        b'"' | b'\'' | b'`' | b'\\'
            if word.len() <= 2 && word.iter().all(u8::is_ascii_alphanumeric) =>
        {
            Some(word_end)
        }
        b'#' if word.eq_ignore_ascii_case(b"r") || word.eq_ignore_ascii_case(b"br") => {
            Some(skip(text, word_end, end.min(word_end + 8), |byte| {
                byte == b'#'
            }))
        }
        b'(' | b' ' => {
            let last = word.rsplit(|byte| matches!(byte, b':' | b'.')).next()?;
            let last = std::str::from_utf8(last).ok()?.to_ascii_lowercase();
            words::WRAPPERS
                .has(&last)
                .then(|| skip_blanks(text, word_end + 1, end))
        }
        _ => None,
    }
}

fn in_quotes(text: &[u8], position: usize, end: usize) -> Option<Literal> {
    if stands_at(text, position, b"&quot;") {
        let start = position + 6;
        let limit = end.min(start.saturating_add(QUOTED_BYTES));
        let inner = text.get(start..limit)?;
        let length = find(inner, b"&quot;").unwrap_or(inner.len());
        return Some(Literal {
            start,
            end: start + length,
            quoted: true,
        });
    }
    let escapes = skip(text, position, end.min(position + 8), |byte| byte == b'\\') - position;
    let open = position + escapes;
    let quote = at(text, open);
    if open >= end || !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    if escapes == 0 && at(text, open + 1) == quote && at(text, open + 2) == quote {
        let start = open + 3;
        let inner = text.get(start..end.min(start.saturating_add(QUOTED_BYTES)))?;
        let length = find(inner, &[quote; 3]).unwrap_or(inner.len());
        return Some(Literal {
            start,
            end: start + length,
            quoted: true,
        });
    }
    let start = open + 1;
    let limit = end.min(start.saturating_add(QUOTED_BYTES));
    let mut place = start;
    while place < limit {
        let run = skip(text, place, limit, |byte| byte == b'\\') - place;
        let here = place + run;
        if at(text, here) == quote && here < limit {
            let closes = if escapes == 0 {
                run.is_multiple_of(2)
            } else {
                run == escapes
            };
            let doubled = escapes == 0
                && here > start
                && at(text, here + 1) == quote
                && at(text, here + 2) != quote
                && quote != b'`'
                && here + 1 < limit
                && at(text, here + 2).is_ascii_alphanumeric();
            if closes && !doubled {
                let end = if escapes == 0 { here } else { place };
                return Some(Literal {
                    start,
                    end,
                    quoted: true,
                });
            }
            place = here + if doubled { 2 } else { 1 };
        } else {
            place = here + 1;
        }
    }
    let end = if limit == end {
        end
    } else {
        line_end(text, limit, end)
    };
    Some(Literal {
        start,
        end,
        quoted: true,
    })
}

fn line_end(text: &[u8], from: usize, end: usize) -> usize {
    skip(text, from, end, |byte| byte != b'\n')
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len())
        .position(|window| window == needle)
}

/// Reads the bare value that stands at `position`. `to_blank` says that only a blank or a quote
/// ends it, as in a file of variables.
pub(super) fn bare(text: &[u8], position: usize, end: usize, to_blank: bool) -> Option<Literal> {
    let start = skip_blanks(text, position, end);
    let limit = end.min(start.saturating_add(BARE_BYTES));
    let stop = skip(text, start, limit, |byte| {
        !(matches!(byte, b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'`')
            || !to_blank && matches!(byte, b';' | b',' | b'}' | b'&' | b'<' | b'>' | b'|' | b')'))
    });
    // The escape of a quote or a line break ends the value as well.
    let value = text.get(start..stop)?;
    let mut length = value.len();
    for (place, pair) in value.windows(2).enumerate() {
        if matches!(pair, [b'\\', b'n' | b'r' | b't']) && (place + 2 == value.len() || length > 8) {
            length = place;
            break;
        }
    }
    while length > 0 && matches!(value.get(length - 1), Some(b'\\')) {
        length -= 1;
    }
    (length > 0).then_some(Literal {
        start,
        end: start + length,
        quoted: false,
    })
}
