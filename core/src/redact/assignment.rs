//! Values of names that say that they are secrets: assignments, fields, headers, flags, elements.

use super::bytes::{at, skip, skip_blanks, stands_at};
use super::literal::{self, Literal};
use super::names::{self, NAME_BYTES, Strength};
use super::value;

/// The most bytes in which a look-up is told from a bare value.
const LOOK_UP_BYTES: usize = 96;

/// How a name is joined to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `=`, with blanks or without.
    Assign,
    /// `:`, `:=`, `=>` and the like.
    Colon,
    /// `==`, `!=`.
    Compare,
    /// The next argument of a call, or the argument of a call of that name.
    Argument,
    /// `--name value`.
    Flag,
    /// `?name=value`.
    Query,
    /// `<name>value</name>`.
    Element,
    /// `name "value"`.
    Beside,
}

/// The line that is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The name around a word that was found.
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80
}

/// Returns the whole name in which the word at `start..end` stands.
pub(super) fn name_around(text: &[u8], start: usize, end: usize, line: Bounds) -> Option<Name<'_>> {
    let low = line.start.max(start.saturating_sub(NAME_BYTES));
    let before = text.get(low..start)?;
    let mut start = start
        - before
            .iter()
            .rev()
            .take_while(|byte| is_name_byte(**byte))
            .count();
    let mut end = skip(text, end, line.end.min(end + NAME_BYTES), is_name_byte);
    while start < end && matches!(at(text, start), b'-' | b'.') {
        start += 1;
    }
    while end > start && matches!(at(text, end - 1), b'-' | b'.') {
        end -= 1;
    }
    // An escape before the name, `\n` or `%26`, is no part of it.
    if start > line.start
        && at(text, start - 1) == b'\\'
        && matches!(at(text, start), b'n' | b't' | b'r')
    {
        start += 1;
    }
    let name = std::str::from_utf8(text.get(start..end)?).ok()?;
    Some(Name {
        text: name,
        start,
        end,
    })
}

/// Appends the values of the name that are secrets. Returns whether the lines below decide it.
pub(super) fn secrets(
    text: &[u8],
    name: &Name<'_>,
    line: Bounds,
    found: &mut Vec<(usize, usize)>,
) -> bool {
    let Some((form, place)) = join(text, name, line) else {
        return named_value(text, name, found) == Named::Below;
    };
    if form == Form::Argument {
        match named_value(text, name, found) {
            Named::No => {}
            Named::Here => return false,
            Named::Below => return true,
        }
    }
    let query = form == Form::Query
        && matches!(
            name.text.to_ascii_lowercase().as_str(),
            "key" | "code" | "sid"
        );
    let strength = match names::strength(name.text) {
        Some(strength) => strength,
        None if query => Strength::Weak,
        None => return false,
    };
    let judge = Judge {
        text,
        name,
        strength,
        line,
        form,
    };
    let value = skip_blanks(text, place, line.end);
    let below = matches!(form, Form::Assign | Form::Colon)
        && (matches!(at(text, value), b'|' | b'>' | b'(' | b'\r') || value == line.end);
    if let Some(literal) = judge.value(place) {
        found.push((literal.start, literal.end));
    } else if matches!(form, Form::Assign | Form::Colon) {
        if matches!(at(text, value), b'|' | b'>') {
            judge.block(place, found);
        } else if let Some(literal) = judge.fallback(place) {
            found.push((literal.start, literal.end));
        }
    }
    below
}

/// Masks the value that stands at `place`, in quotes or bare, as one of a secret name.
pub(super) fn value_after(
    text: &[u8],
    place: usize,
    line: Bounds,
    found: &mut Vec<(usize, usize)>,
) {
    let literal = literal::quoted(text, place, line.end)
        .or_else(|| literal::bare(text, place, line.end, false));
    let Some(literal) = literal.filter(|literal| at(text, literal.start.saturating_sub(1)) != b'`')
    else {
        return;
    };
    let value = std::str::from_utf8(text.get(literal.start..literal.end).unwrap_or_default())
        .unwrap_or_default();
    let secret = literal.quoted || value.len() >= 8 && value::looks_random(value);
    if secret && value::quoted_is_secret("password", Strength::Strong, value) {
        found.push((literal.start, literal.end));
    }
}

