//! Text of a model in a comment: it must not notify people, point at other issues, load anything
//! from elsewhere, hide the marker, or command a bot.
//!
//! GitHub looks for all of that in the text as it is shown, so escapes do not help. A character
//! without width behind the one that begins it does: what people see stays the same, also in code.

/// The character without width.
const BREAK: char = '\u{200b}';

/// Returns a line of text in which nothing has an effect. Text without any of it stays as it is.
pub(super) fn line(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = None;
    for (at, character) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        if begins_command(before, rest) || is_number_of_address(text, at) {
            safe.push(BREAK);
        }
        safe.push(character);
        if has_effect(before, rest) {
            safe.push(BREAK);
        }
        before = Some(character);
    }
    safe
}

/// Returns whether the line is a command to one of the bots that read comments, such as `/retest`.
pub(super) fn is_command(line: &str) -> bool {
    begins_command(None, line.trim_start())
}

fn begins_command(before: Option<char>, rest: &str) -> bool {
    let mut rest = rest.chars();
    before.is_none()
        && rest.next() == Some('/')
        && rest.next().is_some_and(|next| next.is_ascii_alphabetic())
}

/// Returns whether the first character of `rest` begins something that has an effect.
fn has_effect(before: Option<char>, rest: &str) -> bool {
    let mut characters = rest.chars();
    let (Some(first), Some(next)) = (characters.next(), characters.next()) else {
        return false;
    };
    let in_word = before.is_some_and(|before| before.is_ascii_alphanumeric());
    match first {
        // A person or a team; in a word it is a mail address.
        '@' => !in_word && next.is_ascii_alphanumeric(),
        // An issue or a pull request, here or in another repository.
        '#' => next.is_ascii_digit(),
        '-' => next.is_ascii_digit() && before.is_some_and(|before| matches!(before, 'H' | 'h')),
        // An element, a comment, or an address.
        '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
        // A picture.
        '!' => next == '[',
        // A link whose text hides where it leads.
        ']' => matches!(next, '(' | '['),
        _ => false,
    }
}

/// Returns whether a number begins here that names an issue in an address: such an address leaves
/// a note in the other issue.
fn is_number_of_address(text: &str, at: usize) -> bool {
    const PARTS: [&str; 4] = ["/issues/", "/pull/", "/pulls/", "/discussions/"];
    let begins_number = text
        .get(at..)
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let before = text.get(..at).unwrap_or_default();
    begins_number && PARTS.iter().any(|part| before.ends_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows where a character without width was put in.
    fn shown(text: &str) -> String {
        line(text).replace(BREAK, "|")
    }

    #[test]
    fn what_has_an_effect_loses_it() {
        for (text, expected) in [
            ("ask @someone or @org/team", "ask @|someone or @|org/team"),
            ("@x", "@|x"),
            ("(_@x)", "(_@|x)"),
            ("fixes #12, closes o/r#3", "fixes #|12, closes o/r#|3"),
            ("resolves GH-7", "resolves GH-|7"),
            (
                "closes https://github.com/o/r/issues/1 and /pull/22",
                "closes https://github.com/o/r/issues/|1 and /pull/|22",
            ),
            ("![x](http://h/p.png)", "!|[x]|(http://h/p.png)"),
            ("![x][y]", "!|[x]|[y]"),
            (
                "<img src=x> <!-- a --> </b>",
                "<|img src=x> <|!-- a --> <|/b>",
            ),
            ("/retest", "|/retest"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "",
            "mail a.b@example.com, if a < b && c <= d, x@",
            "[error] `a[0]` and #define, a # b, 1-2, @ alone",
            "see https://example.com/docs#part and path/to/file",
            "a / b",
        ] {
            assert_eq!(line(text), text);
        }
    }
}
