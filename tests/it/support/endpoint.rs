//! A Chat Completions endpoint that answers as a test says and remembers what it was asked.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::World;

/// One request as the endpoint saw it.
#[derive(Debug)]
pub(crate) struct Call {
    /// Which request of the endpoint's life it is, from 1.
    pub(crate) number: usize,
    pub(crate) body: Value,
    pub(crate) at: Instant,
}

impl Call {
    fn message(&self, index: usize) -> &str {
        self.body["messages"][index]["content"].as_str().unwrap()
    }

    /// Returns the part of the prompt that holds the change.
    pub(crate) fn material(&self) -> &str {
        self.message(1)
    }

    /// Returns the size of the whole prompt in bytes.
    pub(crate) fn prompt_bytes(&self) -> u64 {
        (self.message(0).len() + 1 + self.message(1).len()) as u64
    }

    /// Returns the files that the request is about.
    pub(crate) fn files(&self) -> Vec<String> {
        self.material()
            .lines()
            .filter_map(|line| line.strip_prefix("### File: "))
            .map(str::to_owned)
            .collect()
    }

    /// Returns an answer with one finding about each file.
    pub(crate) fn review(&self) -> String {
        let finding = |file: &String| {
            json!({
                "file": file, "line": 1, "severity": "warning", "rule_id": "quality/dead-code",
                "message": format!("Something about {file}."),
            })
        };
        let issues: Vec<Value> = self.files().iter().map(finding).collect();
        json!({ "issues": issues }).to_string()
    }
}

/// Returns the line of a finding as [`Call::review`] makes it.
pub(crate) fn finding(file: &str) -> String {
    format!("{file}:1: [warning] Something about {file}. (rule quality/dead-code: Dead Code)\n")
}

/// Returns a response with this answer and, where they are given, the tokens that were counted.
pub(crate) fn completion(text: &str, usage: Option<(u64, u64)>) -> ResponseTemplate {
    let mut body = json!({
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    });
    if let Some((input, output)) = usage {
        body["usage"] = json!({"prompt_tokens": input, "completion_tokens": output});
    }
    ResponseTemplate::new(200).set_body_json(body)
}

/// Returns a response with an answer that the output limit has cut.
pub(crate) fn cut() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{"message": {"content": "{\"issues\":[{\"fi"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 5},
    }))
}

/// A server on this machine; it is gone with the value.
pub(crate) struct Endpoint {
    server: MockServer,
    calls: Arc<Mutex<Vec<Arc<Call>>>>,
    looked_at: Mutex<usize>,
}

impl Endpoint {
    /// Starts one that answers by `answer`.
    pub(crate) fn new(answer: impl Fn(&Call) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        let calls: Arc<Mutex<Vec<Arc<Call>>>> = Arc::default();
        let seen = Arc::clone(&calls);
        let respond = move |request: &Request| {
            let mut seen = seen.lock().unwrap();
            let call = Arc::new(Call {
                number: seen.len() + 1,
                body: serde_json::from_slice(&request.body).unwrap(),
                at: Instant::now(),
            });
            seen.push(Arc::clone(&call));
            drop(seen);
            answer(&call)
        };
        let server = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(async {
                let server = MockServer::builder()
                    .disable_request_recording()
                    .start()
                    .await;
                Mock::given(method("POST"))
                    .and(path("/v1/chat/completions"))
                    .respond_with(respond)
                    .mount(&server)
                    .await;
                server
            });
        Self {
            server,
            calls,
            looked_at: Mutex::new(0),
        }
    }

    /// Starts one that finds something in each file and counts no tokens.
    pub(crate) fn reviewing() -> Self {
        Self::new(|call| completion(&call.review(), None))
    }

    /// Returns its base URL.
    pub(crate) fn url(&self) -> String {
        format!("{}/v1", self.server.uri())
    }

    /// Lets a world's reviews ask it.
    pub(crate) fn serve(&self, world: &mut World) {
        world.set("LLM_BASE_URL", self.url());
    }

    /// Returns every request so far.
    pub(crate) fn calls(&self) -> Vec<Arc<Call>> {
        self.calls.lock().unwrap().clone()
    }

    /// Returns the files of each request that came since the last look.
    pub(crate) fn sent(&self) -> Vec<Vec<String>> {
        let calls = self.calls();
        let mut looked_at = self.looked_at.lock().unwrap();
        let new = calls.iter().skip(*looked_at).map(|call| call.files());
        let new = new.collect();
        *looked_at = calls.len();
        new
    }
}
