//! Credentials of the web: in URLs, in authentication headers, in cookies, on the command line.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::assignment::{Bounds, Form, Name, join};
use super::bytes::{at, skip, skip_blanks, stands_at};
use super::literal;
use super::names::Strength;
use super::value;
use super::words;

type Spans = Vec<(usize, usize)>;

/// The most bytes of a URL's part before the host.
const AUTHORITY_BYTES: usize = 1024;

/// The most bytes of a header's value.
const HEADER_BYTES: usize = 4096;

fn read(text: &[u8], start: usize, end: usize) -> Option<&str> {
    std::str::from_utf8(text.get(start..end)?).ok()
}

/// Returns whether a value stands for something else or was masked before.
fn stands_for_something(value: &str) -> bool {
    value.is_empty()
        || value.contains(super::MARKER)
        || value.contains('{') && value.contains('}')
        || value::is_reference(value)
        || value::is_placeholder(value)
}

/// Masks the user part of the URL whose `://` stands at `separator..start`.
pub(super) fn url(text: &[u8], separator: usize, start: usize, line: Bounds, found: &mut Spans) {
    let limit = line.end.min(start + AUTHORITY_BYTES);
    let end = skip(text, start, limit, |byte| {
        !(byte.is_ascii_whitespace() || b"/?#\"'`<>\\".contains(&byte))
    });
    let Some(authority) = read(text, start, end) else {
        return;
    };
    let Some(length) = authority.rfind('@') else {
        return;
    };
    let user_part = authority.get(..length).unwrap_or_default();
    let low = line.start.max(separator.saturating_sub(16));
    let scheme = text.get(low..separator).unwrap_or_default();
    user_part_of(user_part, start, scheme, ":", found);
}

/// Masks the user part of a URL that is percent-encoded inside of another.
pub(super) fn encoded_url(text: &[u8], start: usize, line: Bounds, found: &mut Spans) {
    let limit = line.end.min(start + AUTHORITY_BYTES);
    let end = skip(text, start, limit, |byte| {
        byte.is_ascii_alphanumeric() || b"%._~+-".contains(&byte)
    });
    let Some(rest) = read(text, start, end) else {
        return;
    };
    let authority = rest.split("%2F").next().unwrap_or_default();
    let authority = authority.split("%2f").next().unwrap_or_default();
    if let Some(length) = authority.find("%40") {
        user_part_of(
            authority.get(..length).unwrap_or_default(),
            start,
            b"https",
            "%3",
            found,
        );
    }
}

fn user_part_of(user_part: &str, start: usize, scheme: &[u8], colon: &str, found: &mut Spans) {
    let end = start + user_part.len();
    match user_part.split_once(colon) {
        Some((user, password)) if !password.is_empty() => {
            if stands_for_something(password) {
                return;
            }
            let keep = if stands_for_something(user) && !user.is_empty() {
                user.len() + 1
            } else {
                0
            };
            found.push((start + keep, end));
        }
        _ => {
            let user = user_part.trim_end_matches(':');
            let web =
                scheme.ends_with(b"http") || scheme.ends_with(b"https") || scheme.ends_with(b"ftp");
            let known = matches!(user, "git" | "user" | "username" | "anonymous" | "me" | "x");
            if !(stands_for_something(user) || known) && (web || value::looks_random(user)) {
                found.push((start, end));
            }
        }
    }
}

/// Masks the credentials of an `Authorization` header, in whatever form it is written.
pub(super) fn authorization(text: &[u8], name: &Name<'_>, line: Bounds, found: &mut Spans) {
    let last = name.text.rsplit(['-', '_', '.']).next().unwrap_or_default();
    if !last.to_ascii_lowercase().ends_with("authorization") {
        return;
    }
    let Some((form, place)) = join(text, name, line) else {
        return;
    };
    let Some((start, end, quoted)) = header_value(text, form, place, line) else {
        return;
    };
    let Some(value) = read(text, start, end) else {
        return;
    };
    let words_end = value.find(' ').unwrap_or(value.len());
    let (scheme, rest) = value.split_at(words_end);
    let scheme = scheme.trim_end_matches(':').to_ascii_lowercase();
    if words::SCHEMES.has(&scheme) {
        let start = end - rest.trim_start().len();
        credentials(&scheme, rest.trim(), start, found);
    } else if value::looks_random(value)
        || quoted
            && form != Form::Compare
            && value::quoted_is_secret("authorization", Strength::Strong, value)
    {
        found.push((start, end));
    }
}

fn credentials(scheme: &str, rest: &str, start: usize, found: &mut Spans) {
    let listed = matches!(scheme, "digest" | "oauth" | "hawk" | "mac" | "signature")
        || scheme.starts_with("aws4");
    let opaque = rest.contains('=') && rest.contains([',', ';']);
    if stands_for_something(rest) || rest.len() < 3 {
        return;
    }
    let secret = listed && rest.contains('=')
        || opaque
        || value::quoted_is_secret("authorization", Strength::Strong, rest)
        || rest.len() == 3 && !rest.contains(' ');
    if secret {
        found.push((start, start + rest.len()));
    }
}

