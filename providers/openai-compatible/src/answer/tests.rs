//! Every shape of answer, each with its own outcome.

use aurumcode_core::redact::Redactor;
use aurumcode_provider_http::header::HeaderValue;
use aurumcode_provider_http::{Key, StatusCode, Url};
use serde_json::json;

use super::*;

fn asked<R>(with: impl FnOnce(&Asked<'_>) -> R) -> R {
    with(&Asked {
        endpoint: "the endpoint http://h",
        api: "Chat Completions",
        model: &ModelId::new("m-1"),
        key: Key::Sent("LLM_API_KEY"),
        url_variable: "LLM_BASE_URL",
        model_setting: "--modelo or LLM_MODEL",
        redactor: &Redactor::new([]),
    })
}

fn read_bytes(body: &[u8], content_type: &str) -> Result<Completion, ProviderError> {
    let mut reply = Reply {
        body: body.to_vec(),
        ..Reply::new(StatusCode::OK, Url::parse("http://h").unwrap())
    };
    if let Ok(kind) = HeaderValue::from_str(content_type) {
        reply.headers.insert(CONTENT_TYPE, kind);
    }
    asked(|asked| read(&reply, asked, SystemTime::UNIX_EPOCH))
}

fn raw(body: &str, content_type: &str) -> Result<Completion, ProviderError> {
    read_bytes(body.as_bytes(), content_type)
}

fn json(body: &Value) -> Result<Completion, ProviderError> {
    raw(&body.to_string(), "application/json")
}

fn choice_of(message: &Value, finish: Option<&str>) -> Result<Completion, ProviderError> {
    json(&json!({"choices": [{"index": 0, "message": message, "finish_reason": finish}]}))
}

fn completion(text: &str, finish: Finish) -> Completion {
    Completion {
        text: text.to_owned(),
        finish,
        usage: None,
        served_by: None,
        adaptations: Vec::new(),
    }
}

const USAGE: Usage = Usage {
    input_tokens: 10,
    output_tokens: 5,
};

#[test]
fn the_usual_answer() {
    let body = json!({
        "id": "x", "object": "chat.completion", "model": "m-1-0613", "new_field": {"a": [1]},
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": null,
            "message": {"role": "assistant", "content": "{\"issues\":[]}", "refusal": null, "tool_calls": []}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    });
    let expected = Completion {
        text: "{\"issues\":[]}".to_owned(),
        finish: Finish::Stop,
        usage: Some(USAGE),
        served_by: Some(ModelId::new("m-1-0613")),
        adaptations: Vec::new(),
    };
    assert_eq!(json(&body), Ok(expected.clone()));
    assert_eq!(raw(&format!("\u{feff}\r\n {body}\n"), ""), Ok(expected));
}

#[test]
fn content_in_other_shapes() {
    let table = [
        (json!({"content": null}), completion("", Finish::Stop)),
        (json!({}), completion("", Finish::Stop)),
        (json!({"content": 7}), completion("", Finish::Stop)),
        (
            json!({"content": [
                {"type": "thinking", "thinking": "{\"issues\":[]}", "text": "no"},
                {"type": "reasoning", "text": "no"},
                {"type": "text", "text": "one "},
                {"text": "two "},
                "three ",
                {"type": "output_text", "text": {"value": "four"}},
            ]}),
            completion("one two three four", Finish::Stop),
        ),
        (
            json!({"content": null, "refusal": "I cannot help with that."}),
            completion("", Finish::Refused("I cannot help with that.".to_owned())),
        ),
        (
            json!({"content": [{"type": "refusal", "refusal": "No."}]}),
            completion("", Finish::Refused("No.".to_owned())),
        ),
        (
            json!({"content": "a", "reasoning_content": "{\"issues\":[]}"}),
            completion("a", Finish::Stop),
        ),
    ];
    for (message, expected) in table {
        assert_eq!(choice_of(&message, Some("stop")), Ok(expected), "{message}");
    }
}

#[test]
fn thoughts_in_the_text_are_no_answer() {
    let table = [
        ("<think>{\"issues\":[]}</think>\n{\"a\":1}", "{\"a\":1}"),
        ("\n<thinking>a</thinking>b", "b"),
        ("<think>cut {\"issues\":[]}", ""),
        ("I think so\n</think>\n\n{\"a\":1}", "{\"a\":1}"),
        (
            "{\"message\":\"a\n</think>\nb\"}",
            "{\"message\":\"a\n</think>\nb\"}",
        ),
        ("{\"m\":\"<think>\"}", "{\"m\":\"<think>\"}"),
    ];
    for (text, answer) in table {
        assert_eq!(
            choice_of(&json!({"content": text}), Some("stop")),
            Ok(completion(answer, Finish::Stop))
        );
    }
}

#[test]
fn why_it_ended() {
    let table = [
        (Some("stop"), Finish::Stop),
        (Some("STOP"), Finish::Stop),
        (Some("end_turn"), Finish::Stop),
        (Some("length"), Finish::Length),
        (Some("MAX_TOKENS"), Finish::Length),
        (Some("content_filter"), Finish::Filtered),
        (Some("SAFETY"), Finish::Filtered),
        (Some("refusal"), Finish::Refused(String::new())),
        (Some("a new word"), Finish::Unstated),
        (Some(""), Finish::Unstated),
        (None, Finish::Unstated),
    ];
    for (word, finish) in table {
        assert_eq!(
            choice_of(&json!({"content": "{}"}), word),
            Ok(completion("{}", finish)),
            "{word:?}"
        );
    }
}

#[test]
fn usage_in_other_words() {
    let table = [
        (
            json!({"prompt_tokens": 10, "completion_tokens": 5}),
            Some((10, 5)),
        ),
        (
            json!({"input_tokens": 10, "output_tokens": 5}),
            Some((10, 5)),
        ),
        // Thoughts that are counted in the total alone.
        (
            json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}),
            Some((10, 30)),
        ),
        (
            json!({"prompt_tokens": 10, "total_tokens": 15}),
            Some((10, 5)),
        ),
        (
            json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}),
            None,
        ),
        (json!({"prompt_tokens": -1, "completion_tokens": 5}), None),
        (json!({"prompt_tokens": "10", "completion_tokens": 5}), None),
        (json!({"prompt_tokens": 10}), None),
        (json!(null), None),
        (json!([]), None),
    ];
    for (usage, expected) in table {
        let body = json!({"choices": [{"message": {"content": "a"}}], "usage": usage});
        let expected = expected.map(|(input_tokens, output_tokens)| Usage {
            input_tokens,
            output_tokens,
        });
        assert_eq!(json(&body).unwrap().usage, expected, "{usage}");
    }
}

