//! One pass over a text that finds its secrets, line by line, where a word or a lead stands.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memrchr};

use super::assignment::{self, Bounds};
use super::bytes::skip;
use super::shapes::SHAPES;
use super::{block, evidence, web};
use crate::change::Language;
use crate::literals::{Finder, Literal};

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
    let mut spans = Vec::new();
    find(line.as_bytes(), &mut spans);
    spans.retain(|span| evidence::is_evidence(line, span, language));
    merge(spans)
        .into_iter()
        .map(|span| Secret {
            range: span.start..span.end,
            kind: span.kind.words(),
        })
        .collect()
}

/// A piece of a text that must not be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// What must not be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A token of a known shape.
    Token(&'static str),
    Url,
    Command,
    PrivateKey,
    /// What an authentication header or a cookie says.
    Header,
    /// The value of the secret name that stands here.
    Named {
        start: usize,
        end: usize,
    },
    /// What follows words that only a secret follows.
    Phrase,
}

impl Kind {
    /// Returns words that can stand in a message.
    fn words(self) -> &'static str {
        match self {
            Self::Token(service) => service,
            Self::Url => "credentials in a URL",
            Self::Command => "credentials of a command",
            Self::PrivateKey => "private key",
            Self::Header => "authentication header or cookie",
            Self::Named { .. } | Self::Phrase => "value of a secret name",
        }
    }
}

/// What a literal that was found calls for.
#[derive(Debug, Clone, Copy)]
enum Trigger {
    /// A part of a name that may name a secret.
    Name,
    /// Words that a secret follows without a name.
    Value,
    Url,
    EncodedUrl,
    Authorization,
    Cookie,
    Scheme,
    Option,
    Dashes,
    PrivateLines,
    KeyNumbers,
}

/// The literals that are looked for, in small letters; the first that fits wins.
const TRIGGERS: &[(&str, Trigger)] = &[
    ("://", Trigger::Url),
    (":\\/\\/", Trigger::Url),
    ("%3a%2f%2f", Trigger::EncodedUrl),
    ("authorization", Trigger::Authorization),
    ("cookie", Trigger::Cookie),
    ("bearer", Trigger::Scheme),
    ("basic ", Trigger::Scheme),
    (" -u ", Trigger::Option),
    (" -u'", Trigger::Option),
    (" -u\"", Trigger::Option),
    ("\"-u\"", Trigger::Option),
    ("--user ", Trigger::Option),
    ("--user=", Trigger::Option),
    ("-user ", Trigger::Option),
    (" -b ", Trigger::Option),
    ("---- begin ", Trigger::Dashes),
    ("-----begin ", Trigger::Dashes),
    ("---- end ", Trigger::Dashes),
    ("-----end ", Trigger::Dashes),
    ("private-lines:", Trigger::PrivateLines),
    ("\"kty\"", Trigger::KeyNumbers),
    ("\\\"kty\\\"", Trigger::KeyNumbers),
    ("<rsakeyvalue>", Trigger::KeyNumbers),
    ("identified by ", Trigger::Value),
    ("private-mac: ", Trigger::Value),
    ("convertto-securestring ", Trigger::Value),
    ("pass", Trigger::Name),
    ("pwd", Trigger::Name),
    ("secret", Trigger::Name),
    ("token", Trigger::Name),
    ("key", Trigger::Name),
    ("cred", Trigger::Name),
    ("senha", Trigger::Name),
    ("segredo", Trigger::Name),
    ("contrase", Trigger::Name),
    ("motdepasse", Trigger::Name),
    ("kennwort", Trigger::Name),
    ("wachtwoord", Trigger::Name),
    ("auth", Trigger::Name),
    ("jwt", Trigger::Name),
    ("salt", Trigger::Name),
    ("session", Trigger::Name),
    ("sig", Trigger::Name),
    ("mnemonic", Trigger::Name),
    ("hmac", Trigger::Name),
    ("_pw", Trigger::Name),
];

