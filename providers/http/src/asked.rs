//! Who was asked for what, and what came back that is no answer.

use std::time::SystemTime;

use aurumcode_core::provider::{Billing, ErrorKind, ModelId, ProviderError};
use aurumcode_core::redact::Redactor;
use serde_json::Value;

use crate::words::excerpt;
use crate::{Refusal, Reply, classify};

/// What a source knows of a key for its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a> {
    /// The source takes none.
    None,
    /// The variable that would hold one is not set.
    Unset(&'a str),
    /// The one that this variable holds was sent.
    Sent(&'a str),
}

/// Who was asked for what, in the words that the users of a source know.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The endpoint as people may see it.
    pub endpoint: &'a str,
    /// What the endpoint has to speak, such as `the Messages API`.
    pub api: &'a str,
    /// The model that was asked for.
    pub model: &'a ModelId,
    /// The key.
    pub key: Key<'a>,
    /// The variable that holds the endpoint's URL.
    pub url_variable: &'a str,
    /// What names another model, such as `--modelo`.
    pub model_setting: &'a str,
    /// What masks the key in the server's words.
    pub redactor: &'a Redactor,
}

impl Asked<'_> {
    /// Reads the body of a success, which has to be JSON.
    pub fn json(&self, reply: &Reply) -> Result<Value, ProviderError> {
        let text = reply.text();
        if text.is_empty() {
            return Err(self.no_answer(reply, "an empty body"));
        }
        if text.starts_with('<') {
            let what = format!(
                "a page and not with an answer (check {})",
                self.url_variable
            );
            return Err(self.no_answer(reply, &what));
        }
        serde_json::from_str(&text)
            .map_err(|_| self.no_answer(reply, "something that is no JSON, or was cut"))
    }

    /// Says of a success that it is `what` instead of an answer, and quotes it.
    pub fn no_answer(&self, reply: &Reply, what: &str) -> ProviderError {
        let status = reply.status.as_u16();
        let mut message = format!("{} answered HTTP {status} with {what}", self.endpoint);
        let words = excerpt(&reply.text(), self.redactor);
        if !words.is_empty() {
            message.push_str(": ");
            message.push_str(&words);
        }
        ProviderError {
            status: Some(status),
            ..ProviderError::new(ErrorKind::BadResponse, message).billed(Billing::Unknown)
        }
    }

    /// Says what it means that there is no success. `now` is the time of day.
    pub fn refused(&self, reply: &Reply, now: SystemTime) -> ProviderError {
        classify(&Refusal::of(reply, now), self)
    }
}

#[cfg(test)]
mod tests {
    use reqwest::{StatusCode, Url};

    use super::*;

    fn read(body: &str) -> Result<Value, String> {
        let redactor = Redactor::new(["hush-hush-hush".to_owned()]);
        let asked = Asked {
            endpoint: "the endpoint http://h",
            api: "an API",
            model: &ModelId::new("m"),
            key: Key::None,
            url_variable: "URL",
            model_setting: "--modelo",
            redactor: &redactor,
        };
        let reply = Reply {
            body: body.into(),
            ..Reply::new(StatusCode::OK, Url::parse("http://h").unwrap())
        };
        asked.json(&reply).map_err(|error| error.message)
    }

    #[test]
    fn json_is_read_and_everything_else_is_named() {
        assert_eq!(read("\u{feff}\r\n [1]\n"), Ok(serde_json::json!([1])));
        for (body, what) in [
            (" \n", "an empty body"),
            (
                "<html><title>Sign in</title>",
                "a page and not with an answer (check URL): a web page titled Sign in",
            ),
            (
                "{\"a\": \"hush-hush-hush",
                "something that is no JSON, or was cut: {\"a\": \"[REDACTED]",
            ),
        ] {
            let message = format!("the endpoint http://h answered HTTP 200 with {what}");
            assert_eq!(read(body), Err(message), "{body}");
        }
    }
}
