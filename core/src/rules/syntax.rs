//! Where the comments and the string literals of a line are, as far as that can be said line by
//! line: enough to know that `eval` in a comment is nothing, not enough to parse a language.

use std::borrow::Cow;

use crate::change::Language;

/// What is opened by one text and closed by another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Opener {
    open: &'static [u8],
    /// Empty for what ends with the line.
    close: &'static [u8],
    is_comment: bool,
    /// Whether a backslash takes the meaning from the byte after it.
    escapes: bool,
    /// Whether it goes on over the end of the line.
    spans_lines: bool,
    when: When,
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// At the start of the line or after a blank: `#` in a shell, where `$#` is no comment.
    AfterBlank,
    /// Where a closing quote follows at once: a Rust quote that is no lifetime.
    Character,
    /// Where no brace follows: `#{` puts a value into a string that began on an earlier line.
    NoBrace,
}

const fn to_line_end(open: &'static [u8]) -> Opener {
    Opener {
        open,
        close: b"",
        is_comment: true,
        escapes: false,
        spans_lines: false,
        when: When::Always,
    }
}

const fn word_to_line_end(open: &'static [u8]) -> Opener {
    Opener {
        when: When::AfterBlank,
        ..to_line_end(open)
    }
}

const fn comment(open: &'static [u8], close: &'static [u8]) -> Opener {
    Opener {
        close,
        spans_lines: true,
        ..to_line_end(open)
    }
}

/// A string literal that ends with its line at the latest.
const fn string(quote: &'static [u8]) -> Opener {
    Opener {
        open: quote,
        close: quote,
        is_comment: false,
        escapes: true,
        spans_lines: false,
        when: When::Always,
    }
}

const fn long_string(open: &'static [u8], close: &'static [u8]) -> Opener {
    Opener {
        close,
        spans_lines: true,
        ..string(open)
    }
}

const fn raw_string(open: &'static [u8], close: &'static [u8]) -> Opener {
    Opener {
        escapes: false,
        ..long_string(open, close)
    }
}

const fn plain_string(quote: &'static [u8]) -> Opener {
    Opener {
        escapes: false,
        ..string(quote)
    }
}

/// How a family of languages writes comments and strings. Longer openers stand first.
pub(super) struct Syntax {
    openers: &'static [Opener],
    /// Whether a byte is the first one of an opener, or a backslash.
    first: [bool; 256],
    /// Whether a line that begins with a lone `*` is the inside of a block comment.
    star_lines: bool,
}

impl Syntax {
    #[expect(
        clippy::indexing_slicing,
        reason = "evaluated by the compiler, which refuses what is out of range"
    )]
    const fn new(openers: &'static [Opener]) -> Self {
        let mut first = [false; 256];
        first[b'\\' as usize] = true;
        let (mut index, mut star_lines) = (0, false);
        while index < openers.len() {
            let open = openers[index].open;
            first[open[0] as usize] = true;
            if open.len() == 2 && open[0] == b'/' && open[1] == b'*' {
                star_lines = true;
            }
            index += 1;
        }
        Self {
            openers,
            first,
            star_lines,
        }
    }

    /// Returns the syntax of a language; nothing is a comment or a string in one that is not known.
    pub(super) fn of(language: Option<Language>) -> &'static Self {
        match language.map_or("", Language::name) {
            "javascript" | "typescript" => &SCRIPT,
            "go" => &GO,
            "rust" => &RUST,
            "csharp" => &CSHARP,
            "php" => &PHP,
            "java" | "kotlin" | "scala" | "swift" | "dart" | "groovy" => &JVM,
            "c" | "cpp" | "objective-c" | "css" | "zig" => &C,
            "python" => &PYTHON,
            "ruby" | "perl" | "elixir" => &RUBY,
            "r" | "toml" => &HASH,
            "shell" | "yaml" | "env" | "dockerfile" | "makefile" | "ini" | "powershell" => &SHELL,
            "terraform" => &TERRAFORM,
            "sql" => &SQL,
            "lua" | "haskell" => &DASHES,
            "html" | "xml" => &MARKUP,
            _ => &NONE,
        }
    }
}

