//! Whether what the redaction masks also shows that somebody wrote a credential down.
//!
//! The redaction rather masks too much; a finding has to be right. So a finding asks more of a
//! value: that it could be a real one, and that in this language it stands there as a literal.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::bytes::at;
use super::scan::{Kind, Span};
use super::{names, value, words};
use crate::change::Language;

/// Languages in which a value without quotes is an expression.
const PROGRAMS: &[&str] = &[
    "c",
    "clojure",
    "cpp",
    "csharp",
    "css",
    "dart",
    "elixir",
    "erlang",
    "go",
    "groovy",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "lua",
    "objective-c",
    "perl",
    "php",
    "python",
    "r",
    "ruby",
    "rust",
    "scala",
    "sql",
    "swift",
    "typescript",
    "zig",
];

/// Languages in which `=>` stands between a pattern and a value, or before a function's body.
const ARMS: &[&str] = &[
    "csharp",
    "dart",
    "elixir",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "rust",
    "scala",
    "swift",
    "typescript",
    "zig",
];

/// What begins a line that is a comment, in one language or another.
const COMMENTS: &[&str] = &["//", "/*", "* ", "#", "--", "<!--", ";", "%", "\"\"\""];

/// Returns whether the span of this line of the language shows a credential.
pub(super) fn is_evidence(line: &str, span: &Span, language: Option<Language>) -> bool {
    let value = line.get(span.start..span.end).unwrap_or_default();
    match span.kind {
        Kind::Token(_) | Kind::PrivateKey => true,
        Kind::Url | Kind::Command => match value.split_once(':') {
            Some((_, password)) => value::is_plausible(password),
            None => value::is_plausible(value),
        },
        Kind::Header => is_header(line, span.start, value),
        Kind::Phrase => value::is_plausible(value) || !is_comment(line),
        Kind::Named { start, end } => {
            let named = Named {
                line,
                name: (start, end),
                value: (span.start, span.end),
                language: language.map_or("", Language::name),
            };
            named.is_evidence(value)
        }
    }
}

