//! Reading bytes without stepping outside of them.

use std::borrow::Cow;

/// Returns the bytes as text. Most lines are text, which is found out much faster by itself.
pub(super) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns the byte at `position`, or 0 outside of the text.
pub(super) fn at(text: &[u8], position: usize) -> u8 {
    text.get(position).copied().unwrap_or(0)
}

/// Returns whether a literal stands at `position`, whatever its case.
pub(super) fn stands_at(text: &[u8], position: usize, literal: &[u8]) -> bool {
    text.get(position..position.saturating_add(literal.len()))
        .is_some_and(|found| found.eq_ignore_ascii_case(literal))
}

/// Returns the first position from `position` on, below `end`, whose byte is not accepted.
pub(super) fn skip(text: &[u8], position: usize, end: usize, accept: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(position..end).unwrap_or_default();
    position + rest.iter().take_while(|byte| accept(**byte)).count()
}

/// Returns the first position from `position` on, below `end`, that holds no blank or tab.
pub(super) fn skip_blanks(text: &[u8], position: usize, end: usize) -> usize {
    skip(text, position, end, |byte| matches!(byte, b' ' | b'\t'))
}
