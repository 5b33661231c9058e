//! Whether a literal value is a secret that somebody wrote down, or a placeholder, a reference, a
//! caption or a word of the program.

use super::MARKER;
use super::names::{self, Strength};
use super::words;

/// The most bytes of a placeholder or a caption; what is longer is not split into words.
const PHRASE_BYTES: usize = 160;

/// Returns whether a literal in quotes is the secret of a name of this strength.
pub(super) fn quoted_is_secret(name: &str, strength: Strength, value: &str) -> bool {
    let value = value.trim();
    if value.len() < 4 || is_reference(value) || is_placeholder(value) || is_version(value) {
        return false;
    }
    match strength {
        Strength::Strong => {
            !(is_caption(name, value) || is_prose(value) || is_path(value) || is_url(value))
        }
        Strength::Ambiguous => {
            looks_random(value)
                || value.len() >= 8
                    && has_letter(value)
                    && has_digit(value)
                    && !value.contains([' ', '.', ':', '/', '(', ')', ','])
                    && !is_word_with_number(value)
        }
        Strength::Weak => looks_random(value) && !is_uuid(value) && !is_path(value),
    }
}

/// Returns whether an unquoted value is a secret. `alone` says that nothing else follows it on the
/// line, and that nothing but a name stands before it.
pub(super) fn bare_is_secret(name: &str, strength: Strength, value: &str, alone: bool) -> bool {
    if !quoted_is_secret(name, strength, value) || is_code(value) {
        return false;
    }
    if has_digit(value) {
        let numeric = value.bytes().all(|byte| byte.is_ascii_digit());
        return if numeric {
            alone && strength == Strength::Strong
        } else {
            alone && !is_word_with_number(value) || looks_random(value)
        };
    }
    let symbols = value
        .bytes()
        .any(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    let plain = value.bytes().all(|byte| byte.is_ascii_lowercase());
    alone && strength == Strength::Strong && (symbols || plain && value.len() >= 6)
}

/// Returns whether the value stands for something that is found elsewhere: a variable, a template,
/// a place in a vault.
pub(super) fn is_reference(value: &str) -> bool {
    const STARTS: &[&str] = &[
        "$",
        "{{",
        "<",
        "%(",
        "%{",
        "#{",
        "@{",
        "env:",
        "env.",
        "vault:",
        "ssm:",
        "arn:",
        "op://",
        "secret://",
        "file:",
        "!ref",
        "!vault",
        "enc[",
        "enc(",
        "ref+",
        "keyring:",
        "aws-ssm:",
        "projects/",
        "process.env",
        "os.environ",
        "secrets.",
        "var.",
        "data.",
        "module.",
        "local.",
        "{%",
        "\\(",
        "\\$",
        "&{",
    ];
    let lower_start: String = value
        .chars()
        .take(12)
        .collect::<String>()
        .to_ascii_lowercase();
    // Modular crypt strings also begin with a dollar sign and are no reference.
    let crypt = value.len() > 20 && value.starts_with("$2");
    if !crypt && STARTS.iter().any(|start| lower_start.starts_with(start)) {
        return !is_dollar_password(value);
    }
    let surrounded = |open: char, close: char| value.starts_with(open) && value.ends_with(close);
    value.contains("${")
        || value.contains("{{")
        || value.contains("#{")
        || value.contains("$(")
        || value.contains("<%")
        || value.contains("%s")
        || value.contains("{}")
        || surrounded('%', '%')
        || surrounded('{', '}')
        || surrounded('[', ']')
        || surrounded('(', ')')
        || surrounded('_', '_') && value.starts_with("__")
        || surrounded('@', '@')
        || surrounded('#', '#')
}

/// A dollar sign that no name or bracket follows begins no variable.
fn is_dollar_password(value: &str) -> bool {
    let mut characters = value.chars();
    characters.next() == Some('$')
        && characters
            .next()
            .is_some_and(|next| !(next.is_ascii_alphabetic() || "{($_'".contains(next)))
        && value.len() > 4
}

/// Returns whether the value only shows where a secret would stand.
pub(super) fn is_placeholder(value: &str) -> bool {
    if value.len() > PHRASE_BYTES {
        return false;
    }
    if value.contains(MARKER) && value.trim_matches(['"', '\'']) == MARKER {
        return true;
    }
    let mut characters = value.chars();
    let first = characters.next().unwrap_or(' ');
    let same = characters.all(|character| character == first);
    if same || !value.chars().any(char::is_alphanumeric) {
        return true;
    }
    if value.ends_with("...") || value.ends_with('…') || value.starts_with("...") {
        return true;
    }
    let words = names::words(value);
    let filler = |word: &str| {
        word.len() >= 2 && word.bytes().all(|byte| matches!(byte, b'x'))
            || word.len() >= 3 && word.bytes().all(|byte| byte == b'0')
    };
    let mut shows = false;
    for word in &words {
        let word = word.as_str();
        if words::PLACE.has(word) || filler(word) {
            shows = true;
        } else if !(words::AROUND.has(word) || names::is_vocabulary(word)) {
            return false;
        }
    }
    shows || words.join("") == "changeme" || words.starts_with(&["change".into(), "me".into()])
}

/// Returns whether the value repeats words of which names are made: a caption, a field name.
fn is_caption(name: &str, value: &str) -> bool {
    if value.len() > PHRASE_BYTES {
        return false;
    }
    let words = names::words(value);
    if words.iter().all(|word| names::is_vocabulary(word)) {
        let name = names::words(name);
        let capital =
            value.starts_with(char::is_uppercase) && !value.chars().skip(1).any(char::is_uppercase);
        return words.len() > 1 || capital || words.iter().all(|word| name.contains(word));
    }
    // A dotted or slashed name in small letters that ends in such a word names a setting.
    value.contains(['.', '/', ':', '-', '_'])
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || b"./:-_".contains(&byte))
        && words.last().is_some_and(|word| names::is_vocabulary(word))
}

