//! Private-key blocks: whole, on one line, between quotes, and cut by the edge of a hunk.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::bytes::{at, skip, stands_at};

type Spans = Vec<(usize, usize)>;

/// The most lines of a key block.
const BLOCK_LINES: usize = 2000;

/// The most bytes of one line of a key block; a block on one line is one such line.
const LINE_BYTES: usize = 64 * 1024;

/// The fewest characters of a full line of a key's body.
const FULL_LINE: usize = 16;

/// Returns where the line with a key's `BEGIN` or `END` ends its dashes, if it names a private key.
fn dashes_end(text: &[u8], label: usize) -> Option<usize> {
    let limit = text.len().min(label.saturating_add(80));
    let end = skip(text, label, limit, |byte| {
        byte.is_ascii_alphanumeric() || byte == b' '
    });
    let name = text.get(label..end)?;
    let private = name
        .windows(11)
        .any(|window| window.eq_ignore_ascii_case(b"PRIVATE KEY"));
    let close = skip(text, end, text.len().min(end + 8), |byte| byte == b'-');
    (private && close >= end + 4).then_some(close)
}

/// What a line of a key block holds.
enum Body {
    /// Nothing but decoration.
    Empty,
    /// Characters of a key, or a header, at these positions.
    Full {
        start: usize,
        end: usize,
        longest: usize,
    },
    /// Something that stands in no key.
    Other,
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=._-".contains(&byte)
}

/// Reads the part `from..to` of one line.
fn body(text: &[u8], from: usize, to: usize) -> Body {
    if to.saturating_sub(from) > LINE_BYTES {
        return Body::Other;
    }
    let first = skip(text, from, to, |byte| {
        b" \t\r+-|>#*/\"'`.,;()&".contains(&byte)
    });
    let line = text.get(first..to).unwrap_or_default();
    let header = line
        .iter()
        .position(|byte| *byte == b':')
        .is_some_and(|colon| {
            colon < 24
                && line
                    .iter()
                    .take(colon)
                    .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                && line.first().is_some_and(u8::is_ascii_uppercase)
        });
    let mut end = first;
    let mut longest = 0;
    let mut place = first;
    while place < to {
        let stop = skip(text, place, to, is_key_byte);
        let joins = text
            .get(place..stop)
            .unwrap_or_default()
            .iter()
            .all(|byte| !byte.is_ascii_alphanumeric());
        if stop > place && joins {
            place = stop;
            continue;
        }
        if stop > place {
            longest = longest.max(stop - place);
            end = stop;
            place = stop;
            continue;
        }
        let escape = at(text, place) == b'\\'
            && matches!(at(text, place + 1), b'n' | b'r' | b't' | b'\\' | b'"');
        if escape {
            place += 2;
        } else if header || b" \t\r\"'`,;\\|()".contains(&at(text, place)) {
            place += 1;
        } else {
            return Body::Other;
        }
    }
    if longest == 0 {
        return Body::Empty;
    }
    Body::Full {
        start: first,
        end,
        longest: if header { FULL_LINE } else { longest },
    }
}

/// Returns whether words with blanks between them stand on the line, as in a program.
fn is_words(text: &[u8], start: usize, end: usize) -> bool {
    let line = text.get(start..end).unwrap_or_default();
    let header = line.windows(2).any(|pair| pair == b": ");
    !header
        && line
            .windows(2)
            .any(|pair| matches!(pair, [left, b' '] if is_key_byte(*left)))
}

/// Masks the block whose `BEGIN` stands at `begin` with its label at `label`, and returns where it
/// ends. A block without an `END` ends with its last full line.
pub(super) fn begin(text: &[u8], begin: usize, label: usize, found: &mut Spans) -> Option<usize> {
    let mut place = dashes_end(text, label)?;
    let mut spans = vec![(begin, place)];
    let mut characters = 0;
    let mut cut = None;
    for number in 0..BLOCK_LINES {
        let end = line_end(text, place);
        let line = text.get(place..end).unwrap_or_default();
        let closing = line
            .windows(8)
            .position(|window| window == b"----END " || window == b"--- END ");
        let to = closing.map_or(end, |offset| {
            let mut close = place + offset;
            while close > place && at(text, close - 1) == b'-' {
                close -= 1;
            }
            close
        });
        match body(text, place, to) {
            Body::Other => break,
            Body::Empty => {}
            Body::Full {
                start,
                end: stop,
                longest,
            } => {
                if number > 0 && closing.is_none() && is_words(text, start, stop) {
                    break;
                }
                characters += stop - start;
                if longest >= FULL_LINE || cut.is_some() && end == text.len() {
                    cut = Some(spans.len() + 1);
                }
                spans.push((start, stop));
            }
        }
        if closing.is_some() {
            let label = skip(text, to, end, |byte| byte == b'-' || byte == b' ') + 4;
            let close = dashes_end(text, label).unwrap_or(end);
            let joined = number == 0 && is_program(text.get(place..to).unwrap_or_default());
            if characters == 0 || joined && characters < FULL_LINE || only_dots(text, &spans) {
                return None;
            }
            spans.push((to, close));
            found.extend(same_line_joined(text, &spans));
            return Some(close);
        }
        if end >= text.len() {
            break;
        }
        place = end + 1;
    }
    let kept = cut?;
    spans.truncate(kept);
    let last = spans.last()?.1;
    found.extend(same_line_joined(text, &spans));
    Some(last)
}

