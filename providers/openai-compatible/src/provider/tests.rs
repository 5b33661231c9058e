//! The source against a server that records every request and answers from a script.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aurumcode_core::provider::{
    Billing, BuildContext, CallNumber, Environment, Prompt, Registry, RetryAdvice, SelectionError,
    Unready, Usage,
};
use serde_json::json;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;

/// A key whose shape no pattern knows.
const KEY: &str = "unusual-key-of-the-user";

#[derive(Default)]
struct Quiet {
    notes: Mutex<Vec<String>>,
}

#[async_trait]
impl Run for Quiet {
    fn note(&self, note: Note) {
        self.notes.lock().unwrap().push(note.text);
    }
    fn random(&self) -> u64 {
        0
    }
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    async fn sleep(&self, _: Duration) {}
}

fn select(variables: &[(&str, &str)], model: Option<&str>) -> Result<Arc<dyn Provider>, Unready> {
    crate::build(&BuildContext {
        environment: &Environment::new(variables.iter().copied()),
        flags: &BTreeMap::new(),
        model: model.map(ModelId::new).as_ref(),
    })
}

fn ready(variables: &[(&str, &str)]) -> Arc<dyn Provider> {
    select(variables, None).unwrap()
}

/// A source for a server, under `/v1`, with a key and a model.
fn source(server: &MockServer, more: &[(&str, &str)]) -> Arc<dyn Provider> {
    let base = format!("{}/v1", server.uri());
    let mut variables = vec![
        ("LLM_API_KEY", KEY),
        ("LLM_BASE_URL", base.as_str()),
        ("LLM_MODEL", "m-1"),
    ];
    variables.extend_from_slice(more);
    ready(&variables)
}

fn request(output_cap: Option<u32>) -> Request {
    Request {
        prompt: Prompt {
            instructions: "review this".into(),
            material: "### File: a.rs\n+x".to_owned(),
        },
        answer_schema: Arc::new(json!({"type": "object"})),
        output_cap,
        call: CallNumber { number: 1, of: 1 },
    }
}

fn answer() -> Value {
    json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "{\"issues\":[]}"}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    })
}

fn clean(adaptations: &[&str]) -> Completion {
    Completion {
        text: "{\"issues\":[]}".to_owned(),
        finish: Finish::Stop,
        usage: Some(Usage {
            input_tokens: 10,
            output_tokens: 5,
        }),
        served_by: None,
        adaptations: adaptations.iter().map(ToString::to_string).collect(),
    }
}

/// Answers each request with the next of a script.
async fn script(responses: Vec<(u16, Value)>) -> MockServer {
    let server = MockServer::start().await;
    for (number, (status, body)) in responses.into_iter().enumerate() {
        Mock::given(method("POST"))
            .respond_with(ResponseTemplate::new(status).set_body_json(body))
            .up_to_n_times(1)
            .with_priority(u8::try_from(number + 1).unwrap())
            .mount(&server)
            .await;
    }
    server
}

fn refused(message: &str) -> (u16, Value) {
    (
        400,
        json!({"error": {"message": message, "type": "invalid_request_error"}}),
    )
}

async fn bodies(server: &MockServer) -> Vec<Value> {
    let requests = server.received_requests().await.unwrap();
    requests
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap())
        .collect()
}

fn whole_body() -> Value {
    json!({
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "review this"},
            {"role": "user", "content": "### File: a.rs\n+x"},
        ],
        "temperature": 0.3,
        "response_format": {"type": "json_schema", "json_schema": {
            "name": "review", "strict": true, "schema": {"type": "object"}}},
    })
}