/// Returns whether the value is a sentence or a caption and no passphrase.
fn is_prose(value: &str) -> bool {
    if !value.contains([' ', '\t']) {
        return false;
    }
    let start = value.floor_char_boundary(PHRASE_BYTES);
    let words = names::words(value.get(..start).unwrap_or(value));
    words.iter().any(|word| {
        words::COMMON.has(word.as_str()) || names::is_vocabulary(word) && word.len() > 2
    }) || value.ends_with(['?', ':', '.', '!']) && value.starts_with(char::is_uppercase)
        || value.contains("%s")
        || value.contains("%d")
}

fn is_path(value: &str) -> bool {
    let starts = ["/", "./", "../", "~/"]
        .iter()
        .any(|start| value.starts_with(start));
    let small = value
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/._-".contains(&byte));
    let clean = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte));
    starts && clean && (value.matches('/').count() > 1 || value.contains('.'))
        || small && value.contains('/') && !looks_random(value)
        || [
            ".json", ".pem", ".txt", ".key", ".crt", ".yaml", ".yml", ".env", ".php", ".html",
            ".js",
        ]
        .iter()
        .any(|end| value.ends_with(end))
}

fn is_url(value: &str) -> bool {
    value.find("://").is_some_and(|at| at < 12)
}

fn is_version(value: &str) -> bool {
    let rest = value.trim_start_matches(['^', '~', '<', '>', '=', 'v', ' ', '*']);
    rest.starts_with(|character: char| character.is_ascii_digit())
        && rest.contains('.')
        && rest
            .split(['.', '-', '+', ' ', '<', '>', '=', '|'])
            .all(|part| {
                part.bytes().all(|byte| byte.is_ascii_digit())
                    || ["x", "alpha", "beta", "rc", "dev", "next", "pre"].contains(&part)
            })
}

/// Returns whether the value could be in use somewhere: it looks as if it was drawn, or is no word or
/// name of words but has digits or symbols in it, as people put into a password.
pub(super) fn is_plausible(value: &str) -> bool {
    if looks_random(value) {
        return true;
    }
    let is_symbol =
        |character: char| !(character.is_alphanumeric() || " \t-_./:,;=%\\\"'".contains(character));
    let mixed = value
        .split(['-', '_', '.', '/', ':', ' ', ',', ';', '='])
        .any(|piece| has_digit(piece) && has_letter(piece));
    value.len() >= 6 && (mixed || value.contains(is_symbol))
}

/// Returns whether the value has the form of a UUID.
pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(place, byte)| {
            if [8, 13, 18, 23].contains(&place) {
                byte == b'-'
            } else {
                byte.is_ascii_hexdigit()
            }
        })
}

