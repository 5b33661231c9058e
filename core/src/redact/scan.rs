//! One pass over a text that finds its secrets, line by line, where a word or a lead stands.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use super::assignment::{self, Bounds};
use super::bytes::skip;
use super::shapes::SHAPES;
use crate::change::Language;

/// A credential that stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Where its value stands, without quotes, in bytes.
    pub range: Range<usize>,
    /// What it is, in words that can stand in a message.
    pub kind: &'static str,
}

/// Returns the credentials on one line of code, from left to right, without overlap.
///
/// Only literals that look real count: no placeholders, look-ups, types or calls.
pub fn secrets_in_line(line: &str, language: Option<Language>) -> Vec<Secret> {
    let _ = language;
    let mut spans = Vec::new();
    find(line.as_bytes(), &mut spans);
    merge(spans)
        .into_iter()
        .map(|span| Secret {
            range: span.start..span.end,
            kind: span.kind,
        })
        .collect()
}

/// A piece of a text that must not be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: &'static str,
}

/// The parts of names that may name a secret, in small letters.
const NAME_PARTS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "senha",
    "segredo",
    "contrase",
    "motdepasse",
    "kennwort",
    "wachtwoord",
    "auth",
    "bearer",
    "jwt",
    "salt",
    "session",
    "signature",
    "sig=",
    "cred",
    "mnemonic",
    "hmac",
    "_pw",
];

struct Leads {
    automaton: Option<AhoCorasick>,
    shapes: Vec<usize>,
}

static LEADS: LazyLock<Leads> = LazyLock::new(|| {
    let pairs: Vec<(usize, &str)> = SHAPES
        .iter()
        .enumerate()
        .flat_map(|(index, shape)| shape.leads.iter().map(move |lead| (index, *lead)))
        .collect();
    Leads {
        automaton: automaton(
            pairs.iter().map(|(_, lead)| *lead),
            false,
            MatchKind::LeftmostLongest,
        ),
        shapes: pairs.iter().map(|(index, _)| *index).collect(),
    }
});

static NAMES: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| automaton(NAME_PARTS.iter().copied(), true, MatchKind::LeftmostFirst));

fn automaton<'a>(
    patterns: impl Iterator<Item = &'a str>,
    fold: bool,
    kind: MatchKind,
) -> Option<AhoCorasick> {
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(fold)
        .match_kind(kind)
        .kind(Some(AhoCorasickKind::DFA))
        .build(patterns)
        .ok()
}

/// Appends the secrets of `text`, in no order and possibly overlapping.
pub(super) fn find(text: &[u8], spans: &mut Vec<Span>) {
    tokens(text, spans);
    named(text, spans);
}

fn tokens(text: &[u8], spans: &mut Vec<Span>) {
    let Some(automaton) = &LEADS.automaton else {
        return;
    };
    let mut done = 0;
    for hit in automaton.find_iter(text) {
        if hit.start() < done {
            continue;
        }
        let Some(shape) = LEADS
            .shapes
            .get(hit.pattern().as_usize())
            .and_then(|index| SHAPES.get(*index))
        else {
            continue;
        };
        if let Some((start, end)) = shape.find(text, hit.start()) {
            spans.push(Span {
                start,
                end,
                kind: shape.kind,
            });
            done = end;
        }
    }
}

fn named(text: &[u8], spans: &mut Vec<Span>) {
    let Some(automaton) = &*NAMES else { return };
    let mut line = Bounds { start: 0, end: 0 };
    let mut done = 0;
    let mut found = Vec::new();
    for hit in automaton.find_iter(text) {
        if hit.start() < done {
            continue;
        }
        if hit.start() >= line.end {
            let between = text.get(line.end..hit.start()).unwrap_or_default();
            if let Some(newline) = between.iter().rposition(|byte| *byte == b'\n') {
                line.start = line.end + newline + 1;
            }
            line.end = skip(text, hit.start(), text.len(), |byte| byte != b'\n');
        }
        let Some(name) = assignment::name_around(text, hit.start(), hit.end(), line) else {
            continue;
        };
        done = name.end;
        assignment::secrets(text, &name, line, &mut found);
        for (start, end) in found.drain(..) {
            done = done.max(end);
            spans.push(Span {
                start,
                end,
                kind: "value of a secret name",
            });
        }
    }
}

/// Sorts spans and joins those that overlap.
pub(super) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}