/// Finds how the name is joined to what follows, and where that begins.
pub(super) fn join(text: &[u8], name: &Name<'_>, line: Bounds) -> Option<(Form, usize)> {
    let end = line.end;
    let before = name
        .start
        .checked_sub(1)
        .filter(|place| *place >= line.start);
    let before = before.map_or(0, |place| at(text, place));
    let mut place = name.end;
    // Query parameters and elements are told by what stands before the name.
    if matches!(before, b'?' | b'&' | b'#')
        || before == b';' && stands_at(text, name.start.saturating_sub(5), b"&amp;")
    {
        if at(text, place) == b'=' && at(text, place + 1) != b'=' {
            return Some((Form::Query, place + 1));
        }
        if stands_at(text, place, b"%3D") {
            return Some((Form::Query, place + 3));
        }
    }
    let tagged = matches!(before, b'<') || before == b':' && at(text, place) == b'>';
    if tagged {
        let close = skip(text, place, end.min(place + 128), |byte| {
            byte != b'>' && byte != b'='
        });
        if at(text, close) == b'>' && at(text, close - 1) != b'/' {
            return Some((Form::Element, close + 1));
        }
    }
    // `name[]` and `name[32]`.
    if at(text, place) == b'[' {
        let close = skip(text, place + 1, end.min(place + 24), |byte| {
            byte.is_ascii_alphanumeric() || byte == b'_'
        });
        if at(text, close) == b']' {
            place = close + 1;
        }
    }
    let escapes = skip(text, place, end.min(place + 4), |byte| byte == b'\\') - place;
    let mut in_quotes = false;
    if matches!(at(text, place + escapes), b'"' | b'\'' | b'`') {
        place += escapes + 1;
        in_quotes = true;
    } else if stands_at(text, place, b"&quot;") {
        place += 6;
        in_quotes = true;
    } else if escapes > 0 {
        return None;
    }
    if at(text, place) == b']' {
        place += 1;
    }
    let tight = place;
    place = skip_blanks(text, place, end);
    let here = at(text, place);
    let next = at(text, place + 1);
    match here {
        b'=' if next == b'=' => {
            let after = skip(text, place, end.min(place + 3), |byte| byte == b'=');
            Some((Form::Compare, after))
        }
        b'=' if next == b'>' => Some((Form::Colon, place + 2)),
        b'=' if next == b'~' => None,
        b'=' if before == b'-' && place == name.end => Some((Form::Flag, place + 1)),
        b'=' => Some((Form::Assign, place + 1)),
        b'!' if next == b'=' => {
            let after = skip(text, place + 1, end.min(place + 3), |byte| byte == b'=');
            Some((Form::Compare, after))
        }
        b'!' | b'?' if next == b':' => Some((Form::Colon, after_type(text, place + 2, end))),
        b'?' | b'+' | b'|' | b':' if next == b'=' => Some((Form::Assign, place + 2)),
        b'|' | b'?' if next == here && at(text, place + 2) == b'=' => {
            Some((Form::Assign, place + 3))
        }
        b'|' | b'?' if next == here => Some((Form::Compare, place + 2)),
        b':' if next == b':' => None,
        b':' => Some((Form::Colon, after_type(text, place + 1, end))),
        b',' if in_quotes => Some((Form::Argument, place + 1)),
        b'(' | b'{' if !in_quotes && place == tight => Some((Form::Argument, place + 1)),
        b'"' | b'\'' | b'\\' if place > tight => Some((Form::Beside, place)),
        _ if before == b'-' && place > tight => Some((Form::Flag, place)),
        _ if place > tight && stands_beside(text, name, line) => Some((Form::Flag, place)),
        _ if place > tight => after_type_word(text, place, end),
        _ => None,
    }
}