fn without(mut body: Value, names: &[&str]) -> Value {
    for name in names {
        body.as_object_mut().unwrap().remove(*name);
    }
    body
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

#[tokio::test]
async fn the_whole_request() {
    let server = script(vec![(200, answer())]).await;
    let completion = source(&server, &[])
        .complete(&request(None), &Quiet::default())
        .await;
    assert_eq!(completion, Ok(clean(&[])));
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 1);
    let request = &requests[0];
    assert_eq!(
        (request.url.path(), request.url.query()),
        ("/v1/chat/completions", None)
    );
    let headers: BTreeMap<&str, &str> = request
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .filter(|(name, _)| !matches!(*name, "host" | "content-length" | "user-agent"))
        .collect();
    let authorization = format!("Bearer {KEY}");
    assert_eq!(
        headers,
        BTreeMap::from([
            ("accept", "application/json"),
            ("accept-encoding", "gzip,deflate"),
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
        ])
    );
    assert_eq!(bodies(&server).await, [whole_body()]);
}

#[tokio::test]
async fn the_cap_is_sent_exactly_when_there_is_one() {
    let server = script(vec![(200, answer())]).await;
    let completion = source(&server, &[])
        .complete(&request(Some(3000)), &Quiet::default())
        .await;
    assert_eq!(completion, Ok(clean(&[])));
    assert_eq!(
        bodies(&server).await,
        [with(whole_body(), "max_tokens", json!(3000))]
    );
}

#[tokio::test]
async fn extra_headers_and_fields_and_another_form() {
    let server = script(vec![(200, answer())]).await;
    let source = source(
        &server,
        &[
            (
                "AURUMCODE_EXTRA_HEADERS",
                r#"{"X-Team": "a", "Authorization": "Custom b"}"#,
            ),
            (
                "AURUMCODE_EXTRA_BODY",
                r#"{"user": "ci", "temperature": null, "seed": 7}"#,
            ),
            ("AURUMCODE_RESPONSE_FORMAT", "json_object"),
        ],
    );
    source
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap();
    let expected = json!({
        "model": "m-1", "messages": whole_body()["messages"], "user": "ci", "seed": 7,
        "response_format": {"type": "json_object"},
    });
    assert_eq!(bodies(&server).await, [expected]);
    let requests = server.received_requests().await.unwrap();
    let sent = |name: &str| {
        requests[0]
            .headers
            .get(name)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        (sent("x-team").as_str(), sent("authorization").as_str()),
        ("a", "Custom b")
    );
}

#[tokio::test]
async fn azure_takes_the_key_in_its_own_header_and_keeps_its_version() {
    let server = script(vec![(200, answer())]).await;
    let base = format!(
        "{}/openai/deployments/d/?api-version=2024-06-01",
        server.uri()
    );
    let source = ready(&[("LLM_API_KEY", KEY), ("LLM_BASE_URL", &base)]);
    source
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(
        requests[0].url.path(),
        "/openai/deployments/d/chat/completions"
    );
    assert_eq!(requests[0].url.query(), Some("api-version=2024-06-01"));
    assert_eq!(requests[0].headers.get("api-key").unwrap(), KEY);
    assert_eq!(requests[0].headers.get("authorization"), None);
}

#[tokio::test]
async fn a_loopback_server_needs_no_key_and_gets_the_user_of_the_url() {
    let server = script(vec![(200, answer()), (200, answer())]).await;
    let source = ready(&[("LLM_BASE_URL", &server.uri())]);
    source
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap();
    let with_user = server.uri().replace("http://", "http://us%40er:word@");
    let source = ready(&[("LLM_BASE_URL", &with_user)]);
    source
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests[0].headers.get("authorization"), None);
    assert_eq!(
        requests[1].headers.get("authorization").unwrap(),
        "Basic dXNAZXI6d29yZA=="
    );
}

#[tokio::test]
async fn a_bare_host_is_tried_once_under_v1_and_that_is_remembered() {
    let server = MockServer::start().await;
    Mock::given(path("/chat/completions"))
        .respond_with(ResponseTemplate::new(404).set_body_string("404 page not found"))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(path("/v1/chat/completions"))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer()))
        .expect(2)
        .mount(&server)
        .await;
    let source = ready(&[("LLM_BASE_URL", &server.uri())]);
    let before = source.identity();
    for _ in 0..2 {
        let completion = source.complete(&request(None), &Quiet::default()).await;
        assert_eq!(completion, Ok(clean(&[])));
    }
    assert_eq!(source.identity(), before);
}

