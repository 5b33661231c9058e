//! Which names say that their value is a secret, and how surely they say so.

use super::words;

/// How surely a name says that its value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Any literal is a secret: `db_password`, `clientSecret`, `API_KEY`.
    Strong,
    /// The word has other meanings in programs: `token`, `pass`, `pwd`.
    Ambiguous,
    /// Only a value that looks random is a secret: `stripe_key`, `tokenForStaging`.
    Weak,
}

/// The longest name that is looked at, in bytes.
pub(super) const NAME_BYTES: usize = 96;

/// Splits a name into its words in lower case: at every byte that is no letter or digit, at a
/// change from a small to a capital letter, and between letters and a number at the end.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut last = ' ';
    while let Some(character) = characters.next() {
        if !character.is_alphanumeric() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            last = ' ';
            continue;
        }
        let starts = character.is_uppercase()
            && (last.is_lowercase()
                || last.is_ascii_digit()
                || last.is_uppercase()
                    && characters.peek().is_some_and(|next| next.is_lowercase()));
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(character.to_lowercase());
        last = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn is_secret_word(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    words::SECRET.end(word)
}

/// Returns whether a word is one that names of secrets, users and hosts are made of.
pub(super) fn is_vocabulary(word: &str) -> bool {
    is_secret_word(word) || words::VOCABULARY.has(word)
}

/// Returns how surely a name says that its value is a secret, or nothing where it does not.
pub(super) fn strength(name: &str) -> Option<Strength> {
    let last_part = name.rsplit('.').next().unwrap_or(name);
    let all = words(last_part);
    let mut words = all.as_slice();
    while let [rest @ .., last] = words {
        let digits = last.bytes().all(|byte| byte.is_ascii_digit());
        if rest.is_empty() || !(digits || words::QUALIFIER.has(last.as_str())) {
            break;
        }
        words = rest;
    }
    let (last, before) = words.split_last()?;
    let last = last.trim_end_matches(|character: char| character.is_ascii_digit());
    let previous = before.last().map(String::as_str).unwrap_or_default();
    let caption = || all.iter().any(|word| words::CAPTION.has(word.as_str()));
    let access_key_id = || before.len() > 1 && before.iter().any(|word| word == "access");
    match last {
        "token" if words::NOT_TOKEN.has(previous) => None,
        "token" if words::TOKEN.has(previous) && !caption() => Some(Strength::Strong),
        "key" if words::NOT_KEY.has(previous) || previous.is_empty() => None,
        "key" if words::KEY.has(previous) => Some(Strength::Strong),
        "id" if previous == "key" && access_key_id() => Some(Strength::Strong),
        "id" if previous == "session" => Some(Strength::Weak),
        "pass" | "pwd" | "pw" if words::PASS.has(previous) => Some(Strength::Strong),
        "token" | "pass" | "pwd" | "pw" | "mnemonic" => Some(Strength::Ambiguous),
        _ if words::PERHAPS.has(last) => Some(Strength::Weak),
        _ if is_secret_word(last) && !caption() => Some(Strength::Strong),
        _ if words::ABOUT.has(last) => None,
        _ if all
            .iter()
            .any(|word| is_secret_word(word) || word == "token") =>
        {
            Some(Strength::Weak)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_by_their_last_words() {
        let cases = [
            ("password", Some(Strength::Strong)),
            ("DB_PASSWORD", Some(Strength::Strong)),
            ("spring.datasource.password", Some(Strength::Strong)),
            ("aws_secret_access_key", Some(Strength::Strong)),
            ("AWSAccessKeyId", Some(Strength::Strong)),
            ("clientSecret2", Some(Strength::Strong)),
            ("SECRET_KEY_BASE", Some(Strength::Strong)),
            ("x-api-key", Some(Strength::Strong)),
            ("_authToken", Some(Strength::Strong)),
            ("dbpassword", Some(Strength::Strong)),
            ("senha", Some(Strength::Strong)),
            ("token", Some(Strength::Ambiguous)),
            ("pass", Some(Strength::Ambiguous)),
            ("DB_PASS", Some(Strength::Strong)),
            ("STRIPE_KEY", Some(Strength::Weak)),
            ("forgotPassword", Some(Strength::Weak)),
            ("password_for_reports", Some(Strength::Weak)),
            ("token_url", None),
            ("secretName", None),
            ("nextToken", None),
            ("primary_key", None),
            ("key", None),
            ("PASSWORD_MIN_LENGTH", None),
            ("password.length", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(strength(name), expected, "{name}");
        }
    }
}
