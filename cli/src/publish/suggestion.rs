//! What a model would put in place of a line: a block that can be applied with a click, where it
//! replaces exactly that line, and text otherwise.

use aurumcode_core::redact;
use aurumcode_core::text::one_line;

use super::safe;

/// The most bytes of a suggestion that are shown.
const MOST_BYTES: usize = 8 * 1024;

/// How many words in a row make a sentence.
const SENTENCE: usize = 4;

/// Returns the paragraph for `suggestion`, which is redacted. `anchored` is the line that the
/// comment stands on, where it stands on one.
pub(super) fn paragraph(suggestion: &str, anchored: Option<&[u8]>) -> Option<String> {
    let suggestion = suggestion.strip_suffix('\n').unwrap_or(suggestion);
    if suggestion.trim().is_empty() || suggestion.len() > MOST_BYTES {
        return None;
    }
    let anchored = anchored.and_then(|line| std::str::from_utf8(line).ok());
    if let Some(line) = anchored.filter(|line| replaces(suggestion, line)) {
        return (suggestion != line).then(|| fenced("suggestion", suggestion));
    }
    if suggestion.contains('\n') {
        let lines: Vec<String> = suggestion.lines().map(shown).collect();
        return Some(format!("Suggestion:\n\n{}", fenced("", &lines.join("\n"))));
    }
    Some(format!("Suggestion: {}", safe::line(&one_line(suggestion))))
}

/// Returns whether the suggestion is code that can stand in place of `line` as it is.
fn replaces(suggestion: &str, line: &str) -> bool {
    let is_clean = |line: &str| {
        let plain = line.replace('\t', " ");
        one_line(&plain) == plain && !safe::is_command(line)
    };
    indentation(suggestion) == indentation(line)
        && !suggestion.contains(redact::MARKER)
        && suggestion.split('\n').all(is_clean)
        && (is_sentence(line) || !suggestion.lines().any(is_sentence))
}

fn indentation(text: &str) -> &str {
    let end = text.find(|character: char| !matches!(character, ' ' | '\t'));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Returns whether words stand in a row as they do where somebody explains something.
fn is_sentence(text: &str) -> bool {
    let mut words = 0;
    text.split_whitespace().any(|word| {
        let word = word.trim_end_matches([',', '.', ';', ':']);
        let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
        words = if is_word { words + 1 } else { 0 };
        words >= SENTENCE
    })
}

/// Returns a line of a suggestion that is only shown.
fn shown(line: &str) -> String {
    let indentation = indentation(line);
    let rest = line.get(indentation.len()..).unwrap_or_default();
    let break_command = if safe::is_command(line) {
        "\u{200b}"
    } else {
        ""
    };
    format!("{indentation}{break_command}{}", one_line(rest))
}

/// Returns a block whose fence is longer than any in its text.
fn fenced(kind: &str, text: &str) -> String {
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{kind}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraphs(line: &str, suggestion: &str) -> String {
        paragraph(suggestion, Some(line.as_bytes())).unwrap_or_default()
    }

    #[test]
    fn code_that_replaces_the_line_is_a_block() {
        for (line, suggestion, block) in [
            ("a = 1", "a = 2\n", "```suggestion\na = 2\n```"),
            ("\tx()", "\ty()\n\tz()", "```suggestion\n\ty()\n\tz()\n```"),
            ("a", "```", "````suggestion\n```\n````"),
            (
                "# this is a comment",
                "# this is a better comment",
                "```suggestion\n# this is a better comment\n```",
            ),
            ("a", "a", ""),
            ("a", " ", ""),
        ] {
            assert_eq!(paragraphs(line, suggestion), block);
        }
    }

    #[test]
    fn anything_else_is_text() {
        for (line, suggestion, text) in [
            ("  a = 1", "a = 2", "Suggestion: a = 2"),
            (
                "a = 1",
                "Read it from the environment, @someone",
                "Suggestion: Read it from the environment, @\u{200b}someone",
            ),
            ("k = 1", "k = [REDACTED]", "Suggestion: k = [REDACTED]"),
            ("a", "b\u{202e}", "Suggestion: b\\u{202e}"),
            (
                "a",
                "b\n/retest",
                "Suggestion:\n\n```\nb\n\u{200b}/retest\n```",
            ),
        ] {
            assert_eq!(paragraphs(line, suggestion), text);
        }
        assert_eq!(
            paragraph("a = 2", None).as_deref(),
            Some("Suggestion: a = 2")
        );
    }
}