#[tokio::test]
async fn a_path_that_was_given_and_a_model_that_is_unknown_are_not_tried_under_v1() {
    let server = script(vec![
        (404, json!({"detail": "Not Found"})),
        (404, json!({"error": {"message": "The model `gpt-4` does not exist", "code": "model_not_found"}})),
    ])
    .await;
    let error = source(&server, &[])
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Rejected);
    let bare = ready(&[("LLM_BASE_URL", &server.uri())]);
    let error = bare
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::ModelNotFound);
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn refused_parameters_are_adapted_once_each_and_remembered() {
    let server = script(vec![
        refused("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refused("Unsupported value: 'temperature' does not support 0.3"),
        refused("'response_format' of type 'json_schema' is not supported"),
        (200, answer()),
        (200, answer()),
    ])
    .await;
    let source = source(&server, &[]);
    let before = source.identity();
    let told = [
        "the output cap was sent as max_completion_tokens",
        "temperature was left out",
        "response_format was left out",
    ];
    for _ in 0..2 {
        let completion = source
            .complete(&request(Some(3000)), &Quiet::default())
            .await;
        assert_eq!(completion, Ok(clean(&told)));
    }
    assert_eq!(source.identity(), before);
    let capped = |name: &str| with(whole_body(), name, json!(3000));
    let last = without(
        capped("max_completion_tokens"),
        &["temperature", "response_format"],
    );
    assert_eq!(
        bodies(&server).await,
        [
            capped("max_tokens"),
            capped("max_completion_tokens"),
            without(capped("max_completion_tokens"), &["temperature"]),
            last.clone(),
            last,
        ]
    );
}

#[tokio::test]
async fn a_cap_above_the_model_s_is_lowered_for_the_run() {
    let server = script(vec![
        refused("max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000."),
        (200, answer()),
        (200, answer()),
    ])
    .await;
    let source = source(&server, &[]);
    let run = Quiet::default();
    assert_eq!(
        source.complete(&request(Some(5000)), &run).await,
        Ok(clean(&["the output cap was lowered to 4096 tokens"]))
    );
    assert_eq!(
        source.complete(&request(Some(3000)), &run).await,
        Ok(clean(&[]))
    );
    let caps: Vec<_> = bodies(&server)
        .await
        .iter()
        .map(|body| body["max_tokens"].clone())
        .collect();
    assert_eq!(caps, [5000, 4096, 3000]);
}

#[tokio::test]
async fn a_cap_that_is_refused_under_both_names_ends_the_call() {
    let server = script(vec![
        refused("unknown parameter max_tokens"),
        refused("unknown parameter max_completion_tokens"),
    ])
    .await;
    let error = source(&server, &[])
        .complete(&request(Some(3000)), &Quiet::default())
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.billing, error.retry_advice()),
        (ErrorKind::Rejected, Billing::NotBilled, RetryAdvice::Never)
    );
    assert!(
        error
            .message
            .contains("neither as max_tokens nor as max_completion_tokens")
    );
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_400_that_names_nothing_and_a_422_that_does() {
    let server = script(vec![
        refused("no"),
        (422, json!({"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted", "input": {"max_tokens": 1}}]})),
        (200, answer()),
    ])
    .await;
    let source = source(&server, &[]);
    let run = Quiet::default();
    let error = source.complete(&request(None), &run).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Rejected);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    let completion = source.complete(&request(None), &run).await;
    assert_eq!(completion, Ok(clean(&["temperature was left out"])));
}

