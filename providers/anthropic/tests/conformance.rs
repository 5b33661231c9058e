//! The source holds to what every source has to hold to.

use aurumcode_core::provider::{ErrorKind, Finish};
use aurumcode_provider_anthropic as _;
use aurumcode_provider_conformance::{
    Answer, Failure, Http, HttpResponse, HttpSource, Setting, Settings, check_source,
};
use serde_json::{Value, json};

struct Anthropic;

impl HttpSource for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn settings(&self, url: &str, secret: &str) -> Settings {
        Settings::new()
            .variable("ANTHROPIC_BASE_URL", url)
            .variable("ANTHROPIC_API_KEY", secret)
            .variable("LLM_MODEL", "claude-of-the-test")
    }

    fn answer(&self, answer: &Answer) -> Option<Value> {
        let reason = match &answer.finish {
            Finish::Stop => "end_turn",
            Finish::Length => "max_tokens",
            Finish::Refused(_) => "refusal",
            Finish::Filtered | Finish::Unstated => return None,
        };
        Some(json!({
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-of-the-test",
            "content": [{"type": "text", "text": answer.text}],
            "stop_reason": reason,
            "usage": {
                "input_tokens": answer.usage.input_tokens,
                "output_tokens": answer.usage.output_tokens,
            },
        }))
    }

    fn failure(&self, failure: &Failure) -> Option<HttpResponse> {
        let words = &failure.words;
        let (status, code, message) = match failure.kind {
            ErrorKind::Authentication => (401, "authentication_error", words.clone()),
            ErrorKind::Permission => (403, "permission_error", words.clone()),
            ErrorKind::ModelNotFound => {
                (404, "not_found_error", "model: claude-of-the-test".into())
            }
            ErrorKind::RateLimited { .. } => (429, "rate_limit_error", words.clone()),
            ErrorKind::QuotaExhausted => (
                400,
                "invalid_request_error",
                format!("Your credit balance is too low to access the API. {words}"),
            ),
            ErrorKind::Overloaded { .. } => (529, "overloaded_error", words.clone()),
            ErrorKind::TooLong { limit_tokens } => (
                400,
                "invalid_request_error",
                format!(
                    "prompt is too long: 9000 tokens > {} maximum",
                    limit_tokens?
                ),
            ),
            ErrorKind::Rejected => (400, "invalid_request_error", words.clone()),
            _ => return None,
        };
        Some(HttpResponse {
            status,
            body: json!({"type": "error", "error": {"type": code, "message": message}}),
        })
    }

    fn changes(&self) -> Vec<Setting> {
        vec![
            Setting::variable("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
            Setting::variable("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/proxy"),
            Setting::variable("LLM_MODEL", "claude-another"),
            Setting::model("claude-third"),
        ]
    }

    fn keeps(&self) -> Vec<Setting> {
        vec![Setting::variable("ANTHROPIC_API_KEY", "renewed")]
    }
}

#[test]
fn it_conforms() {
    check_source(&Http(Anthropic));
}