/// What a literal that is looked for stands for.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// The lead of the token shape at this position.
    Lead(usize),
    Trigger(Trigger),
}

/// The leads of the token shapes, longer ones first, and the literals of [`TRIGGERS`].
struct Literals {
    finder: Finder,
    /// What each literal is, and its length.
    known: Vec<(Known, usize)>,
}

static LITERALS: LazyLock<Literals> = LazyLock::new(|| {
    let known = known();
    Literals {
        finder: Finder::new(known.iter().map(|(_, literal)| *literal)),
        known: known
            .iter()
            .map(|(known, literal)| (*known, literal.text.len()))
            .collect(),
    }
});

fn known() -> Vec<(Known, Literal<'static>)> {
    let leads = SHAPES.iter().enumerate().flat_map(|(index, shape)| {
        shape.leads.iter().map(move |lead| {
            let (text, any_case) = (lead.as_bytes(), false);
            (Known::Lead(index), Literal { text, any_case })
        })
    });
    let mut known: Vec<_> = leads.collect();
    known.sort_by_key(|(_, lead)| Reverse(lead.text.len()));
    known.extend(TRIGGERS.iter().map(|(trigger, known)| {
        let (text, any_case) = (trigger.as_bytes(), true);
        (Known::Trigger(*known), Literal { text, any_case })
    }));
    known
}

/// Returns the literals of which one stands in every line that holds a secret.
pub(crate) fn literals() -> impl Iterator<Item = Literal<'static>> {
    known().into_iter().map(|(_, literal)| literal)
}

/// Appends the secrets of `text`, in no order and possibly overlapping. Returns whether one of them
/// may reach over lines, so that it matters which lines follow each other.
pub(super) fn find(text: &[u8], spans: &mut Vec<Span>) -> bool {
    let mut scan = Scan {
        text,
        line: Bounds { start: 0, end: 0 },
        after_lead: 0,
        after_token: 0,
        after_trigger: 0,
        done: 0,
        blocks: 0,
        looked: 0,
        found: Vec::new(),
        named: Vec::new(),
        across: false,
    };
    LITERALS
        .finder
        .each_place(text, |place| scan.place(place, spans));
    spans.append(&mut scan.named);
    scan.across
}

/// The walk over the places where a literal may stand. Leads and triggers are two walks in one:
/// neither skips what the other has found.
struct Scan<'t> {
    text: &'t [u8],
    line: Bounds,
    /// Where the last lead, the last token and the last trigger end. A literal that begins before
    /// the end of another of its kind is none.
    after_lead: usize,
    after_token: usize,
    after_trigger: usize,
    /// What lies before was judged as a name or a value.
    done: usize,
    /// Where the last key block ended; a block that is cut at its top begins below.
    blocks: usize,
    /// How far key numbers were looked for.
    looked: usize,
    /// What the judgement of one place has found.
    found: Vec<(usize, usize)>,
    /// What the triggers have found.
    named: Vec<Span>,
    /// Whether something was met that may reach over lines.
    across: bool,
}