static SCRIPT: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    comment(b"<!--", b"-->"),
    string(b"\""),
    string(b"'"),
    long_string(b"`", b"`"),
]);
static GO: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    string(b"\""),
    string(b"'"),
    raw_string(b"`", b"`"),
]);
static RUST: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    raw_string(b"r###\"", b"\"###"),
    raw_string(b"r##\"", b"\"##"),
    raw_string(b"r#\"", b"\"#"),
    raw_string(b"r\"", b"\""),
    long_string(b"\"", b"\""),
    Opener {
        when: When::Character,
        ..string(b"'")
    },
]);
static CSHARP: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    raw_string(b"\"\"\"", b"\"\"\""),
    raw_string(b"@\"", b"\""),
    raw_string(b"@$\"", b"\""),
    string(b"\""),
    string(b"'"),
]);
static PHP: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    word_to_line_end(b"#"),
    comment(b"/*", b"*/"),
    comment(b"<!--", b"-->"),
    string(b"\""),
    string(b"'"),
    string(b"`"),
]);
static JVM: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    long_string(b"\"\"\"", b"\"\"\""),
    string(b"\""),
    string(b"'"),
]);
static C: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    comment(b"/*", b"*/"),
    string(b"\""),
    string(b"'"),
]);
static PYTHON: Syntax = Syntax::new(&[
    to_line_end(b"#"),
    long_string(b"\"\"\"", b"\"\"\""),
    long_string(b"'''", b"'''"),
    string(b"\""),
    string(b"'"),
]);
static RUBY: Syntax = Syntax::new(&[
    Opener {
        when: When::NoBrace,
        ..to_line_end(b"#")
    },
    string(b"\""),
    string(b"'"),
    string(b"`"),
]);
static HASH: Syntax = Syntax::new(&[to_line_end(b"#"), string(b"\""), string(b"'")]);
static SHELL: Syntax = Syntax::new(&[word_to_line_end(b"#"), string(b"\""), plain_string(b"'")]);
static TERRAFORM: Syntax = Syntax::new(&[
    to_line_end(b"//"),
    to_line_end(b"#"),
    comment(b"/*", b"*/"),
    string(b"\""),
]);
static SQL: Syntax = Syntax::new(&[
    to_line_end(b"--"),
    comment(b"/*", b"*/"),
    plain_string(b"'"),
    plain_string(b"\""),
]);
static DASHES: Syntax = Syntax::new(&[to_line_end(b"--"), string(b"\""), string(b"'")]);
static MARKUP: Syntax = Syntax::new(&[comment(b"<!--", b"-->")]);
static NONE: Syntax = Syntax::new(&[]);

/// The comments and strings of one line, left to right, in bytes.
#[derive(Default)]
pub(super) struct Spans {
    comments: Vec<(usize, usize)>,
    texts: Vec<(usize, usize)>,
}

impl Spans {
    /// Returns whether the byte at `position` stands inside a string literal. Its opening quote
    /// does not.
    pub(super) fn in_text(&self, position: usize) -> bool {
        self.texts
            .iter()
            .any(|(start, end)| (*start..*end).contains(&position))
    }

    /// Returns the bytes outside of string literals, in order. Quotes are outside.
    pub(super) fn code<'a>(&self, line: &'a [u8]) -> impl Iterator<Item = u8> + use<'a, '_> {
        let mut texts = self.texts.iter().peekable();
        line.iter().enumerate().filter_map(move |(at, byte)| {
            while texts.next_if(|(_, end)| *end <= at).is_some() {}
            let in_text = texts.peek().is_some_and(|(start, _)| *start <= at);
            (!in_text).then_some(*byte)
        })
    }

    /// Takes over the strings of another line, which stands at `offset` now. Comments are left
    /// out: they are blanks by then.
    pub(super) fn append(&mut self, other: Self, offset: usize) {
        let moved = other.texts.into_iter();
        let moved = moved.map(|(start, end)| (start + offset, end + offset));
        self.texts.extend(moved);
    }

    /// Returns the line with blanks for its comments.
    pub(super) fn without_comments<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        if self.comments.is_empty() {
            return Cow::Borrowed(line);
        }
        let mut blanked = line.to_vec();
        for (start, end) in &self.comments {
            if let Some(comment) = blanked.get_mut(*start..*end) {
                comment.fill(b' ');
            }
        }
        Cow::Owned(blanked)
    }
}

/// Goes through lines in order and knows what a line leaves open for the next.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    syntax: &'static Syntax,
    open: Option<&'static Opener>,
}

impl Reader {
    /// Starts outside of comments and strings, which is what a place in the middle of a file most
    /// likely is.
    pub(super) fn new(syntax: &'static Syntax) -> Self {
        Self { syntax, open: None }
    }

    /// Returns whether a string literal goes on into the next line.
    pub(super) fn is_in_text(&self) -> bool {
        self.open.is_some_and(|opener| !opener.is_comment)
    }