#[test]
fn what_is_no_answer() {
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
    let mut told = Vec::new();
    let mut tell = |outcome: Result<Completion, ProviderError>| {
        let error = outcome.unwrap_err();
        told.push(format!(
            "{:?} {:?} {}",
            error.kind, error.billing, error.message
        ));
    };
    tell(raw("", "application/json"));
    tell(raw(
        "<!DOCTYPE html><html><body>404 page</body></html>",
        "text/html",
    ));
    tell(raw("Hello", "text/plain"));
    tell(raw("[]", ""));
    tell(raw("{}", ""));
    tell(json(&json!({"choices": [], "usage": usage})));
    tell(json(&json!({"choices": null})));
    tell(json(&json!({"choices": ["a"]})));
    tell(json(&json!({"error": {"message": "boom", "code": 500}})));
    tell(json(&json!({"error": "Unexpected thing", "usage": usage})));
    tell(json(
        &json!({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}),
    ));
    tell(choice_of(
        &json!({"content": "", "tool_calls": [{"id": "1"}]}),
        Some("stop"),
    ));
    tell(choice_of(
        &json!({"content": "{\"issues\":[]}"}),
        Some("tool_calls"),
    ));
    tell(choice_of(
        &json!({"content": "{\"issues\":["}),
        Some("error"),
    ));
    tell(json(
        &json!({"choices": [{"error": {"code": 502, "message": "upstream"}, "message": {"content": "half"}}]}),
    ));
    insta::assert_snapshot!(told.join("\n"), @r#"
        BadResponse Unknown the endpoint http://h answered HTTP 200 with an empty body
        BadResponse Unknown the endpoint http://h answered HTTP 200 with a page and not with an answer (check LLM_BASE_URL): a web page
        BadResponse Unknown the endpoint http://h answered HTTP 200 with something that is no JSON, or was cut: Hello
        BadResponse Unknown the endpoint http://h answered HTTP 200 with JSON that holds no choices: []
        BadResponse Unknown the endpoint http://h answered HTTP 200 with JSON that holds no choices: {}
        BadResponse Reported(Usage { input_tokens: 10, output_tokens: 5 }) the endpoint http://h answered HTTP 200 with JSON that holds no choices: {"choices":[],"usage":{"completion_tokens":5,"prompt_tokens":10}}
        BadResponse Unknown the endpoint http://h answered HTTP 200 with JSON that holds no choices: {"choices":null}
        BadResponse Unknown the endpoint http://h answered HTTP 200 with JSON that holds no choices: {"choices":["a"]}
        Overloaded { retry_after: None } Unknown the endpoint http://h is overloaded or failing (HTTP 500); the server says: boom
        BadResponse Reported(Usage { input_tokens: 10, output_tokens: 5 }) the endpoint http://h answered with an error instead of an answer; the server says: Unexpected thing
        RateLimited { retry_after: None } Unknown the endpoint http://h has had too many requests; the server says: slow down
        BadResponse Unknown the model at the endpoint http://h asked to call a tool instead of answering: name another model
        BadResponse Unknown the model at the endpoint http://h asked to call a tool instead of answering: name another model
        Overloaded { retry_after: None } Unknown the endpoint http://h broke off its own answer
        Overloaded { retry_after: None } Unknown the endpoint http://h is overloaded or failing (HTTP 502); the server says: upstream
        "#);
}

#[test]
fn a_filter_inside_a_success_is_no_clean_answer() {
    let body = json!({"error": {"code": "content_filter", "message": "filtered"}});
    assert_eq!(json(&body), Ok(completion("", Finish::Filtered)));
}

fn streamed(body: &str) -> Result<Completion, ProviderError> {
    raw(body, "text/event-stream; charset=utf-8")
}

#[test]
fn a_stream_that_nobody_asked_for() {
    let chunks = [
        ": keep-alive",
        "event: message\ndata: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"issues\\\"\"}}]}",
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"},\"finish_reason\":\"length\"}]}",
        "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\":[]}\",\"reasoning_content\":\"hm\"}}]}",
        "data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{},\"finish_reason\":\"stop\"}]}",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}",
        "data: [DONE]",
    ];
    let expected = Ok(Completion {
        usage: Some(USAGE),
        served_by: Some(ModelId::new("m-1")),
        ..completion("{\"issues\":[]}", Finish::Stop)
    });
    let body = format!("{}\n\n", chunks.join("\n\n"));
    assert_eq!(streamed(&body), expected);
    assert_eq!(streamed(&body.replace('\n', "\r\n")), expected);
    assert_eq!(streamed(&body.replace('\n', "\r")), expected);
    // Known by its form where the content type says something else.
    assert_eq!(raw(&body, "application/json"), expected);
}

