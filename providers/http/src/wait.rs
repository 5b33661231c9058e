//! How long a server asks to wait: headers that every server sends, and what single vendors put
//! into other headers or into the words of a body.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::{DATE, HeaderMap};

/// Returns the wait that the headers ask for. `now` stands in where the server states no date.
pub(crate) fn in_headers(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let server_now = text(DATE.as_str())
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or(now);
    if let Some(wait) = text("retry-after-ms").and_then(|value| scaled(value, 0.001)) {
        return Some(wait);
    }
    for name in ["retry-after", "llm_provider-retry-after"] {
        let Some(value) = text(name) else { continue };
        let wait = scaled(value, 1.0).or_else(|| {
            let date = httpdate::parse_http_date(value.trim()).ok()?;
            // A date that has passed asks for no wait at all.
            Some(date.duration_since(server_now).unwrap_or_default())
        });
        if wait.is_some() {
            return wait;
        }
    }
    ["requests", "tokens"]
        .into_iter()
        // A counter that has something left is not what refused the call.
        .filter(|counter| {
            let left = text(&format!("x-ratelimit-remaining-{counter}"));
            left.is_some_and(|left| left.trim() == "0")
        })
        .filter_map(|counter| text(&format!("x-ratelimit-reset-{counter}")))
        .filter_map(|value| spelled(value).map(|(wait, _)| wait))
        .max()
        .or_else(|| at_moment(text("x-ratelimit-reset")?, now))
}

/// Returns the wait that a server's words ask for, such as `try again in 1m30s`.
pub(crate) fn in_words(words: &str) -> Option<Duration> {
    const LEADS: [&str; 6] = [
        "try again in ",
        "retry in ",
        "try again after ",
        "retry after ",
        "retry_after: ",
        "retrydelay: ",
    ];
    let words = words.to_lowercase();
    LEADS.iter().find_map(|lead| {
        words
            .match_indices(lead)
            .find_map(|(at, _)| spelled(words.get(at + lead.len()..)?).map(|(wait, _)| wait))
    })
}

/// Reads a moment since 1970, in seconds or in milliseconds, or a number of seconds from now.
pub(crate) fn at_moment(value: &str, now: SystemTime) -> Option<Duration> {
    /// A reset counted from 1970 is at least this many seconds; none counted from now is.
    const EPOCH_SECONDS: f64 = 1e9;
    const EPOCH_MILLISECONDS: f64 = 1e12;
    let number = value.trim().parse::<f64>().ok()?;
    if number < EPOCH_SECONDS {
        return scaled(value, 1.0);
    }
    let scale = if number < EPOCH_MILLISECONDS {
        1.0
    } else {
        0.001
    };
    let since_epoch = Duration::try_from_secs_f64(number * scale).ok()?;
    let moment = UNIX_EPOCH.checked_add(since_epoch)?;
    Some(moment.duration_since(now).unwrap_or_default())
}

/// Reads a number of units of `scale` seconds.
fn scaled(value: &str, scale: f64) -> Option<Duration> {
    let number = value.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(number * scale).ok()
}