/// Returns whether what stands where a bare value would begins a look-up: a subscript or a call of
/// something that has a name, such as `form["password"]`, `params[:password]`, `row[0].value` or
/// `config->get(`. In a file of `variables`, where a password can hold brackets, only a key in quotes,
/// a symbol, a call and what begins with a dollar sign tell it.
pub(super) fn is_look_up(rest: &str, variables: bool) -> bool {
    let inner = rest.trim_start_matches(['&', '*', '!', '@', '$', '(', '[']);
    let inner = inner.strip_prefix("await ").unwrap_or(inner);
    let is_name = |byte: char| byte.is_ascii_alphanumeric() || "_.:?&!".contains(byte);
    let (name, after) = split_after(inner, is_name);
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        return false;
    }
    // Passwords hold such characters too, but then hardly without a digit.
    let odd = inner.len() < rest.len() || name.contains(['?', '&', '!']);
    if odd && has_digit(name) {
        return false;
    }
    if after.starts_with('(') {
        return !odd || after.contains(')');
    }
    if let Some(member) = after.strip_prefix("->") {
        let (_, called) = split_after(member, is_name);
        return rest.starts_with('$') || called.starts_with('(') || member.starts_with(['{', '[']);
    }
    let Some(key) = after.strip_prefix('[') else {
        return false;
    };
    let quoted = key.strip_prefix(|prefix: char| prefix.is_ascii_alphabetic());
    let quoted = quoted
        .filter(|rest| rest.starts_with(['"', '\'']))
        .unwrap_or(key);
    if let Some(quote) = quoted.chars().next().filter(|first| "\"'".contains(*first)) {
        let closing = quoted.get(1..).and_then(|text| text.split_once(quote));
        return closing.is_some_and(|(_, after)| closes(after));
    }
    let is_index = |byte: char| byte.is_ascii_alphanumeric() || "_:-".contains(byte);
    let (index, closing) = split_after(key, is_index);
    let symbol = index.starts_with(':');
    !index.is_empty() && closes(closing) && (symbol || !variables && !has_digit(name))
}

/// Returns whether the text closes a subscript and then ends, or goes on as a program does.
fn closes(text: &str) -> bool {
    text.strip_prefix(']').is_some_and(|after| {
        let next = after.chars().next();
        next.is_none_or(|next| next.is_whitespace() || ".[()]};,?!:+\"'`\\".contains(next))
    })
}

/// Splits a text behind the characters that are accepted.
fn split_after(text: &str, accepted: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|character| !accepted(character));
    text.split_at(end.unwrap_or(text.len()))
}

/// Returns whether an unquoted value is an expression of a program.
fn is_code(value: &str) -> bool {
    if value.starts_with(['&', '*', '!', '@', '?', '|', '>', '-', '+', '.', '\\'])
        && !value.starts_with("!!")
    {
        return !(value.len() >= 6
            && has_digit(value)
            && has_letter(value)
            && !value.starts_with(['&', '*', '\\']));
    }
    let called = value.find('(').is_some_and(|open| {
        open > 0
            && value
                .bytes()
                .take(open)
                .all(|byte| byte.is_ascii_alphanumeric() || b"_.:!?".contains(&byte))
    });
    let indexed = value.contains('[') && value.ends_with(']')
        || value.ends_with(['[', '(', '{'])
        || value.starts_with(['[', '(', '{']);
    if called || indexed || value.contains("::") || value.contains("->") || value.contains("=>") {
        return true;
    }
    let identifiers = value.split('.').all(|part| {
        part.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_?!".contains(&byte))
    });
    if identifiers && value.contains('.') {
        return true;
    }
    if !identifiers {
        return false;
    }
    if words::CODE.has(&value.to_ascii_lowercase()) {
        return true;
    }
    if value.len() > PHRASE_BYTES {
        return false;
    }
    // Names of variables and types are made of words; so are their parts.
    let words = names::words(value);
    let named = words
        .iter()
        .any(|word| names::is_vocabulary(word) && word.len() > 1);
    named || !has_digit(value) && words.len() > 1
}

/// Returns whether the value is a word or two with a number behind: `utf8`, `float64`, `step-12`.
fn is_word_with_number(value: &str) -> bool {
    let stem = value.trim_end_matches(|character: char| character.is_ascii_digit());
    let number = value.len() - stem.len();
    (1..=3).contains(&number)
        && stem.len() >= 3
        && !has_digit(stem)
        && ([
            "utf", "sha", "float", "uint", "int", "base", "latin", "iso", "md", "x",
        ]
        .contains(&stem.to_ascii_lowercase().as_str())
            || names::words(stem)
                .iter()
                .all(|word| names::is_vocabulary(word))
            || stem.ends_with(['-', '_']))
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

fn has_letter(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether the value looks as if it was drawn and not thought up: one piece of it is long
/// and changes often between digits, small and capital letters.
pub(super) fn looks_random(value: &str) -> bool {
    if value.contains([' ', '\t', '(', ')', '<', '>', '{', '}', ';']) {
        return false;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        _ => 4,
    };
    value
        .split(['/', '.', '-', '_', ':', ',', '@', '='])
        .any(|piece| {
            let piece = piece.as_bytes();
            let digits = piece.iter().filter(|byte| byte.is_ascii_digit()).count();
            let changes = piece
                .windows(2)
                .filter(|pair| match pair {
                    [left, right] => class(*left) != class(*right),
                    _ => false,
                })
                .count();
            let letters = piece.len() - digits;
            piece.len() >= 8 && digits > 0 && letters > 0 && changes >= 3
                || piece.len() >= 16 && digits > 1 && letters > 1 && changes >= 2
                || piece.len() >= 20 && changes >= 8
        })
}