#[test]
fn a_stream_that_ends_without_a_reason_is_a_cut_answer() {
    let chunk =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"issues\\\":[]}\"}}]}\n\n";
    let expected = Ok(completion("{\"issues\":[]}", Finish::Length));
    assert_eq!(streamed(chunk), expected);
    assert_eq!(streamed(&format!("{chunk}data: [DONE]\n\n")), expected);
    assert_eq!(
        streamed(&format!("{chunk}data: {{\"choices\":[{{\"ind")),
        expected
    );
}

#[test]
fn a_stream_that_breaks() {
    let chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
    let kind = |body: &str| streamed(body).unwrap_err().kind;
    assert_eq!(
        kind(&format!("data: nonsense\n\n{chunk}")),
        ErrorKind::BadResponse
    );
    assert_eq!(kind("data: [DONE]\n\n"), ErrorKind::BadResponse);
    assert_eq!(kind(""), ErrorKind::BadResponse);
    assert_eq!(
        kind(&format!(
            "{chunk}data: {{\"error\":{{\"code\":503,\"message\":\"gone\"}}}}\n\n"
        )),
        ErrorKind::Overloaded { retry_after: None }
    );
}

proptest::proptest! {
    #[test]
    fn no_bytes_panic(body in proptest::collection::vec(proptest::num::u8::ANY, 0..200), kind in ".{0,20}") {
        let _ = read_bytes(&body, &kind);
    }

    #[test]
    fn no_stream_panics(lines in proptest::collection::vec("(data: ?)?(\\{\"choices\":\\[\\{\"delta\":\\{\\}\\}\\]\\}|.{0,10})", 0..8)) {
        let _ = streamed(&lines.join("\n"));
    }
}
