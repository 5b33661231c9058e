//! The answer, as the API writes it.

use std::time::SystemTime;

use aurumcode_core::provider::{
    Billing, Completion, ErrorKind, Finish, ModelId, ProviderError, Usage,
};
use aurumcode_provider_http::{Asked, Refusal, Reply, excerpt};
use serde::Deserialize;

use crate::source::refused;

/// What is read of an answer; fields that are not named here are passed over.
#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    model: Option<String>,
    stop_reason: Option<String>,
    usage: Option<Counted>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Counted {
    #[serde(rename = "input_tokens")]
    input: u64,
    #[serde(rename = "output_tokens")]
    output: u64,
    // What went into or came out of the endpoint's own cache is counted apart, and is paid for.
    #[serde(rename = "cache_creation_input_tokens")]
    into_cache: Option<u64>,
    #[serde(rename = "cache_read_input_tokens")]
    from_cache: Option<u64>,
}

/// Reads the body of a success.
pub(crate) fn read(
    reply: &Reply,
    asked: &Asked<'_>,
    now: SystemTime,
) -> Result<Completion, ProviderError> {
    let value = asked.json(reply)?;
    if value.get("error").is_some_and(|error| !error.is_null()) {
        let error = refused(Refusal::in_answer(&value, now), asked);
        return Err(error.billed(Billing::Unknown));
    }
    match serde_json::from_value::<Message>(value) {
        Ok(message) => message.completion(asked),
        Err(_) => Err(asked.no_answer(reply, "JSON that is no message")),
    }
}

impl Message {
    fn completion(self, asked: &Asked<'_>) -> Result<Completion, ProviderError> {
        let usage = self.usage.map(|counted| Usage {
            input_tokens: counted
                .input
                .saturating_add(counted.into_cache.unwrap_or_default())
                .saturating_add(counted.from_cache.unwrap_or_default()),
            output_tokens: counted.output,
        });
        // What the model thought on its way is no part of the answer.
        let text: String = self
            .content
            .into_iter()
            .filter(|block| block.kind == "text")
            .map(|block| block.text)
            .collect();
        let finish = match self.stop_reason.as_deref() {
            Some("end_turn" | "stop_sequence") => Finish::Stop,
            Some("max_tokens" | "model_context_window_exceeded" | "pause_turn") => Finish::Length,
            Some("refusal") => Finish::Refused(excerpt(&text, asked.redactor)),
            Some("tool_use") => {
                let message = format!(
                    "the model at {} asked to call a tool instead of answering: name another model",
                    asked.endpoint
                );
                let billing = usage.map_or(Billing::Unknown, Billing::Reported);
                return Err(ProviderError::new(ErrorKind::BadResponse, message).billed(billing));
            }
            _ => Finish::Unstated,
        };
        Ok(Completion {
            text,
            finish,
            usage,
            served_by: self.model.filter(|name| !name.is_empty()).map(ModelId::new),
            adaptations: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use aurumcode_core::redact::Redactor;
    use aurumcode_provider_http::{Key, StatusCode, Url};
    use serde_json::{Value, json};

    use super::*;

    fn read_value(value: &Value) -> Result<Completion, ProviderError> {
        let asked = Asked {
            endpoint: "the endpoint",
            api: "the Messages API",
            model: &ModelId::new("m"),
            key: Key::Sent("KEY"),
            url_variable: "URL",
            model_setting: "--modelo",
            redactor: &Redactor::default(),
        };
        let reply = Reply {
            body: value.to_string().into(),
            ..Reply::new(StatusCode::OK, Url::parse("http://h").unwrap())
        };
        read(&reply, &asked, SystemTime::UNIX_EPOCH)
    }

    #[test]
    fn text_is_joined_thoughts_are_not_and_every_token_is_counted() {
        let answer = json!({
            "type": "message",
            "model": "m-1",
            "stop_reason": "end_turn",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "x"},
                {"type": "text", "text": "{\"issues\":"},
                {"type": "text", "text": "[]}"},
            ],
            "usage": {
                "input_tokens": 1, "output_tokens": 2,
                "cache_creation_input_tokens": 30, "cache_read_input_tokens": 400,
            },
        });
        assert_eq!(
            read_value(&answer),
            Ok(Completion {
                text: "{\"issues\":[]}".to_owned(),
                finish: Finish::Stop,
                usage: Some(Usage {
                    input_tokens: 431,
                    output_tokens: 2,
                }),
                served_by: Some(ModelId::new("m-1")),
                adaptations: Vec::new(),
            })
        );
    }

    #[test]
    fn an_answer_ends_as_the_api_says() {
        let finish = |reason: Value| {
            let answer =
                json!({"content": [{"type": "text", "text": "no"}], "stop_reason": reason});
            read_value(&answer).map(|completion| completion.finish)
        };
        for (reason, expected) in [
            (json!("end_turn"), Finish::Stop),
            (json!("stop_sequence"), Finish::Stop),
            (json!("max_tokens"), Finish::Length),
            (json!("model_context_window_exceeded"), Finish::Length),
            (json!("pause_turn"), Finish::Length),
            (json!("refusal"), Finish::Refused("no".to_owned())),
            (json!("a new word"), Finish::Unstated),
            (Value::Null, Finish::Unstated),
        ] {
            assert_eq!(finish(reason.clone()), Ok(expected), "{reason}");
        }
        let error = finish(json!("tool_use")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadResponse);
    }

    #[test]
    fn an_error_under_a_success_is_an_error() {
        let error = read_value(&json!({
            "type": "error",
            "error": {"type": "overloaded_error", "message": "Overloaded"},
        }));
        assert_eq!(
            error.unwrap_err().kind,
            ErrorKind::Overloaded { retry_after: None }
        );
    }
}