/// Finds the value of a header: what stands in quotes, or the rest of the line up to the quote
/// that closes the whole header.
fn header_value(
    text: &[u8],
    form: Form,
    place: usize,
    line: Bounds,
) -> Option<(usize, usize, bool)> {
    if let Some(literal) = literal::quoted(text, place, line.end) {
        return Some((
            literal.start,
            trimmed(text, literal.start, literal.end),
            true,
        ));
    }
    if !matches!(form, Form::Colon | Form::Flag | Form::Assign) {
        return None;
    }
    let start = skip_blanks(text, place, line.end);
    let limit = line.end.min(start.saturating_add(HEADER_BYTES));
    let end = skip(text, start, limit, |byte| {
        !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'\r')
    });
    let end = trimmed(text, start, end);
    (end > start).then_some((start, end, false))
}

fn trimmed(text: &[u8], start: usize, mut end: usize) -> usize {
    while end > start && at(text, end - 1).is_ascii_whitespace() {
        end -= 1;
    }
    end
}

/// Masks what follows `Bearer ` or `Basic ` where it looks like a credential, whatever the header.
pub(super) fn scheme(text: &[u8], start: usize, end: usize, line: Bounds, found: &mut Spans) {
    if at(text, end) != b' ' || at(text, start.wrapping_sub(1)).is_ascii_alphanumeric() {
        return;
    }
    let place = skip_blanks(text, end, line.end);
    let stop = skip(text, place, line.end.min(place + HEADER_BYTES), |byte| {
        byte.is_ascii_alphanumeric() || b"+/=._~-".contains(&byte)
    });
    let Some(value) = read(text, place, stop) else {
        return;
    };
    let basic = stands_at(text, start, b"basic");
    let secret = if basic {
        value.len() >= 6
            && STANDARD_NO_PAD
                .decode(value.trim_end_matches('='))
                .is_ok_and(|pair| {
                    pair.contains(&b':') && pair.iter().all(|byte| !byte.is_ascii_control())
                })
    } else {
        value.len() >= 8 && value::looks_random(value)
    };
    if secret && !value::is_placeholder(value) {
        found.push((place, stop));
    }
}

/// Masks the values of the cookies in a `Cookie` or `Set-Cookie` header, and those of a script
/// that look like a credential.
pub(super) fn cookie(text: &[u8], name: &Name<'_>, line: Bounds, found: &mut Spans) {
    let lower = name.text.to_ascii_lowercase();
    let last = lower.rsplit(['-', '_', '.']).next().unwrap_or_default();
    if last != "cookie" {
        return;
    }
    let script = lower.ends_with(".cookie");
    let Some((form, place)) = join(text, name, line) else {
        return;
    };
    let Some((start, end, quoted)) = header_value(text, form, place, line) else {
        return;
    };
    let Some(value) = read(text, start, end) else {
        return;
    };
    if !value.contains('=') {
        let random = value::looks_random(value) && form != Form::Compare;
        if random && (quoted || !value.contains(' ')) {
            found.push((start, end));
        }
        return;
    }
    let mut place = start;
    for (index, pair) in value.split(';').enumerate() {
        pair_of(pair, place, index, lower.starts_with("set"), script, found);
        place += pair.len() + 1;
    }
}

fn pair_of(pair: &str, start: usize, index: usize, set: bool, script: bool, found: &mut Spans) {
    let Some((name, value)) = pair.split_once('=') else {
        return;
    };
    let clean_name = name.trim();
    let attribute = words::COOKIE_ATTRIBUTES.has(&clean_name.to_ascii_lowercase());
    let named = !clean_name.is_empty()
        && clean_name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if !named || name.ends_with(' ') || attribute && (index > 0 || set) || value.starts_with(' ') {
        return;
    }
    let value = value.trim_end();
    if stands_for_something(value) || value.len() < 2 || value.contains(' ') {
        return;
    }
    if !script || value::looks_random(value) {
        let start = start + name.len() + 1;
        found.push((start, start + value.len()));
    }
}

/// Masks the `name:password` after the option `-u` or `--user`, and the cookies after `-b`, of a
/// command that fetches a URL.
pub(super) fn option(text: &[u8], start: usize, end: usize, line: Bounds, found: &mut Spans) {
    let low = line.start.max(start.saturating_sub(1024));
    let before = text.get(low..start).unwrap_or_default();
    let fetches = [&b"curl"[..], b"http", b"wget"]
        .iter()
        .any(|word| before.windows(word.len()).any(|window| window == *word))
        || before.iter().all(u8::is_ascii_whitespace);
    if !fetches {
        return;
    }
    let place = skip(text, end, line.end.min(end + 4), |byte| {
        matches!(byte, b' ' | b'=')
    });
    let span = literal::quoted(text, place, line.end)
        .or_else(|| literal::bare(text, place, line.end, true));
    let Some(span) = span else { return };
    let Some(value) = read(text, span.start, span.end) else {
        return;
    };
    if stands_at(text, start, b" -b") {
        let mut place = span.start;
        for (index, pair) in value.split(';').enumerate() {
            pair_of(pair, place, index, false, false, found);
            place += pair.len() + 1;
        }
        return;
    }
    let Some((user, password)) = value.split_once(':') else {
        return;
    };
    let numbers = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b':');
    if numbers || password.is_empty() || stands_for_something(password) || value.contains("//") {
        return;
    }
    let keep = if stands_for_something(user) && !user.is_empty() {
        user.len() + 1
    } else {
        0
    };
    found.push((span.start + keep, span.end));
}