fn is_header(line: &str, start: usize, credentials: &str) -> bool {
    let before = line.get(..start).unwrap_or_default().trim_end();
    let basic = before
        .get(before.len().saturating_sub(5)..)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic"));
    if !basic {
        return value::looks_random(credentials);
    }
    let decoded = STANDARD_NO_PAD.decode(credentials.trim_end_matches('='));
    decoded.is_ok_and(|pair| {
        let pair = String::from_utf8_lossy(&pair);
        let password = pair.split_once(':').map_or("", |(_, password)| password);
        value::is_plausible(password)
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    COMMENTS.iter().any(|opener| line.starts_with(opener))
}

/// A value with a name.
struct Named<'l> {
    line: &'l str,
    name: (usize, usize),
    value: (usize, usize),
    language: &'static str,
}

impl Named<'_> {
    fn is_evidence(&self, value: &str) -> bool {
        let name = self.line.get(self.name.0..self.name.1).unwrap_or_default();
        if !self.stands_as_literal() || is_program(value) || is_binary(value) {
            return false;
        }
        // Whoever chooses a password may take a word; a key, a token and what is drawn is none.
        let chosen = names::words(name)
            .iter()
            .any(|word| words::CHOSEN.end(word.strip_suffix('s').unwrap_or(word)));
        chosen && self.is_assigned() && !is_comment(self.line) || value::is_plausible(value)
    }

    fn byte(&self, position: usize) -> u8 {
        at(self.line.as_bytes(), position)
    }

    fn before(&self, position: usize) -> u8 {
        position.checked_sub(1).map_or(0, |place| self.byte(place))
    }

    /// Returns what stands between the name and the value.
    fn between(&self) -> &str {
        self.line.get(self.name.1..self.value.0).unwrap_or_default()
    }

    /// Returns whether the value stands where the language has a literal of this name.
    fn stands_as_literal(&self) -> bool {
        let (start, _) = self.name;
        let between = self.between();
        if between.contains("=>") && ARMS.contains(&self.language) {
            return false;
        }
        // The last word of a text in quotes is no name.
        let in_quotes = between.starts_with(['"', '\'', '`']);
        if in_quotes && !self.is_assigned() && !is_quote(self.before(start)) {
            return false;
        }
        let open = self.before(self.value.0);
        if self.language == "rust" && open == b'\'' {
            return false;
        }
        let before = self.line.get(..start).unwrap_or_default();
        let in_text = before.bytes().filter(|byte| is_quote(*byte)).count() % 2 == 1;
        let quoted = is_quote(open) || self.between().ends_with("&quot;");
        quoted
            || open == b'>'
            || in_text
            || self.is_line_of_variables()
            || !PROGRAMS.contains(&self.language)
    }

    /// Returns whether the line is one of a file of variables, which a program can hold as a text
    /// over several lines.
    fn is_line_of_variables(&self) -> bool {
        let name = self.line.get(..self.name.1).unwrap_or_default();
        let rest = self.line.get(self.value.1..).unwrap_or_default();
        let value = self.line.get(self.value.0..self.value.1);
        !name.contains(|byte: char| byte.is_ascii_lowercase())
            && self.between() == "="
            && rest.trim_end().is_empty()
            && value.is_some_and(value::looks_random)
    }

    /// Returns whether the value is set or compared, and neither an argument beside the name nor a
    /// part of a URL.
    fn is_assigned(&self) -> bool {
        let closing = ['"', '\'', '`', '\\', ']', ' '];
        let between = self.between().trim_start_matches(closing);
        let in_url = matches!(self.before(self.name.0), b'?' | b'&');
        !in_url && !between.starts_with([',', '(']) && between.contains(['=', ':', '>'])
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Returns whether a text ends inside the value and a program goes on.
fn is_program(value: &str) -> bool {
    value.contains('"') && value.contains(['(', ')', ','])
}

/// Returns whether the value is written as numbers of bytes: a test vector, a table.
fn is_binary(value: &str) -> bool {
    value.len() > 3
        && value
            .split("\\x")
            .skip(1)
            .all(|byte| byte.len() == 2 && byte.bytes().all(|digit| digit.is_ascii_hexdigit()))
        && value.starts_with("\\x")
}

#[cfg(test)]
mod tests {
    use super::super::secrets_in_line;
    use super::*;

    #[test]
    fn only_what_can_be_a_credential_is_one() {
        let drawn = ["q7Wz3KpXv9", "Rt5NbYd2Lm"].concat();
        let cases: &[(&str, &[&str], &[&str])] = &[
            (
                "rust",
                &[
                    "let password = \"hunter-two\";",
                    "let api_key = \"@\";",
                    "client.header(\"Authorization\", \"Bearer @\");",
                    "let url = \"postgres://app:@@db/main\";",
                    "/// let api_key = \"@\";",
                    "set(\"API_KEY\", \"@\");",
                    "API_KEY=@",
                ],
                &[
                    "Secret::Traffic => b\"c hs traffic\",",
                    "TrafficSecret => \"CLIENT_TRAFFIC_SECRET_0\",",
                    "let secret = b\"\\x9b\\xbe\\x43\\x6b\\xa9\\x40\\xf0\\x17\\xb1\\x76\";",
                    "sig: PayloadU16,",
                    "let private_key: Seed25519Bin<'_> = private_key",
                    "///     .text(\"password\", \"secret\");",
                    "/// (\"Set-Cookie\", \"name2=value2; Domain=example.com\"),",
                    "Shape::new(\"Google client secret\", &[\"GOCSPX-\"], \"GOCSPX-[a-z]{20}\"),",
                    "(\"LLM_API_KEY\", \"another\"),",
                    "const NAMES: [&str; 2] = [\"SECRET\", \"TOKEN\"];",
                    "assert_eq!(req.headers()[\"authorization\"], \"Bearer Hold my bear\");",
                    "Proxy::all(\"https://letme:in@host.local\")",
                    "header(\"Authorization\", \"Basic dXNlcm5hbWU6cGFzc3dvcmQ=\")",
                    "\"password=\\\"\".to_owned(),",
                    "\"https://host/?token=hush&sig=hush\",",
                ],
            ),
            (
                "python",
                &[
                    "password = 'swordfish'",
                    "if password == \"swordfish\":",
                    "dsn = \"Server=db;Password=@;Timeout=3\"",
                    "# client_secret = '@'",
                ],
                &[
                    "RULES = {\"hardcoded-secret\": {\"B105\", \"B106\"}}",
                    "# https://host/Ticket?id=2900&user=guest&pass=guest",
                    "private_key: Key25519 = load()",
                ],
            ),
            (
                "php",
                &["'password' => 'swordfish',"],
                &["$password = $_POST['password1'];"],
            ),
            (
                "env",
                &["DB_PASSWORD=swordfish", "API_KEY=@"],
                &["API_KEY=another"],
            ),
        ];
        for (language, positive, negative) in cases {
            let found = |line: &str| {
                let line = line.replacen('@', &drawn, 1);
                secrets_in_line(&line, Language::named(language)).len()
            };
            for line in *positive {
                assert_eq!(found(line), 1, "{language}: {line}");
            }
            for line in *negative {
                assert_eq!(found(line), 0, "{language}: {line}");
            }
        }
    }
}