#[tokio::test]
async fn calls_at_the_same_time_share_what_was_learnt() {
    let server = MockServer::start().await;
    let temperature = wiremock::matchers::body_string_contains("\"temperature\"");
    Mock::given(method("POST"))
        .and(temperature)
        .respond_with(
            ResponseTemplate::new(400).set_body_json(
                json!({"error": {"message": "temperature", "param": "temperature"}}),
            ),
        )
        .with_priority(1)
        .expect(1..=4)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer()))
        .expect(5)
        .mount(&server)
        .await;
    let source = source(&server, &[]);
    let (run, request) = (Quiet::default(), request(None));
    let call = || source.complete(&request, &run);
    let (one, two, three, four) = tokio::join!(call(), call(), call(), call());
    for completion in [one, two, three, four, call().await] {
        assert_eq!(completion, Ok(clean(&["temperature was left out"])));
    }
}

#[tokio::test]
async fn errors_by_kind_with_the_key_masked() {
    let server = script(vec![
        (401, json!({"error": {"message": format!("Incorrect API key provided: {KEY}"), "code": "invalid_api_key"}})),
        (404, json!({"error": {"message": "The model `m-1` has been deprecated", "code": "model_not_found"}})),
        (500, json!({"error": "x".repeat(400)})),
    ])
    .await;
    let source = source(&server, &[]);
    let mut told = Vec::new();
    for _ in 0..3 {
        let error = source
            .complete(&request(None), &Quiet::default())
            .await
            .unwrap_err();
        assert!(!format!("{error:?}").contains(KEY));
        let message = error.message.replace(&server.uri(), "http://server");
        told.push(format!("{:?} {:?} {message}", error.kind, error.billing));
    }
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
    insta::assert_snapshot!(told.join("\n"), @r#"
        Authentication NotBilled the endpoint http://server/v1 refuses the key (HTTP 401): check LLM_API_KEY; the server says: Incorrect API key provided: [REDACTED]
        ModelNotFound NotBilled the endpoint http://server/v1 does not serve a model named "m-1" (HTTP 404): name one that it serves with --modelo or LLM_MODEL; the server says: The model `m-1` has been deprecated
        Overloaded { retry_after: None } Unknown the endpoint http://server/v1 is overloaded or failing (HTTP 500); the server says: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        "#);
}

#[tokio::test]
async fn a_filter_that_answers_400_is_a_filtered_answer() {
    let server = script(vec![(
        400,
        json!({"error": {"code": "content_filter", "message": "filtered by temperature"}}),
    )])
    .await;
    let completion = source(&server, &[])
        .complete(&request(None), &Quiet::default())
        .await;
    assert_eq!(
        completion,
        Ok(Completion {
            text: String::new(),
            finish: Finish::Filtered,
            usage: None,
            served_by: None,
            adaptations: Vec::new(),
        })
    );
}

#[tokio::test]
async fn a_redirect_leaves_every_secret_behind_and_says_so() {
    let away = script(vec![(401, json!({"error": "who?"}))]).await;
    let home = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(
            ResponseTemplate::new(307).insert_header("location", format!("{}/there", away.uri())),
        )
        .mount(&home)
        .await;
    let source = source(
        &home,
        &[("AURUMCODE_EXTRA_HEADERS", r#"{"x-gateway-key": "hush"}"#)],
    );
    let error = source
        .complete(&request(None), &Quiet::default())
        .await
        .unwrap_err();
    assert!(
        error.message.contains("where the key was not sent"),
        "{error}"
    );
    let requests = away.received_requests().await.unwrap();
    let names: Vec<_> = requests[0]
        .headers
        .keys()
        .map(|name| name.as_str().to_owned())
        .collect();
    assert!(
        !names
            .iter()
            .any(|name| name == "authorization" || name == "x-gateway-key"),
        "{names:?}"
    );
}

#[test]
fn which_settings_name_this_source() {
    let told = |variables: &[(&str, &str)]| match select(variables, None) {
        Err(Unready::NotMine(text)) => format!("not mine: {text}"),
        Err(Unready::Broken(error)) => format!("broken: {error}"),
        Err(Unready::Setup(error)) => format!("usage: {error}"),
        Ok(source) => format!("ready: {}", source.label()),
    };
    let url = ("LLM_BASE_URL", "https://user:word@api.example/v1/?key=word");
    let key = ("LLM_API_KEY", KEY);
    let lines = [
        told(&[]),
        told(&[key]),
        told(&[url]),
        told(&[("LLM_API_KEY", " \n"), url]),
        told(&[key, ("LLM_BASE_URL", " ")]),
        told(&[key, url]),
        told(&[("LLM_BASE_URL", "http://ollama:11434/v1")]),
        told(&[("LLM_BASE_URL", "localhost:11434")]),
        told(&[("LLM_API_KEY", "a\nb"), url]),
        told(&[key, url, ("AURUMCODE_RESPONSE_FORMAT", "xml")]),
        told(&[key, url, ("AURUMCODE_EXTRA_BODY", "[]")]),
        told(&[key, url, ("AURUMCODE_EXTRA_BODY", r#"{"model":"m"}"#)]),
        told(&[key, url, ("AURUMCODE_EXTRA_HEADERS", r#"{"a b":"c"}"#)]),
        told(&[key, url, ("AURUMCODE_EXTRA_HEADERS", "{")]),
        told(&[key, url, ("AURUMCODE_EXTRA_HEADERS", r#"{"host":"c"}"#)]),
        told(&[key, url, ("AURUMCODE_MAX_OUTPUT_TOKENS", "many")]),
        told(&[key, url, ("AURUMCODE_HTTP_TIMEOUT", "never")]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r#"
        not mine: set LLM_API_KEY and LLM_BASE_URL, or LLM_BASE_URL alone for a local host
        not mine: LLM_API_KEY is set and LLM_BASE_URL is not: set it too
        not mine: LLM_BASE_URL is set and LLM_API_KEY is not: set it too, because https://api.example/v1 is no local host
        not mine: LLM_BASE_URL is set and LLM_API_KEY is not: set it too, because https://api.example/v1 is no local host
        not mine: LLM_API_KEY is set and LLM_BASE_URL is not: set it too
        ready: openai-compatible endpoint https://api.example/v1
        ready: openai-compatible endpoint http://ollama:11434/v1
        broken: LLM_BASE_URL does not begin with http:// or https://; give one like https://api.openai.com/v1
        broken: LLM_API_KEY holds characters that no header can hold: check what it was copied from
        broken: AURUMCODE_RESPONSE_FORMAT must be json_schema, json_object or none (got "xml")
        broken: AURUMCODE_EXTRA_BODY is no JSON object
        broken: AURUMCODE_EXTRA_BODY cannot set `model`, which comes from --modelo or LLM_MODEL
        broken: AURUMCODE_EXTRA_HEADERS: "a b" is no name of a header
        broken: AURUMCODE_EXTRA_HEADERS is no JSON object (line 1, column 1)
        broken: AURUMCODE_EXTRA_HEADERS: "host" is set by aurumcode itself
        usage: AURUMCODE_MAX_OUTPUT_TOKENS must be a whole number from 1 to 4294967295 (got "many")
        usage: AURUMCODE_HTTP_TIMEOUT must be a number of seconds above 0 and at most 86400 (got "never")
        "#);
}

#[test]
fn the_model_on_the_command_line_beats_the_variable() {
    let local = ("LLM_BASE_URL", "http://localhost");
    let model = |variables: &[(&str, &str)], asked: Option<&str>| {
        select(variables, asked)
            .unwrap()
            .resolve_model()
            .to_string()
    };
    assert_eq!(model(&[local], None), "gpt-4");
    assert_eq!(model(&[local, ("LLM_MODEL", " m-1 ")], None), "m-1");
    assert_eq!(model(&[local, ("LLM_MODEL", "m-1")], Some("m-2")), "m-2");
}

#[test]
fn the_identity_changes_with_all_that_can_change_the_answer_and_with_nothing_else() {
    let base = [
        ("LLM_API_KEY", KEY),
        (
            "LLM_BASE_URL",
            "https://user:word@h.example/v1?api-version=1&sig=word",
        ),
        ("LLM_MODEL", "m-1"),
    ];
    let identity = |more: &[(&str, &str)]| {
        let mut variables = base.to_vec();
        variables.extend_from_slice(more);
        ready(&variables).identity()
    };
    let plain = identity(&[]);
    insta::assert_snapshot!(format!("{plain:?}"), @r#"Identity { parts: Some([("contract", "1"), ("endpoint", "https://h.example/v1/chat/completions api-version=1"), ("asked model", "m-1"), ("temperature", "0.3"), ("response_format", "json_schema")]) }"#);
    for same in [
        ("LLM_API_KEY", "another"),
        (
            "LLM_BASE_URL",
            "https://h.example/v1/?api-version=1&sig=other",
        ),
        ("AURUMCODE_HTTP_TIMEOUT", "7"),
        ("AURUMCODE_CONTEXT_TOKENS", "8000"),
        ("AURUMCODE_RESPONSE_FORMAT", "json_schema"),
    ] {
        assert_eq!(identity(&[same]), plain, "{same:?}");
    }
    let others = [
        identity(&[("LLM_BASE_URL", "https://h.example/v2?api-version=1")]),
        identity(&[("LLM_BASE_URL", "https://h.example/v1?api-version=2")]),
        identity(&[("LLM_MODEL", "m-2")]),
        identity(&[("AURUMCODE_RESPONSE_FORMAT", "none")]),
        identity(&[("AURUMCODE_EXTRA_BODY", r#"{"seed":1}"#)]),
        identity(&[("AURUMCODE_EXTRA_BODY", r#"{"seed":2}"#)]),
        identity(&[("AURUMCODE_EXTRA_HEADERS", r#"{"x-route":"a"}"#)]),
        identity(&[("AURUMCODE_EXTRA_HEADERS", r#"{"x-route":"b"}"#)]),
    ];
    for (number, other) in others.iter().enumerate() {
        assert_ne!(*other, plain, "{number}");
        assert!(!others[..number].contains(other), "{number}");
    }
    assert_eq!(
        identity(&[("AURUMCODE_EXTRA_HEADERS", r#"{"x-key":"a"}"#)]),
        identity(&[("AURUMCODE_EXTRA_HEADERS", r#"{"x-key":"b"}"#)])
    );
}

#[test]
fn nothing_that_is_printed_holds_a_secret() {
    let source = ready(&[
        ("LLM_API_KEY", KEY),
        (
            "LLM_BASE_URL",
            "https://user:pass-word@h.example/v1?sig=query-secret",
        ),
        (
            "AURUMCODE_EXTRA_HEADERS",
            r#"{"x-gateway-key":"header-secret"}"#,
        ),
        ("HTTPS_PROXY", "http://user:proxy-secret@proxy.example"),
    ]);
    let printed = format!("{source:?} {} {:?}", source.label(), source.identity());
    for secret in [
        KEY,
        "pass-word",
        "query-secret",
        "header-secret",
        "proxy-secret",
    ] {
        assert!(!printed.contains(secret), "{secret} in {printed}");
    }
}

#[test]
fn the_source_is_registered_once_under_its_name() {
    let registry = Registry::linked().unwrap();
    let names: Vec<_> = registry
        .sources()
        .iter()
        .map(|source| (source.name, source.position))
        .collect();
    assert_eq!(names, [("openai-compatible", Some(20))]);
    let environment = Environment::new([("LLM_API_KEY", KEY), ("LLM_BASE_URL", "x")]);
    let context = BuildContext {
        environment: &environment,
        flags: &BTreeMap::new(),
        model: None,
    };
    assert!(matches!(
        registry.select(&context),
        Err(SelectionError::Broken {
            name: "openai-compatible",
            ..
        })
    ));
}