impl Scan<'_> {
    fn place(&mut self, place: usize, tokens: &mut Vec<Span>) {
        for index in LITERALS.finder.literals_at(self.text, place) {
            match LITERALS.known.get(index) {
                Some((Known::Lead(shape), length)) if place >= self.after_lead => {
                    self.after_lead = place + length;
                    self.token(*shape, place, tokens);
                }
                Some((Known::Trigger(trigger), length)) if place >= self.after_trigger => {
                    self.after_trigger = place + length;
                    self.trigger(*trigger, place);
                }
                _ => {}
            }
        }
    }

    fn token(&mut self, shape: usize, lead: usize, tokens: &mut Vec<Span>) {
        let Some(shape) = SHAPES.get(shape).filter(|_| lead >= self.after_token) else {
            return;
        };
        if let Some((start, end)) = shape.find(self.text, lead) {
            tokens.push(Span {
                start,
                end,
                kind: Kind::Token(shape.kind),
            });
            self.after_token = end;
        }
    }

    fn trigger(&mut self, trigger: Trigger, start: usize) {
        if start < self.done {
            return;
        }
        self.enter_line(start);
        let kind = self.judge(trigger, start, self.after_trigger);
        for (start, end) in self.found.drain(..) {
            self.done = self.done.max(end);
            if start < end {
                self.named.push(Span { start, end, kind });
            }
        }
    }

    fn enter_line(&mut self, place: usize) {
        if place < self.line.end {
            return;
        }
        let between = self.text.get(self.line.end..place).unwrap_or_default();
        if let Some(newline) = memrchr(b'\n', between) {
            self.line.start = self.line.end + newline + 1;
        }
        let rest = self.text.get(place..).unwrap_or_default();
        self.line.end = memchr(b'\n', rest).map_or(self.text.len(), |newline| place + newline);
    }

    fn judge(&mut self, trigger: Trigger, start: usize, end: usize) -> Kind {
        let (text, line) = (self.text, self.line);
        match trigger {
            Trigger::Url | Trigger::EncodedUrl => {
                if matches!(trigger, Trigger::Url) {
                    web::url(text, start, end, line, &mut self.found);
                } else {
                    web::encoded_url(text, end, line, &mut self.found);
                }
                Kind::Url
            }
            Trigger::Value => {
                // In small letters, the words stand in many a sentence as well.
                let hit = text.get(start..end).unwrap_or_default();
                let before = text
                    .get(line.start.max(start.saturating_sub(64))..start)
                    .unwrap_or_default();
                let user = before
                    .to_ascii_lowercase()
                    .windows(5)
                    .any(|window| window == b"user ");
                if hit.first().is_some_and(u8::is_ascii_uppercase) || user {
                    assignment::value_after(text, end, line, &mut self.found);
                }
                Kind::Phrase
            }
            Trigger::Option => {
                web::option(text, start, end, line, &mut self.found);
                Kind::Command
            }
            Trigger::Dashes | Trigger::PrivateLines | Trigger::KeyNumbers => {
                self.private_key(trigger, start, end);
                Kind::PrivateKey
            }
            Trigger::Name | Trigger::Authorization | Trigger::Cookie | Trigger::Scheme => {
                self.name(trigger, start, end)
            }
        }
    }

    fn private_key(&mut self, trigger: Trigger, start: usize, end: usize) {
        self.across = true;
        let text = self.text;
        let close = match trigger {
            Trigger::PrivateLines => {
                block::private_lines(text, end, &mut self.found);
                None
            }
            Trigger::KeyNumbers => {
                if start >= self.looked {
                    self.looked = block::numbers(text, start, self.looked, &mut self.found);
                }
                // The numbers lie around the word, so what follows it is still to be judged.
                None
            }
            _ => {
                if let Some(label) = block::framed(text, start, b"begin ") {
                    block::begin(text, start, label, &mut self.found)
                } else if let Some(label) = block::framed(text, start, b"end ") {
                    block::end(text, start, label, self.blocks, &mut self.found)
                } else {
                    None
                }
            }
        };
        self.blocks = close.unwrap_or(self.blocks).max(self.blocks);
    }

    fn name(&mut self, trigger: Trigger, start: usize, end: usize) -> Kind {
        let (text, line) = (self.text, self.line);
        let Some(name) = assignment::name_around(text, start, end, line) else {
            return Kind::Phrase;
        };
        self.done = self.done.max(name.end);
        match trigger {
            Trigger::Authorization => web::authorization(text, &name, line, &mut self.found),
            Trigger::Cookie => web::cookie(text, &name, line, &mut self.found),
            Trigger::Scheme => {
                let word = skip(text, start, end, |byte| byte != b' ');
                web::scheme(text, start, word, line, &mut self.found);
            }
            _ => {}
        }
        if !self.found.is_empty() {
            return Kind::Header;
        }
        self.across |= assignment::secrets(text, &name, line, &mut self.found);
        Kind::Named {
            start: name.start,
            end: name.end,
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
