//! A reader of JSON as models write it.
//!
//! It is wider than the standard where a model's slip has one possible meaning: raw line breaks and
//! tabs inside strings, a trailing comma, an escape such as `\d` that JSON does not have, Python's
//! `None`. It guesses nothing else. Unlike a strict reader it also says how a text failed, because
//! a cut answer, a broken one and a quoted template mean different things, and it keeps every field
//! of an object, so that a key that is written twice hides nothing.

use crate::limits;

/// The keys that only a review has: what holds one of them was meant as one.
const REVIEW_KEYS: [&str; 3] = ["issues", "line_comments", "rule_id"];

/// A value. Fields stand in the order of the text, each as often as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the field of this name, in any letter case; the last one, as in most readers.
    pub(super) fn field<'a>(fields: &'a [(String, Self)], name: &str) -> Option<&'a Self> {
        fields
            .iter()
            .rev()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// How a text fails to be JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ends before the value does.
    Cut,
    /// It stands for an answer and is none: `{"issues":[...]}`, `{"file","line"}`, `{"line":<n>}`.
    Template,
    /// It is no JSON.
    Broken,
    /// It is deeper or has more values than is read.
    Bound,
}

/// What was read at one place of a text.
#[derive(Debug)]
pub(super) struct Reading {
    /// The value, or why there is none.
    pub(super) value: Result<Json, Fault>,
    /// Where the value ends, or the place of the fault: always behind the start.
    pub(super) end: usize,
    /// Whether a key was read that only a review has.
    pub(super) claims_review: bool,
}

/// Reads the value that begins at `start`, taking what it holds from `budget`.
pub(super) fn read(text: &str, start: usize, budget: &mut usize) -> Reading {
    let mut reader = Reader {
        text,
        at: start,
        depth: 0,
        budget,
        claims_review: false,
    };
    let value = reader.value();
    let first = text.get(start..).and_then(|rest| rest.chars().next());
    Reading {
        value,
        end: reader
            .at
            .max(start.saturating_add(first.map_or(1, char::len_utf8))),
        claims_review: reader.claims_review,
    }
}

/// Returns whether a character separates values: any white space, and the byte order mark.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    budget: &'a mut usize,
    claims_review: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    /// Skips blanks and returns the character behind them.
    fn next(&mut self) -> Result<char, Fault> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
        self.peek().ok_or(Fault::Cut)
    }

    fn value(&mut self) -> Result<Json, Fault> {
        *self.budget = self.budget.checked_sub(1).ok_or(Fault::Bound)?;
        match self.next()? {
            '{' => self.nested(Self::object),
            '[' => self.nested(Self::list),
            '"' => Ok(Json::Text(self.string()?)),
            '.' | '…' | '<' => self.word().map_err(|fault| match fault {
                Fault::Broken => Fault::Template,
                other => other,
            }),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, Fault>) -> Result<Json, Fault> {
        if self.depth == limits::ANSWER_DEPTH {
            return Err(Fault::Bound);
        }
        self.depth += 1;
        self.bump();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn list(&mut self) -> Result<Json, Fault> {
        let mut values = Vec::new();
        while self.next()? != ']' {
            values.push(self.value()?);
            self.separator(']')?;
        }
        self.bump();
        Ok(Json::List(values))
    }

    fn object(&mut self) -> Result<Json, Fault> {
        let mut fields = Vec::new();
        loop {
            match self.next()? {
                '}' => break,
                '"' => {}
                '.' | '…' | '<' => return Err(Fault::Template),
                _ => return Err(Fault::Broken),
            }
            let key = self.string()?;
            self.claims_review |= REVIEW_KEYS
                .iter()
                .any(|known| key.eq_ignore_ascii_case(known));
            match self.next()? {
                ':' => self.bump(),
                ',' | '}' | '?' => return Err(Fault::Template),
                _ => return Err(Fault::Broken),
            };
            let value = self.value()?;
            fields.push((key, value));
            self.separator('}')?;
        }
        self.bump();
        Ok(Json::Object(fields))
    }

    /// Skips the comma behind a value; none is needed before the end.
    fn separator(&mut self, end: char) -> Result<(), Fault> {
        match self.next()? {
            ',' => {
                self.bump();
                Ok(())
            }
            other if other == end => Ok(()),
            _ => Err(Fault::Broken),
        }
    }

    /// Reads a number or a word such as `null`.
    fn word(&mut self) -> Result<Json, Fault> {
        let rest = self.rest();
        let behind = rest.trim_start_matches(|character: char| {
            character.is_ascii_alphanumeric() || "+-._".contains(character)
        });
        let word = rest
            .get(..rest.len() - behind.len())
            .filter(|word| !word.is_empty())
            .ok_or(Fault::Broken)?;
        let value = match word {
            "null" | "None" | "undefined" | "NaN" => Json::Null,
            "true" | "false" | "True" | "False" => Json::Bool,
            number => match number.parse() {
                Ok(number) => Json::Number(number),
                Err(_) if behind.is_empty() => return Err(Fault::Cut),
                Err(_) => return Err(Fault::Broken),
            },
        };
        self.at += word.len();
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.bump();
        let mut string = String::new();
        loop {
            let plain = self.rest().split(['"', '\\']).next().unwrap_or_default();
            string.push_str(plain);
            self.at += plain.len();
            match self.bump() {
                Some('\\') => self.escape(&mut string)?,
                Some(_) => return Ok(string),
                None => return Err(Fault::Cut),
            }
        }
    }

    fn escape(&mut self, string: &mut String) -> Result<(), Fault> {
        match self.bump().ok_or(Fault::Cut)? {
            'n' => string.push('\n'),
            't' => string.push('\t'),
            'r' => string.push('\r'),
            'b' => string.push('\u{8}'),
            'f' => string.push('\u{c}'),
            'u' => self.code_point(string),
            plain @ ('"' | '\\' | '/' | '\'' | '`') => string.push(plain),
            // A regular expression or a path whose backslash was not doubled.
            other => string.extend(['\\', other]),
        }
        Ok(())
    }

    /// Reads the digits behind `\u`; half a surrogate pair becomes U+FFFD.
    fn code_point(&mut self, string: &mut String) {
        let Some(first) = self.unit() else {
            string.push_str("\\u");
            return;
        };
        let behind_first = self.at;
        let second = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            self.unit().filter(|unit| (0xdc00..0xe000).contains(unit))
        } else {
            None
        };
        if second.is_none() {
            self.at = behind_first;
        }
        string.extend(
            char::decode_utf16(std::iter::once(first).chain(second))
                .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)),
        );
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u16::from_str_radix(digits, 16).ok()
    }
}
