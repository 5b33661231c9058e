//! What vendors really say, and what it means.

use std::time::SystemTime;

use aurumcode_core::provider::ModelId;
use aurumcode_core::redact::Redactor;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::*;

fn classified(status: u16, headers: &[(&str, &str)], body: &str) -> ProviderError {
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| {
            (
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            )
        })
        .collect();
    let refusal = Refusal::read(status, &headers, body.as_bytes(), SystemTime::UNIX_EPOCH);
    meaning(&refusal)
}

fn meaning(refusal: &Refusal) -> ProviderError {
    classify(
        refusal,
        &Asked {
            endpoint: "the endpoint http://h/v1",
            api: "Chat Completions",
            model: &ModelId::new("m-1"),
            key: Key::Sent("LLM_API_KEY"),
            url_variable: "LLM_BASE_URL",
            model_setting: "--modelo or LLM_MODEL",
            redactor: &Redactor::new(["hush-hush-hush".to_owned()]),
        },
    )
}

fn kind_of(status: u16, body: &serde_json::Value) -> ErrorKind {
    classified(status, &[], &body.to_string()).kind
}

const RATE: ErrorKind = ErrorKind::RateLimited { retry_after: None };
const OVERLOAD: ErrorKind = ErrorKind::Overloaded { retry_after: None };

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

#[test]
fn statuses_alone() {
    let table = [
        (301, ErrorKind::Rejected),
        (400, ErrorKind::Rejected),
        (401, ErrorKind::Authentication),
        (402, ErrorKind::QuotaExhausted),
        (403, ErrorKind::Permission),
        (404, ErrorKind::Rejected),
        (405, ErrorKind::Rejected),
        (408, ErrorKind::Timeout),
        (413, ErrorKind::TooLong { limit_tokens: None }),
        (422, ErrorKind::Rejected),
        (429, RATE),
        (500, OVERLOAD),
        (501, ErrorKind::Rejected),
        (502, OVERLOAD),
        (503, OVERLOAD),
        (504, ErrorKind::Timeout),
        (524, ErrorKind::Timeout),
        (529, OVERLOAD),
    ];
    for (status, kind) in table {
        assert_eq!(classified(status, &[], "").kind, kind, "{status}");
    }
}

#[test]
fn what_a_refusal_costs() {
    for (status, billing) in [
        (307, Billing::NotBilled),
        (400, Billing::NotBilled),
        (429, Billing::NotBilled),
        (408, Billing::Unknown),
        (500, Billing::Unknown),
        (504, Billing::Unknown),
    ] {
        assert_eq!(classified(status, &[], "").billing, billing, "{status}");
    }
}