fn only_dots(text: &[u8], spans: &[(usize, usize)]) -> bool {
    spans.iter().skip(1).all(|(start, end)| {
        text.get(*start..*end)
            .unwrap_or_default()
            .iter()
            .all(|byte| !byte.is_ascii_alphanumeric())
    })
}

/// Returns whether a closing quote and an operator stand in the piece, as between two texts.
fn is_program(piece: &[u8]) -> bool {
    piece.contains(&b'"') || piece.contains(&b'\'')
}

/// Joins neighbours that stand on one line, so that a block on one line is masked once.
fn same_line_joined(text: &[u8], spans: &[(usize, usize)]) -> Spans {
    let mut joined: Spans = Vec::new();
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last)
                if !text
                    .get(last.1..*start)
                    .unwrap_or_default()
                    .contains(&b'\n') =>
            {
                last.1 = *end;
            }
            _ => joined.push((*start, *end)),
        }
    }
    joined
}

fn line_end(text: &[u8], from: usize) -> usize {
    skip(text, from, text.len(), |byte| byte != b'\n')
}

/// Masks the lines of a key above an `END` that stands at `end`, whose `BEGIN` is cut off. Nothing
/// before `floor` is looked at.
pub(super) fn end(
    text: &[u8],
    end: usize,
    label: usize,
    floor: usize,
    found: &mut Spans,
) -> Option<usize> {
    let close = dashes_end(text, label)?;
    let mut spans = vec![(end, close)];
    let mut longest_seen = 0;
    let mut to = end;
    for number in 0..BLOCK_LINES {
        let low = floor.max(to.saturating_sub(LINE_BYTES));
        let before = text.get(low..to).unwrap_or_default();
        let from = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(low, |newline| low + newline + 1);
        match body(text, from, to) {
            Body::Other => break,
            Body::Empty => {
                if number > 1 {
                    break;
                }
            }
            Body::Full {
                start,
                end: stop,
                longest,
            } => {
                let short = longest < FULL_LINE && longest_seen > 0;
                if short || number > 0 && is_words(text, start, stop) {
                    break;
                }
                longest_seen = longest_seen.max(longest);
                spans.push((start, stop));
            }
        }
        if from <= floor {
            break;
        }
        to = from - 1;
    }
    if longest_seen < FULL_LINE {
        return None;
    }
    spans.reverse();
    found.extend(same_line_joined(text, &spans));
    Some(close)
}

/// Masks the lines that follow the `Private-Lines: n` of a key in `PuTTY`'s own format.
pub(super) fn private_lines(text: &[u8], after: usize, found: &mut Spans) {
    let mut place = line_end(text, after) + 1;
    for _ in 0..64 {
        let end = line_end(text, place).min(place.saturating_add(256));
        match body(text, place, end) {
            Body::Full {
                start,
                end: stop,
                longest,
            } if longest >= 8 && !is_words(text, start, stop) => {
                found.push((start, stop));
            }
            _ => return,
        }
        if end >= text.len() {
            return;
        }
        place = end + 1;
    }
}

/// The private numbers of a key that is written as JSON or XML.
static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?-u)\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s{0,8}:\s{0,8}\\?"([A-Za-z0-9_-]{16,8192})"#,
        "|<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{16,8192})</",
    ))
    .ok()
});

/// How far around the word that tells a key its numbers are looked for.
const AROUND_BYTES: usize = 4096;

/// Masks the private numbers around the word at `place` that tells a key in JSON or XML, and
/// returns how far was looked.
pub(super) fn numbers(text: &[u8], place: usize, floor: usize, found: &mut Spans) -> usize {
    let from = floor.max(place.saturating_sub(AROUND_BYTES));
    let to = text.len().min(place.saturating_add(AROUND_BYTES));
    if let (Some(regex), Some(window)) = (NUMBERS.as_ref(), text.get(from..to)) {
        for captures in regex.captures_iter(window) {
            if let Some(number) = captures.get(1).or_else(|| captures.get(2)) {
                found.push((from + number.start(), from + number.end()));
            }
        }
    }
    to
}

/// Returns whether a dash-framed word stands at `place`, and where its label begins.
pub(super) fn framed(text: &[u8], place: usize, word: &[u8]) -> Option<usize> {
    let dashes = skip(text, place, text.len().min(place + 8), |byte| byte == b'-');
    let label = skip(text, dashes, text.len().min(dashes + 1), |byte| {
        byte == b' '
    });
    (dashes >= place + 4 && stands_at(text, label, word)).then_some(label + word.len())
}