/// Reads a length of time at the start of a text, such as `20s`, `1m30.5s`, `300ms`, `2 minutes`
/// or a bare `26` (seconds), and returns it with what follows.
fn spelled(text: &str) -> Option<(Duration, &str)> {
    let mut rest = text.trim_start();
    let mut total: Option<f64> = None;
    loop {
        let digits = rest
            .find(|character: char| !(character.is_ascii_digit() || character == '.'))
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        // A full stop that ends the sentence is no part of the number.
        let Ok(number) = number.trim_end_matches('.').parse::<f64>() else {
            break;
        };
        let unit = after.strip_prefix(' ').unwrap_or(after);
        let letters = unit
            .find(|character: char| !character.is_ascii_alphabetic())
            .unwrap_or(unit.len());
        let (word, behind) = unit.split_at_checked(letters)?;
        let scale = match word {
            "ms" | "millisecond" | "milliseconds" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            _ if total.is_none() => {
                total = Some(number);
                rest = after;
                break;
            }
            _ => break,
        };
        total = Some(total.unwrap_or(0.0) + number * scale);
        rest = behind;
    }
    let wait = Duration::try_from_secs_f64(total?).ok()?;
    Some((wait, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    type Headers = &'static [(&'static str, &'static str)];

    fn now() -> SystemTime {
        httpdate::parse_http_date("Mon, 02 Nov 2026 10:00:00 GMT").unwrap()
    }

    fn asked(headers: &[(&str, &str)]) -> Option<Duration> {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_bytes(name.as_bytes()).unwrap(),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect();
        in_headers(&headers, now())
    }

    #[test]
    fn waits_in_headers() {
        let seconds = |seconds: f64| Some(Duration::from_secs_f64(seconds));
        let table: [(Headers, Option<Duration>); 17] = [
            (&[], None),
            (&[("retry-after", "7")], seconds(7.0)),
            (&[("retry-after", " 1.5 ")], seconds(1.5)),
            (&[("retry-after", "0")], seconds(0.0)),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "soon")], None),
            (&[("retry-after", "1e400")], None),
            (
                &[("retry-after", "Mon, 02 Nov 2026 10:00:30 GMT")],
                seconds(30.0),
            ),
            (
                &[("retry-after", "Mon, 02 Nov 2026 09:00:00 GMT")],
                seconds(0.0),
            ),
            (
                &[
                    ("retry-after", "Mon, 02 Nov 2026 12:00:05 GMT"),
                    ("date", "Mon, 02 Nov 2026 12:00:00 GMT"),
                ],
                seconds(5.0),
            ),
            (
                &[("retry-after-ms", "250"), ("retry-after", "1")],
                seconds(0.25),
            ),
            (&[("llm_provider-retry-after", "9")], seconds(9.0)),
            (
                &[
                    ("x-ratelimit-remaining-requests", "0"),
                    ("x-ratelimit-reset-requests", "1m30s"),
                ],
                seconds(90.0),
            ),
            (
                &[
                    ("x-ratelimit-remaining-requests", "12"),
                    ("x-ratelimit-reset-requests", "6m0s"),
                    ("x-ratelimit-remaining-tokens", "0"),
                    ("x-ratelimit-reset-tokens", "20ms"),
                ],
                seconds(0.02),
            ),
            (&[("x-ratelimit-reset", "12")], seconds(12.0)),
            (&[("x-ratelimit-reset", "1793613600")], seconds(0.0)),
            (&[("x-ratelimit-reset", "1793613610000")], seconds(10.0)),
        ];
        for (headers, expected) in table {
            assert_eq!(asked(headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn waits_in_words() {
        let table = [
            ("Please try again in 20s.", Some(20_000)),
            ("Please try again in 1m30.5s. Visit", Some(90_500)),
            ("try again in 300ms", Some(300)),
            ("Please retry after 26 seconds.", Some(26_000)),
            ("Please retry in 36.5s.", Some(36_500)),
            ("Try again in 2 minutes", Some(120_000)),
            ("retry after 5.", Some(5_000)),
            ("try again in 1h2m3s", Some(3_723_000)),
            ("try again in a moment; or try again in 4s", Some(4_000)),
            ("try again in ", None),
            ("try again later", None),
        ];
        for (words, expected) in table {
            assert_eq!(
                in_words(words),
                expected.map(Duration::from_millis),
                "{words}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_words_and_no_header_panic(words in ".*", value in "[ -~]*") {
            let _ = in_words(&words);
            let _ = in_words(&format!("try again in {words}"));
            let _ = at_moment(&value, now());
            let _ = asked(&[("retry-after", &value), ("x-ratelimit-reset", &value)]);
        }
    }
}
