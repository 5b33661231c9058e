//! What a server says when it refuses: one shape out of the many that vendors use.
//!
//! Vendors put a message, codes (as strings or as numbers) and sometimes a parameter, a wait or a
//! limit into an object, an array, a bare string or a page. Nothing here judges; see
//! [`crate::classify`].

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::{Reply, wait};

/// A server's refusal, read from status, headers and body.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The server's words, unredacted and of any length.
    pub message: String,
    /// The parameter that the server names as the culprit, where it does so in a field of its own.
    pub parameter: Option<String>,
    /// The vendor's codes in small letters, the most telling first.
    pub(crate) codes: Vec<String>,
    /// How long the server asks to wait.
    pub(crate) wait: Option<Duration>,
    /// The window that the server names in a field of its own, in tokens.
    pub(crate) window: Option<u64>,
    /// Whether the body is a page for people, so that no API answered.
    pub(crate) is_page: bool,
}

impl Refusal {
    /// Reads what came back instead of a success. `now` is the time of day.
    pub fn of(reply: &Reply, now: SystemTime) -> Self {
        Self::read(reply.status.as_u16(), &reply.headers, &reply.body, now)
    }

    /// Reads a refusal. `now` is the time of day, for a date in the headers.
    pub fn read(status: u16, headers: &HeaderMap, body: &[u8], now: SystemTime) -> Self {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{feff}').trim();
        let mut refusal = match serde_json::from_str::<Value>(text) {
            Ok(value) => Self::from_value(status, &value, now),
            Err(_) => Self::plain(status, text),
        };
        if refusal.message.is_empty() {
            text.clone_into(&mut refusal.message);
        }
        refusal.wait = wait::in_headers(headers, now).or(refusal.wait);
        refusal
    }

    /// Reads an error that stands inside an answer whose status says success.
    pub fn in_answer(error: &Value, now: SystemTime) -> Self {
        let mut refusal = Self::from_value(200, error, now);
        if refusal.message.is_empty() {
            refusal.message = error.to_string();
        }
        // A gateway that answers 200 puts the status of whatever stands behind it into the code.
        let status = refusal.codes.iter().find_map(|code| code.parse().ok());
        refusal.status = status
            .filter(|status| (400..600).contains(status))
            .unwrap_or(200);
        refusal
    }

    fn plain(status: u16, text: &str) -> Self {
        Self {
            status,
            message: text.to_owned(),
            parameter: None,
            codes: Vec::new(),
            wait: wait::in_words(text),
            window: None,
            is_page: text.starts_with('<'),
        }
    }

    fn from_value(status: u16, root: &Value, now: SystemTime) -> Self {
        let root = match root {
            Value::Array(list) => list.first().unwrap_or(&Value::Null),
            other => other,
        };
        let error = ["error", "errors"]
            .into_iter()
            .filter_map(|name| root.get(name))
            .map(|error| error.get(0).unwrap_or(error))
            .find(|error| error.is_object() || error.is_string())
            .unwrap_or(root);
        let mut message = words(error).or_else(|| words(root)).unwrap_or_default();
        // A gateway's own words say little; those of the provider behind it stand here.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            message.push_str(": ");
            message.push_str(raw);
        }
        let mut codes = Vec::new();
        for holder in [error, error.get("innererror").unwrap_or(&Value::Null), root] {
            for name in ["code", "type", "status", "__type"] {
                let code = match holder.get(name) {
                    Some(Value::String(code)) => code.to_lowercase(),
                    Some(Value::Number(code)) => code.to_string(),
                    _ => continue,
                };
                if !code.is_empty() && !codes.contains(&code) {
                    codes.push(code);
                }
            }
        }
        let parameter = error.get("param").and_then(Value::as_str);
        Self {
            status,
            parameter: parameter.map(str::to_owned),
            codes,
            wait: stated_wait(error, now).or_else(|| wait::in_words(&message)),
            window: error.get("n_ctx").and_then(Value::as_u64),
            is_page: false,
            message,
        }
    }

    /// Returns the vendor's most telling code, where there is one.
    pub fn code(&self) -> Option<&str> {
        let word = self.codes.iter().find(|code| code.parse::<u64>().is_err());
        word.or(self.codes.first()).map(String::as_str)
    }

    /// Returns whether the vendor gives one of `codes`, which are in small letters.
    pub fn has_code(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    /// Returns whether the server's words hold one of `words`, which are in small letters.
    pub fn says(&self, words: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        words.iter().any(|word| message.contains(word))
    }

    /// Returns whether a filter of the endpoint stopped the request.
    pub fn is_content_filter(&self) -> bool {
        const CODES: [&str; 7] = [
            "content_filter",
            "content_filtered",
            "content_policy_violation",
            "contentpolicyviolationerror",
            "data_inspection_failed",
            "prohibited_content",
            "responsibleaipolicyviolation",
        ];
        const WORDS: [&str; 5] = [
            "content_filter",
            "content management policy",
            "contentpolicyviolation",
            "content policy violation",
            "flagged by moderation",
        ];
        matches!(self.status, 200 | 400 | 403 | 422) && (self.has_code(&CODES) || self.says(&WORDS))
    }
}

/// Returns the words for people in an error object, whatever its field is called.
fn words(error: &Value) -> Option<String> {
    if let Value::String(text) = error {
        return Some(text.clone());
    }
    [
        "message",
        "msg",
        "detail",
        "error",
        "Message",
        "error_description",
    ]
    .into_iter()
    .filter_map(|name| error.get(name))
    .find_map(|value| match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Object(_) => words(value),
        Value::Array(list) => complaints(list),
        _ => None,
    })
}

/// Joins a validator's complaints, each a place and what is wrong there. What such a validator
/// repeats of the request is left out: it names every parameter.
fn complaints(list: &[Value]) -> Option<String> {
    const MOST: usize = 8;
    let complaints: Vec<String> = list
        .iter()
        .take(MOST)
        .filter_map(|complaint| {
            let what = words(complaint)?;
            let place: Vec<&str> = complaint
                .get("loc")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            Some(if place.is_empty() {
                what
            } else {
                format!("{}: {what}", place.join("."))
            })
        })
        .collect();
    (!complaints.is_empty()).then(|| complaints.join("; "))
}

/// Returns the wait that an error object states in a field of its own.
fn stated_wait(error: &Value, now: SystemTime) -> Option<Duration> {
    let details = error.get("details").and_then(Value::as_array);
    let delay = details
        .into_iter()
        .flatten()
        .find_map(|detail| detail.get("retryDelay").and_then(Value::as_str));
    if let Some(delay) = delay {
        return wait::in_words(&format!("retry in {delay}"));
    }
    if let Some(seconds) = error.get("retry_after").and_then(Value::as_f64) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let reset = error.pointer("/metadata/headers/X-RateLimit-Reset")?;
    match reset {
        Value::String(reset) => wait::at_moment(reset, now),
        Value::Number(reset) => wait::at_moment(&reset.to_string(), now),
        _ => None,
    }
}