/// Returns whether the name stands where a bare value follows after a blank: in the `ENV` of a
/// container file, `setenv` of a shell, or a `.netrc` line.
fn stands_beside(text: &[u8], name: &Name<'_>, line: Bounds) -> bool {
    let low = line.start.max(name.start.saturating_sub(256));
    let before = text.get(low..name.start).unwrap_or_default();
    let credentials = ["machine ", "login ", "default login "];
    let first = before.trim_ascii_start();
    before.ends_with(b"ENV ")
        || before.ends_with(b"setenv ")
        || name.text == "password"
            && credentials
                .iter()
                .any(|start| first.starts_with(start.as_bytes()))
}

/// Steps over a type that stands between the colon and the value: `: &str = "…"`.
fn after_type(text: &[u8], position: usize, end: usize) -> usize {
    let limit = end.min(position + 64);
    let mut depth = 0_i32;
    let mut place = position;
    while place < limit {
        match at(text, place) {
            b'<' | b'[' => depth += 1,
            b'>' | b']' => depth -= 1,
            b',' if depth <= 0 => return position,
            b'=' if place > position + 1 && !matches!(at(text, place + 1), b'=' | b'>') => {
                let value = skip_blanks(text, place + 1, end);
                return if literal::quoted(text, value, end).is_some() {
                    value
                } else {
                    position
                };
            }
            byte if byte.is_ascii_alphanumeric() || b"_&'?|:., *".contains(&byte) => {}
            _ => return position,
        }
        place += 1;
    }
    position
}

/// Steps over a type that stands between the name and its value: `password string = "…"`.
fn after_type_word(text: &[u8], position: usize, end: usize) -> Option<(Form, usize)> {
    let word = skip(text, position, end.min(position + 32), |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'*' | b'[' | b']' | b'.')
    });
    let place = skip_blanks(text, word, end);
    if word == position || at(text, place) != b'=' || at(text, place + 1) == b'=' {
        return None;
    }
    let value = skip_blanks(text, place + 1, end);
    matches!(at(text, value), b'"' | b'\'' | b'`').then_some((Form::Assign, value))
}

/// Whether a name is itself a value, and where its own value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    No,
    Here,
    Below,
}

/// Finds the value of a name that is itself a value: `name: DB_PASSWORD` and then `value: …`.
fn named_value(text: &[u8], name: &Name<'_>, found: &mut Vec<(usize, usize)>) -> Named {
    let end = text.len().min(name.end.saturating_add(2048));
    let mut place = skip(text, name.end, end.min(name.end + 3), |byte| {
        matches!(byte, b'"' | b'\'' | b'\\')
    });
    place = skip(text, place, end.min(place + 96), |byte| {
        matches!(byte, b' ' | b'\t' | b',' | b'\r')
    });
    if stands_at(text, place, b"</") {
        place = skip(text, place, end.min(place + 48), |byte| byte != b'>') + 1;
    }
    let below = at(text, place) == b'\n' || place >= text.len();
    if below {
        if names::strength(name.text).is_none() {
            return Named::No;
        }
        place += 1;
    }
    let otherwise = if below { Named::Below } else { Named::No };
    place = skip(text, place, end.min(place + 96), |byte| {
        matches!(
            byte,
            b' ' | b'\t' | b'"' | b'\'' | b'<' | b'+' | b'\\' | b':'
        )
    });
    if !stands_at(text, place, b"value") && !stands_at(text, place, b"content") {
        return otherwise;
    }
    place = skip(text, place, end, |byte| byte.is_ascii_alphabetic());
    place = skip(text, place, end.min(place + 3), |byte| {
        matches!(byte, b'"' | b'\'' | b'\\')
    });
    place = skip_blanks(text, place, end);
    let form = match at(text, place) {
        b'=' => Form::Assign,
        b':' => Form::Colon,
        b'>' => Form::Element,
        _ => return otherwise,
    };
    place += if at(text, place + 1) == b'>' { 2 } else { 1 };
    let Some(strength) = names::strength(name.text) else {
        return Named::Here;
    };
    let line = Bounds {
        start: place,
        end: skip(text, place, end, |byte| byte != b'\n'),
    };
    let judge = Judge {
        text,
        name,
        strength,
        line,
        form,
    };
    if let Some(literal) = judge.value(place) {
        found.push((literal.start, literal.end));
    }
    if below { Named::Below } else { Named::Here }
}

