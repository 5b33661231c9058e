//! The source holds to what every source has to hold to.

use aurumcode_core::provider::{ErrorKind, Finish};
use aurumcode_provider_conformance::{
    Answer, Failure, Http, HttpResponse, HttpSource, Setting, Settings, check_source,
};
use aurumcode_provider_openai_compatible as _;
use serde_json::{Value, json};

struct OpenAiCompatible;

impl HttpSource for OpenAiCompatible {
    fn name(&self) -> &'static str {
        "openai-compatible"
    }

    fn settings(&self, url: &str, secret: &str) -> Settings {
        Settings::new()
            .variable("LLM_BASE_URL", format!("{url}/v1"))
            .variable("LLM_API_KEY", secret)
            .variable("LLM_MODEL", "model-of-the-test")
    }

    fn answer(&self, answer: &Answer) -> Option<Value> {
        let mut message = json!({"role": "assistant", "content": answer.text});
        let reason = match &answer.finish {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::Filtered => "content_filter",
            Finish::Refused(_) => {
                message = json!({"role": "assistant", "content": null, "refusal": "no"});
                "stop"
            }
            Finish::Unstated => return None,
        };
        Some(json!({
            "object": "chat.completion",
            "model": "model-of-the-test",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {
                "prompt_tokens": answer.usage.input_tokens,
                "completion_tokens": answer.usage.output_tokens,
            },
        }))
    }

    fn failure(&self, failure: &Failure) -> Option<HttpResponse> {
        let words = &failure.words;
        let (status, code, message) = match failure.kind {
            ErrorKind::Authentication => (401, "invalid_api_key", words.clone()),
            ErrorKind::Permission => (403, "permission_denied", words.clone()),
            ErrorKind::ModelNotFound => (404, "model_not_found", words.clone()),
            ErrorKind::RateLimited { .. } => (429, "rate_limit_exceeded", words.clone()),
            ErrorKind::QuotaExhausted => (429, "insufficient_quota", words.clone()),
            ErrorKind::Overloaded { .. } => (503, "server_error", words.clone()),
            ErrorKind::TooLong { limit_tokens } => (
                400,
                "context_length_exceeded",
                format!(
                    "This model's maximum context length is {} tokens. {words}",
                    limit_tokens?
                ),
            ),
            ErrorKind::Rejected => (400, "invalid_request_error", words.clone()),
            _ => return None,
        };
        Some(HttpResponse {
            status,
            body: json!({"error": {"message": message, "code": code}}),
        })
    }

    fn changes(&self) -> Vec<Setting> {
        vec![
            Setting::variable("LLM_BASE_URL", "http://127.0.0.1:9/v1"),
            Setting::variable("LLM_BASE_URL", "http://127.0.0.1:9/v1?tenant=a"),
            Setting::variable("LLM_MODEL", "another"),
            Setting::model("third"),
            Setting::variable("AURUMCODE_RESPONSE_FORMAT", "none"),
            Setting::variable("AURUMCODE_EXTRA_BODY", "{\"seed\":1}"),
            Setting::variable("AURUMCODE_EXTRA_HEADERS", "{\"x-tenant\":\"a\"}"),
        ]
    }

    fn keeps(&self) -> Vec<Setting> {
        vec![Setting::variable("LLM_API_KEY", "renewed")]
    }
}

#[test]
fn it_conforms() {
    check_source(&Http(OpenAiCompatible));
}
