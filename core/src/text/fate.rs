//! What becomes of each character of a text that somebody else wrote.

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stays as it is.
    Stays,
    /// It is a tab or ends a line.
    Breaks,
    /// It steers, hides, or begins a command, and has to be written out.
    Escaped,
}

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// How many marks stay on one character. No script needs more, and each is drawn further into the
/// lines around.
const MARKS: usize = 10;

/// Returns every character of a text with its fate.
pub(super) fn fates(text: &str) -> impl Iterator<Item = (char, Fate)> {
    let first = text.len() - text.trim_start().len();
    // The character before, where it stays.
    let mut before = None;
    let mut marks = 0;
    text.char_indices().map(move |(at, character)| {
        let rest = text.get(at + character.len_utf8()..).unwrap_or_default();
        marks = if is_mark(character) { marks + 1 } else { 0 };
        let escaped = is_hidden(character)
            || marks > MARKS
            || (is_joint(character) && !joins(before, character, rest))
            || (at == first && character == ':' && rest.starts_with(':'))
            || (before == Some('#') && character == '#' && names_command(rest));
        let fate = if is_break(character) {
            Fate::Breaks
        } else if escaped {
            Fate::Escaped
        } else {
            Fate::Stays
        };
        before = Some(character).filter(|_| fate == Fate::Stays);
        (character, fate)
    })
}

/// Returns whether a character is a tab or ends a line, for any program that may read it.
fn is_break(character: char) -> bool {
    matches!(character, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether a character has no shape of its own: it steers the terminal, changes the
/// direction of the text around it, or takes no room.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200c}'
                | '\u{200e}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0d}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Returns whether a character is hidden too, but has its place inside an emoji.
fn is_joint(character: char) -> bool {
    matches!(character, ZERO_WIDTH_JOINER | '\u{fe0e}'..='\u{fe0f}')
}

/// Returns whether a joint is in its place: a joiner between two pictures, or a choice of style
/// behind a character that has a choice.
fn joins(before: Option<char>, joint: char, rest: &str) -> bool {
    let Some(before) = before else {
        return false;
    };
    if joint == ZERO_WIDTH_JOINER {
        let next = rest.chars().next();
        (is_picture(before) || before == '\u{fe0f}') && next.is_some_and(is_picture)
    } else {
        let may_be_keycap = before.is_ascii_digit() || matches!(before, '#' | '*');
        let is_shape = !before.is_ascii() && !before.is_whitespace() && !is_joint(before);
        may_be_keycap || is_shape
    }
}

/// Returns whether a character is drawn over the one before.
fn is_mark(character: char) -> bool {
    // The standard library escapes such a character where nothing stands before it.
    !character.is_ascii() && character.escape_debug().len() > 1 && is_printable(character)
}

fn is_picture(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Returns whether what follows `##` makes a command of it: `##[error]`, `##vso[…]`,
/// `##teamcity[…]`. Such a command counts anywhere in a line, `::error::` only where one begins.
fn names_command(rest: &str) -> bool {
    rest.trim_start_matches(|character: char| character.is_ascii_alphabetic())
        .starts_with('[')
}

/// Returns whether a character has a shape; of all blanks only the common one counts.
pub(super) fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // The standard library has the tables of what is printable and shows them here alone. At the
    // beginning of a text it would also escape what combines with the character before.
    ['a', character]
        .iter()
        .collect::<String>()
        .escape_debug()
        .nth(1)
        != Some('\\')
}