    /// Reads the next line.
    pub(super) fn line(&mut self, line: &[u8]) -> Spans {
        let mut spans = Spans::default();
        if self.open.is_none() && self.syntax.star_lines && is_star_line(line) {
            spans.comments.push((0, line.len()));
            return spans;
        }
        let mut position = 0;
        loop {
            if let Some(opener) = self.open {
                let (end, next) = close(opener, line, position);
                let list = if opener.is_comment {
                    &mut spans.comments
                } else {
                    &mut spans.texts
                };
                list.push((position, end));
                if next.is_some() || !opener.spans_lines {
                    self.open = None;
                }
                let Some(next) = next else { return spans };
                position = next;
            }
            let Some((opener, inside)) = self.next_opener(line, position) else {
                return spans;
            };
            self.open = Some(opener);
            position = inside;
        }
    }

    /// Returns what opens next, and the position after its opening text.
    fn next_opener(&self, line: &[u8], from: usize) -> Option<(&'static Opener, usize)> {
        let mut position = from;
        loop {
            let rest = line.get(position..)?;
            let is_first = |byte: &u8| self.syntax.first.get(usize::from(*byte)) == Some(&true);
            position += rest.iter().position(is_first)?;
            let rest = line.get(position..)?;
            if rest.first() == Some(&b'\\') {
                position += 2;
                continue;
            }
            let before = position.checked_sub(1).and_then(|at| line.get(at));
            let opener = self.syntax.openers.iter().find(|opener| {
                rest.starts_with(opener.open)
                    && match opener.when {
                        When::Always => true,
                        When::AfterBlank => before.is_none_or(u8::is_ascii_whitespace),
                        When::Character => is_character(rest),
                        When::NoBrace => rest.get(1) != Some(&b'{'),
                    }
            });
            match opener {
                Some(opener) => return Some((opener, position + opener.open.len())),
                None => position += 1,
            }
        }
    }
}

/// Returns where what is open ends, and where the line goes on after it, if it does.
fn close(opener: &Opener, line: &[u8], from: usize) -> (usize, Option<usize>) {
    let mut position = from;
    if opener.close.is_empty() {
        return (line.len(), None);
    }
    while let Some(rest) = line.get(position..).filter(|rest| !rest.is_empty()) {
        if opener.escapes && rest.first() == Some(&b'\\') {
            position += 2;
        } else if rest.starts_with(opener.close) {
            return (position, Some(position + opener.close.len()));
        } else {
            position += 1;
        }
    }
    (line.len(), None)
}

/// Returns whether the quote at the start begins a character and not a lifetime.
fn is_character(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(byte) if byte.is_ascii() => rest.get(2) == Some(&b'\''),
        Some(_) => rest.iter().skip(2).take(4).any(|byte| *byte == b'\''),
        None => false,
    }
}

/// Returns whether the line looks like the inside of a block comment that was opened before it.
fn is_star_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line == b"*" || line.starts_with(b"* ") || line.starts_with(b"*/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows each byte of the lines as code (`.`), text (`t`) or comment (`c`).
    fn shown(language: &str, lines: &[&str]) -> Vec<String> {
        let mut reader = Reader::new(Syntax::of(Language::named(language)));
        let show = |line: &&str| {
            let spans = reader.line(line.as_bytes());
            let in_comment = |at: usize| {
                spans
                    .comments
                    .iter()
                    .any(|(start, end)| (*start..*end).contains(&at))
            };
            (0..line.len())
                .map(|at| match (in_comment(at), spans.in_text(at)) {
                    (true, _) => 'c',
                    (false, true) => 't',
                    (false, false) => '.',
                })
                .collect()
        };
        lines.iter().map(show).collect()
    }

    #[test]
    fn comments_and_strings_are_where_the_language_has_them() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("python", &["a('#') # b"], &["...t....cc"]),
            ("python", &["'''x", "y''' z"], &["...t", "t....."]),
            ("shell", &["$# 'a\\' # b"], &["....tt...cc"]),
            (
                "rust",
                &["'a, '\"' \"x", "y\" //"],
                &[".....t...t", "t...."],
            ),
            ("rust", &["r#\"a\"b\"# c"], &["...ttt...."]),
            (
                "javascript",
                &["`a", "b` /* c", "d */ e"],
                &[".t", "t....cc", "cc...."],
            ),
            ("javascript", &["\"a\\\"b\" //c"], &[".tttt....c"]),
            ("go", &[" * in a comment"], &["ccccccccccccccc"]),
            ("ruby", &["`#{a}` # b", "#{a}"], &[".tttt...cc", "...."]),
            ("text", &["it's # nothing"], &[".............."]),
        ];
        for (language, lines, expected) in cases {
            assert_eq!(shown(language, lines), *expected, "{language} {lines:?}");
        }
    }
}