/// What is known when a value is judged.
struct Judge<'t, 'n> {
    text: &'t [u8],
    name: &'n Name<'t>,
    strength: Strength,
    line: Bounds,
    form: Form,
}

impl<'t> Judge<'t, '_> {
    fn read(&self, literal: Literal) -> Option<&'t str> {
        std::str::from_utf8(self.text.get(literal.start..literal.end)?).ok()
    }

    /// Returns the beginning of the rest of the line, as far as it is text.
    fn rest(&self, start: usize) -> &'t str {
        let end = self.line.end.min(start.saturating_add(LOOK_UP_BYTES));
        let rest = self.text.get(start..end).unwrap_or_default();
        rest.utf8_chunks().next().map_or("", |chunk| chunk.valid())
    }

    fn value(&self, place: usize) -> Option<Literal> {
        let (text, end) = (self.text, self.line.end);
        match self.form {
            Form::Query => return self.query(place),
            Form::Element => return self.element(place),
            Form::Assign
            | Form::Colon
            | Form::Argument
            | Form::Compare
            | Form::Flag
            | Form::Beside => {}
        }
        if let Some(literal) = literal::quoted(text, place, end) {
            return self.quoted(literal);
        }
        match self.form {
            Form::Assign | Form::Colon => {
                if skip(text, place, end, |byte| {
                    matches!(byte, b' ' | b'\t' | b'\r' | b'(')
                }) == end
                {
                    return self.on_next_line();
                }
                self.bare(place)
            }
            Form::Flag => self.bare(place),
            Form::Argument | Form::Compare | Form::Beside | Form::Query | Form::Element => None,
        }
    }

    fn quoted(&self, literal: Literal) -> Option<Literal> {
        let value = self.read(literal)?;
        if self.closes_before(literal, value) {
            return None;
        }
        let name = self.name.text;
        let random = value::looks_random(value);
        let secret = value::quoted_is_secret(name, self.strength, value);
        let accepted = match self.form {
            Form::Compare => {
                let symbol = value.bytes().any(|byte| !byte.is_ascii_alphabetic());
                secret && (random || symbol && value.len() >= 6 || value.len() >= 8)
            }
            Form::Argument if self.sets() => secret,
            Form::Argument | Form::Beside => secret && (random || self.declares()),
            _ => secret,
        };
        accepted.then_some(literal)
    }

    /// Returns whether the quote before the value closes a text in which the name stands, so that
    /// the value is a piece of program between two texts.
    fn closes_before(&self, literal: Literal, value: &str) -> bool {
        let first = value.bytes().next().unwrap_or(0);
        if !(first.is_ascii_whitespace() || b"+,);.&|%}]<:".contains(&first)) {
            return false;
        }
        let quote = at(self.text, literal.start.saturating_sub(1));
        let low = self.line.start.max(literal.start.saturating_sub(1024));
        let before = self.text.get(low..literal.start).unwrap_or_default();
        before.split(|byte| *byte == quote).count() % 2 == 1
    }

    /// Returns whether a call of the name hands the secret over: `setPassword(`, `("password", `.
    fn sets(&self) -> bool {
        if at(self.text, self.name.end) == b'"'
            || at(self.text, self.name.end) == b'\''
            || at(self.text, self.name.end) == b'\\'
        {
            return self.strength == Strength::Strong;
        }
        let last = self
            .name
            .text
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        [
            "set",
            "with",
            "use",
            "add",
            "put",
            "basic_auth",
            "bearer_auth",
        ]
        .iter()
        .any(|verb| last.starts_with(verb))
            || self.strength == Strength::Strong
                && self.name.text.starts_with(|c: char| c.is_ascii_lowercase())
                && at(self.text, self.name.end) == b'{'
    }

    /// Returns whether the name stands where a value beside it is declared: `:password "…"`,
    /// `#define PASSWORD "…"`, `WITH PASSWORD '…'`.
    fn declares(&self) -> bool {
        if self.form != Form::Beside {
            return false;
        }
        let low = self.line.start.max(self.name.start.saturating_sub(24));
        let before = self.text.get(low..self.name.start).unwrap_or_default();
        let before = String::from_utf8_lossy(before).to_ascii_lowercase();
        let before = before.trim_end();
        before.ends_with([':', '-'])
            || before.is_empty()
            || [
                "define",
                "with",
                "encrypted",
                "env",
                "set",
                "export",
                "by",
                "login",
                "setenv",
            ]
            .iter()
            .any(|word| before.ends_with(word))
    }

    fn bare(&self, place: usize) -> Option<Literal> {
        let (text, line) = (self.text, self.line);
        let name = self.name.text;
        let upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
        let unspaced = self.form == Form::Assign
            && at(text, self.name.end) == b'='
            && !matches!(at(text, place), b' ' | b'\t');
        let leads = self.leads();
        let variables = upper && unspaced && leads;
        let literal = literal::bare(text, place, line.end, variables)?;
        let value = self.read(literal)?;
        if value.starts_with(super::MARKER)
            || value::is_look_up(self.rest(literal.start), variables)
        {
            return None;
        }
        let after = skip_blanks(text, literal.end, line.end);
        let ends = after >= line.end
            || matches!(at(text, after), b'"' | b'\'' | b'#' | b'`' | b'\r')
            || at(text, after) == b'\\';
        let strength = if variables && self.strength == Strength::Ambiguous {
            Strength::Strong
        } else {
            self.strength
        };
        let before = at(text, self.name.start.saturating_sub(1));
        let pair =
            self.form == Form::Assign && unspaced && self.name.start > line.start && before == b';';
        let alone = self.form == Form::Flag || variables || pair || leads && ends;
        if variables && strength == Strength::Strong {
            let literal_like = value.bytes().any(|byte| !byte.is_ascii_digit()) || ends;
            let word = value.trim_end_matches([',', ';']);
            let dotted = word.contains('.')
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || b"._".contains(&byte))
                && !value::bare_is_secret(name, strength, word, true);
            return (literal_like && value::quoted_is_secret(name, strength, value) && !dotted)
                .then_some(literal);
        }
        // A plain word that stands indented after a tight `=` is an argument of a call.
        let indented = unspaced
            && !upper
            && self.name.start > line.start
            && !pair
            && matches!(before, b' ' | b'\t')
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        if indented {
            return None;
        }
        // Spaces around `=` and a bare word are a program unless the word has a digit or a symbol.
        let spaced = self.form == Form::Assign && !unspaced;
        if spaced
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || b"_.".contains(&byte))
        {
            return None;
        }
        value::bare_is_secret(name, strength, value, alone).then_some(literal)
    }

    /// Returns whether nothing stands before the name but what may begin a line of variables.
    fn leads(&self) -> bool {
        const BEFORE: &[&str] = &[
            "export",
            "set",
            "env",
            "arg",
            "setenv",
            "declare",
            "local",
            "readonly",
            "-x",
            "-e",
            "--env",
            "--build-arg",
            "--set",
            "-h",
            "--header",
            "-d",
            "environment",
        ];
        let low = self.line.start.max(self.name.start.saturating_sub(64));
        let before = self.text.get(low..self.name.start).unwrap_or_default();
        if low > self.line.start {
            return matches!(before.last(), Some(b'"' | b'\'' | b'`'));
        }
        let Ok(before) = std::str::from_utf8(before) else {
            return false;
        };
        if before.ends_with(['"', '\'', '`']) || before.ends_with("/:") {
            return true;
        }
        before
            .split([
                ' ', '\t', '"', '\'', '=', '+', '>', '|', '#', '/', '*', '$', '-', ':', ';',
            ])
            .all(|word| {
                word.bytes().all(|byte| byte.is_ascii_digit())
                    || BEFORE
                        .iter()
                        .any(|known| known.trim_start_matches('-').eq_ignore_ascii_case(word))
                    || word.bytes().all(|byte| !byte.is_ascii_lowercase()) && before.contains('=')
            })
            || self.text.get(low..self.name.start).is_some_and(|text| {
                text.windows(5).any(|w| w.eq_ignore_ascii_case(b" -e -"))
                    || before.trim_end().ends_with(" -e")
                    || before.trim_end().ends_with("--env")
                    || before.trim_end().ends_with("--build-arg")
                    || before.ends_with("--from-literal=")
            })
    }

    fn query(&self, place: usize) -> Option<Literal> {
        let start = place;
        let limit = self.line.end.min(start.saturating_add(4096));
        let end = skip(self.text, start, limit, |byte| {
            !(byte.is_ascii_whitespace() || b"&#;\"'`<>\\)]}|,".contains(&byte))
        });
        let literal = Literal {
            start,
            end,
            quoted: false,
        };
        let value = self.read(literal)?;
        if value.len() < 3
            || value.starts_with(':')
            || value.starts_with("[REDACTED")
            || value::is_reference(value)
            || value::is_placeholder(value)
            || value.starts_with('{')
            || value.starts_with('$')
            || value.contains('(')
        {
            return None;
        }
        let secret = match self.strength {
            Strength::Weak => value::looks_random(value),
            Strength::Strong | Strength::Ambiguous => {
                !names::is_vocabulary(&value.to_ascii_lowercase())
            }
        };
        secret.then_some(literal)
    }

    fn element(&self, place: usize) -> Option<Literal> {
        let limit = self.line.end.min(place.saturating_add(4096));
        let start = skip_blanks(self.text, place, limit);
        let end = skip(self.text, start, limit, |byte| byte != b'<');
        let literal = Literal {
            start,
            end,
            quoted: true,
        };
        let value = self.read(literal)?;
        let closed = at(self.text, end) == b'<' && at(self.text, end + 1) == b'/';
        (closed && value::quoted_is_secret(self.name.text, self.strength, value)).then_some(literal)
    }

    /// Reads a value in quotes that stands on the line after the name.
    fn on_next_line(&self) -> Option<Literal> {
        let start = self.line.end + 1;
        let limit = self.text.len().min(start.saturating_add(2048));
        let end = skip(self.text, start, limit, |byte| byte != b'\n');
        let place = skip(self.text, start, end.min(start + 128), |byte| {
            matches!(byte, b' ' | b'\t' | b'+')
        });
        if !matches!(at(self.text, place), b'"' | b'\'' | b'`') {
            return None;
        }
        self.quoted(literal::quoted(self.text, place, end)?)
    }

    /// Reads the lines of a block that YAML hangs under a name.
    fn block(&self, place: usize, found: &mut Vec<(usize, usize)>) {
        let after = skip(self.text, place, self.line.end, |byte| {
            b" \t|>+-0123456789\r".contains(&byte)
        });
        if after != self.line.end || self.form != Form::Colon || self.strength != Strength::Strong {
            return;
        }
        let depth = |start: usize, end: usize| {
            skip(self.text, start, end, |byte| matches!(byte, b' ' | b'+')) - start
        };
        let outer = depth(self.line.start, self.line.end);
        let mut start = self.line.end + 1;
        for _ in 0..64 {
            let end = skip(
                self.text,
                start,
                self.text.len().min(start.saturating_add(1024)),
                |byte| byte != b'\n',
            );
            let inner = depth(start, end);
            if inner <= outer {
                return;
            }
            let literal = Literal {
                start: start + inner,
                end,
                quoted: false,
            };
            let Some(value) = self.read(literal) else {
                return;
            };
            if !value.contains(' ') && value::quoted_is_secret(self.name.text, self.strength, value)
            {
                found.push((literal.start, literal.end));
            }
            start = end + 1;
        }
    }

    /// Reads a literal that stands in when a look-up finds nothing: `env.TOKEN || "…"`.
    fn fallback(&self, place: usize) -> Option<Literal> {
        let limit = self.line.end.min(place.saturating_add(160));
        let rest = self.text.get(place..limit)?;
        let at_operator = [&b"||"[..], b"??", b" or ", b"?:"]
            .iter()
            .filter_map(|operator| {
                let found = rest
                    .windows(operator.len())
                    .position(|window| window == *operator)?;
                Some(place + found + operator.len())
            })
            .min()?;
        let start = skip_blanks(self.text, at_operator, limit);
        if !matches!(at(self.text, start), b'"' | b'\'' | b'`') {
            return None;
        }
        self.quoted(literal::quoted(self.text, start, self.line.end)?)
    }
}
