//! Putting the marker in place of what was found.

use super::MARKER;

/// Joins sorted spans that overlap.
pub(super) fn joined(spans: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::with_capacity(spans.len());
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if *start < last.1 => last.1 = last.1.max(*end),
            _ => joined.push((*start, *end)),
        }
    }
    joined
}

/// Drops the spans that hold nothing but markers, and moves the others to whole characters.
pub(super) fn without_markers(text: &str, spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    spans
        .into_iter()
        .map(|(start, end)| {
            (
                text.floor_char_boundary(start),
                text.ceil_char_boundary(end),
            )
        })
        .filter(|(start, end)| {
            let piece = text.get(*start..*end).unwrap_or_default();
            piece
                .split(['\n', '\r'])
                .any(|line| !line.replace(MARKER, "").is_empty())
        })
        .collect()
}

/// Returns the text with the marker in place of each span, once on each of its lines.
pub(super) fn masked(text: &str, spans: &[(usize, usize)]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in spans {
        let start = text.floor_char_boundary((*start).max(done));
        let end = text.ceil_char_boundary((*end).max(start));
        masked.push_str(text.get(done..start).unwrap_or_default());
        let mut open = false;
        for character in text.get(start..end).unwrap_or_default().chars() {
            if matches!(character, '\n' | '\r') {
                masked.push(character);
                open = false;
            } else if !open {
                masked.push_str(MARKER);
                open = true;
            }
        }
        done = end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    masked
}
