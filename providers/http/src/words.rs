//! A server's words and a URL, as a message may show them.

use std::borrow::Cow;

use aurumcode_core::limits::QUOTED_CHARACTERS;
use aurumcode_core::redact::Redactor;
use aurumcode_core::text;
use reqwest::Url;

/// How much of a server's text is looked at. It is far more than is quoted, so that a secret that
/// begins before the cut is still recognised.
const READ_CHARACTERS: usize = 64 * 1024;

/// Returns what may be quoted of a server's own words: on one line, without secrets, with a web
/// page reduced to its title, and at most [`QUOTED_CHARACTERS`] characters.
pub fn excerpt(words: &str, redactor: &Redactor) -> String {
    let words: String = words.chars().take(READ_CHARACTERS).collect();
    let words = match page_title(&words) {
        Some(title) => Cow::Owned(title),
        None => Cow::Borrowed(words.as_str()),
    };
    let redacted = redactor.text(&words);
    text::excerpt(redacted.trim(), QUOTED_CHARACTERS)
}

/// Returns what a web page is about, or nothing when the text is no web page.
fn page_title(words: &str) -> Option<String> {
    let start = words.trim_start_matches('\u{feff}').trim_start();
    let head: String = start.chars().take(15).collect::<String>().to_lowercase();
    if !(head.starts_with("<!doctype html") || head.starts_with("<html")) {
        return None;
    }
    let lower = start.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|at| {
        let from = at + "<title>".len();
        let length = lower.get(from..)?.find("</title>")?;
        start.get(from..from + length)
    });
    Some(match title {
        Some(title) if !title.trim().is_empty() => format!("a web page titled {}", title.trim()),
        _ => "a web page".to_owned(),
    })
}

/// Returns a URL as people may see it: without user, password, query and fragment.
pub fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    shown.set_fragment(None);
    // Both fail only for URLs that cannot hold credentials in the first place.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    text::one_line(shown.as_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Redactor {
        Redactor::new([])
    }

    #[test]
    fn at_most_two_hundred_characters_are_quoted() {
        assert_eq!(excerpt(&"ä".repeat(200), &open()), "ä".repeat(200));
        assert_eq!(
            excerpt(&"ä".repeat(201), &open()),
            format!("{}…", "ä".repeat(199))
        );
    }

    #[test]
    fn a_key_that_straddles_the_cut_is_masked_before_it_is_cut() {
        let key = "k".repeat(40);
        let words = format!("{}{key}", "x ".repeat(90));
        let quoted = excerpt(&words, &Redactor::new([key]));
        assert!(!quoted.contains("kk"), "{quoted}");
    }

    #[test]
    fn line_breaks_and_escapes_stay_out_of_the_terminal() {
        assert_eq!(
            excerpt("one\r\n two\u{1b}[31m", &open()),
            "one two\\u{1b}[31m"
        );
    }

    #[test]
    fn a_web_page_is_named_by_its_title() {
        let page = "<!DOCTYPE html><html><head><TITLE>502 Bad Gateway</TITLE></head>";
        assert_eq!(excerpt(page, &open()), "a web page titled 502 Bad Gateway");
        assert_eq!(excerpt("<html><body>x", &open()), "a web page");
    }

    #[test]
    fn a_shown_url_has_no_credentials_and_no_query() {
        let url = Url::parse("https://user:word@host.example:8443/v1?api_key=x#y").unwrap();
        assert_eq!(shown(&url), "https://host.example:8443/v1");
    }
}