#[test]
fn too_long_in_the_words_of_vendors() {
    let table = [
        (
            400,
            json!({"error": {"message": "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9001 tokens.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}),
            Some(8192),
        ),
        (
            400,
            json!({"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 2048}}),
            Some(2048),
        ),
        (
            400,
            json!({"error": {"message": "litellm.BadRequestError: litellm.ContextWindowExceededError: litellm.ContextWindowExceededError", "type": "invalid_request_error", "param": null, "code": "400"}}),
            None,
        ),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            Some(200_000),
        ),
        (
            400,
            json!([{"error": {"code": 400, "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}]),
            Some(1_048_576),
        ),
        (
            413,
            json!({"error": {"message": "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000", "type": "tokens", "code": "rate_limit_exceeded"}}),
            Some(6000),
        ),
        (
            429,
            json!({"error": {"message": "Request too large for x on tokens per min (TPM): Limit 30000, Requested 40000.", "type": "tokens", "code": "rate_limit_exceeded"}}),
            Some(30_000),
        ),
    ];
    for (status, body, limit_tokens) in table {
        assert_eq!(
            kind_of(status, &body),
            ErrorKind::TooLong { limit_tokens },
            "{body}"
        );
    }
}

#[test]
fn other_kinds_in_the_words_of_vendors() {
    let table = [
        (
            429,
            json!({"error": {"message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "param": null, "code": "insufficient_quota"}}),
            ErrorKind::QuotaExhausted,
        ),
        (
            429,
            json!([{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing details.", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "x", "retryDelay": "36s"}]}}]),
            ErrorKind::RateLimited {
                retry_after: Some(seconds(36.0)),
            },
        ),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}),
            ErrorKind::QuotaExhausted,
        ),
        (
            400,
            json!({"error": {"message": "Budget has been exceeded! Current cost: 1", "type": "budget_exceeded", "code": "400"}}),
            ErrorKind::QuotaExhausted,
        ),
        (
            400,
            json!({"error": {"message": "No connected db.", "type": "no_db_connection", "param": null, "code": "400"}}),
            ErrorKind::Authentication,
        ),
        (
            400,
            json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}]),
            ErrorKind::Authentication,
        ),
        (
            404,
            json!({"error": {"message": "The model `m-1` does not exist or you do not have access to it.", "type": "invalid_request_error", "param": null, "code": "model_not_found"}}),
            ErrorKind::ModelNotFound,
        ),
        (
            404,
            json!({"error": "model \"m-1\" not found, try pulling it first"}),
            ErrorKind::ModelNotFound,
        ),
        (
            400,
            json!({"error": {"message": "/chat/completions: Invalid model name passed in model=m-1. Call `/v1/models` to view available models for your key.", "type": "invalid_request_error", "param": "model", "code": "400"}}),
            ErrorKind::ModelNotFound,
        ),
        (
            404,
            json!({"error": {"code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist."}}),
            ErrorKind::ModelNotFound,
        ),
        (404, json!({"detail": "Not Found"}), ErrorKind::Rejected),
        (
            529,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            OVERLOAD,
        ),
        (
            429,
            json!({"error": {"message": "Rate limit reached for x: Limit 3, Used 3. Please try again in 20s.", "type": "requests", "code": "rate_limit_exceeded"}}),
            ErrorKind::RateLimited {
                retry_after: Some(seconds(20.0)),
            },
        ),
        (
            400,
            json!({"__type": "ThrottlingException", "message": "Too many requests"}),
            RATE,
        ),
        // A server that fails by itself while it speaks of lengths is asked again.
        (
            500,
            json!({"error": "maximum context length of the worker"}),
            OVERLOAD,
        ),
        // A refused cap is no prompt that is too long.
        (
            400,
            json!({"error": {"message": "max_tokens is too large: 5000. This model supports at most 4096 completion tokens", "type": "invalid_request_error", "param": "max_tokens", "code": null}}),
            ErrorKind::Rejected,
        ),
    ];
    for (status, body, kind) in table {
        assert_eq!(kind_of(status, &body), kind, "{body}");
    }
}

#[test]
fn the_header_beats_the_words() {
    let error = classified(429, &[("retry-after", "7")], "Please try again in 20s.");
    assert_eq!(
        error.kind,
        ErrorKind::RateLimited {
            retry_after: Some(seconds(7.0))
        }
    );
    let error = classified(503, &[("retry-after", "2")], "");
    assert_eq!(
        error.kind,
        ErrorKind::Overloaded {
            retry_after: Some(seconds(2.0))
        }
    );
}

#[test]
fn messages_read_like_help() {
    let message =
        |status: u16, body: serde_json::Value| classified(status, &[], &body.to_string()).message;
    let long = "x".repeat(300);
    insta::assert_snapshot!(
        [
            message(401, json!({"error": {"message": "Incorrect API key provided: hush-hush-hush.", "code": "invalid_api_key"}})),
            message(403, json!({"message": "no access"})),
            message(404, json!({"error": {"message": "gone", "code": "model_not_found"}})),
            message(404, json!({"detail": "Not Found"})),
            message(429, json!({"error": {"message": "slow down, try again in 1.5s"}})),
            message(402, json!({"error": {"message": "Insufficient Balance"}})),
            message(400, json!({"error": {"message": "maximum context length is 10 tokens"}})),
            message(400, json!({"error": {"message": "bad\nrequest \u{1b}[1m"}})),
            classified(502, &[], "<html><title>502 Bad Gateway</title>").message,
            classified(504, &[], "").message,
            classified(302, &[], "").message,
            classified(400, &[], &long).message,
        ]
        .join("\n"),
        @r#"
        the endpoint http://h/v1 refuses the key (HTTP 401): check LLM_API_KEY; the server says: Incorrect API key provided: [REDACTED].
        the endpoint http://h/v1 does not allow this key to use the model "m-1" (HTTP 403): use another key or another model; the server says: no access
        the endpoint http://h/v1 does not serve a model named "m-1" (HTTP 404): name one that it serves with --modelo or LLM_MODEL; the server says: gone
        nothing that speaks Chat Completions answers at the endpoint http://h/v1 (HTTP 404): check LLM_BASE_URL; the server says: Not Found
        the endpoint http://h/v1 has had too many requests and asks to wait 1.5 s (HTTP 429); the server says: slow down, try again in 1.5s
        the account's quota at the endpoint http://h/v1 is used up (HTTP 402): check its plan and billing; the server says: Insufficient Balance
        the request is longer than the 10 tokens that the endpoint http://h/v1 takes for the model "m-1" (HTTP 400); the server says: maximum context length is 10 tokens
        the endpoint http://h/v1 rejects the request (HTTP 400); the server says: bad request \u{1b}[1m
        the endpoint http://h/v1 is overloaded or failing (HTTP 502); the server says: a web page titled 502 Bad Gateway
        the endpoint http://h/v1 did not get an answer from the model "m-1" in time (HTTP 504)
        the endpoint http://h/v1 points to another address (HTTP 302): set LLM_BASE_URL to it
        the endpoint http://h/v1 rejects the request (HTTP 400); the server says: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        "#
    );
}

/// Where the source takes no key, the endpoint is what can be changed.
#[test]
fn a_server_that_wants_what_the_source_does_not_have() {
    let refusal = |status| Refusal::read(status, &HeaderMap::new(), b"", SystemTime::UNIX_EPOCH);
    let messages: Vec<_> = [Key::None, Key::Unset("KEY"), Key::Sent("KEY")]
        .into_iter()
        .flat_map(|key| [401, 403, 404].map(|status| (key, status)))
        .map(|(key, status)| {
            let asked = Asked {
                endpoint: "http://h",
                api: "the API of the test",
                model: &ModelId::new("m"),
                key,
                url_variable: "URL",
                model_setting: "MODEL",
                redactor: &Redactor::default(),
            };
            classify(&refusal(status), &asked).message
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    http://h asks for a key (HTTP 401): check URL
    http://h does not allow the use of the model "m" without a key (HTTP 403): check URL
    nothing that speaks the API of the test answers at http://h (HTTP 404): check URL
    http://h asks for a key (HTTP 401): set KEY
    http://h does not allow the use of the model "m" without a key (HTTP 403): set KEY
    nothing that speaks the API of the test answers at http://h (HTTP 404): check URL
    http://h refuses the key (HTTP 401): check KEY
    http://h does not allow this key to use the model "m" (HTTP 403): use another key or another model
    nothing that speaks the API of the test answers at http://h (HTTP 404): check URL
    "#);
}

#[test]
fn an_error_inside_a_success_takes_the_status_that_its_code_says() {
    let inside = |error: serde_json::Value| {
        let error = meaning(&Refusal::in_answer(&error, SystemTime::UNIX_EPOCH));
        (error.kind, error.status, error.code)
    };
    assert_eq!(
        inside(json!({"error": {"code": 429, "message": "Rate limited"}})),
        (RATE, Some(429), Some("429".to_owned()))
    );
    assert_eq!(
        inside(json!({"error": {"code": "server_error", "message": "boom"}})),
        (
            ErrorKind::BadResponse,
            Some(200),
            Some("server_error".to_owned())
        )
    );
    assert_eq!(
        inside(json!({"error": "boom"})),
        (ErrorKind::BadResponse, Some(200), None)
    );
    assert_eq!(
        inside(
            json!({"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 64, "message": "m"}})
        ),
        (
            ErrorKind::TooLong {
                limit_tokens: Some(64)
            },
            Some(400),
            Some("exceed_context_size_error".to_owned())
        )
    );
}

#[test]
fn a_validator_is_quoted_without_what_it_repeats_of_the_request() {
    let body = json!({"detail": [
        {"loc": ["body", "max_tokens"], "msg": "Extra inputs are not permitted", "input": {"temperature": 1}},
        {"loc": ["body", 3], "msg": "no"},
    ]});
    let refusal = Refusal::read(
        422,
        &HeaderMap::new(),
        body.to_string().as_bytes(),
        SystemTime::UNIX_EPOCH,
    );
    assert_eq!(
        refusal.message,
        "body.max_tokens: Extra inputs are not permitted; body: no"
    );
}

#[test]
fn filters_are_told_apart() {
    let filtered = |status: u16, body: serde_json::Value| {
        Refusal::read(
            status,
            &HeaderMap::new(),
            body.to_string().as_bytes(),
            SystemTime::UNIX_EPOCH,
        )
        .is_content_filter()
    };
    assert!(filtered(
        400,
        json!({"error": {"code": "content_filter", "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}})
    ));
    assert!(filtered(
        400,
        json!({"error": {"message": "litellm.BadRequestError: Exception: content_filter_policy", "code": "400"}})
    ));
    assert!(!filtered(400, json!({"error": {"message": "bad"}})));
    assert!(!filtered(
        429,
        json!({"error": {"message": "content_filter"}})
    ));
}

proptest::proptest! {
    #[test]
    fn no_refusal_panics_or_quotes_more_than_it_may(status in 0_u16..700, body in ".*") {
        let error = classified(status, &[], &body);
        proptest::prop_assert!(error.message.chars().count() < 200 + 200);
    }
}
