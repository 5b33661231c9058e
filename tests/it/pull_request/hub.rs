//! A GitHub of a test's own: it answers what a review asks for, keeps the comments, and writes down
//! every request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::support::World;

/// What one test scripts and looks at afterwards.
#[derive(Default)]
struct State {
    diff: String,
    push: bool,
    head: Option<String>,
    /// Answers that come before the usual ones, each once: the beginning of `<method> <path>`, the
    /// answer, and whether the request is done all the same.
    scripted: VecDeque<(String, ResponseTemplate, bool)>,
    /// The requests, `<method> <path>`, in order.
    requests: Vec<String>,
    /// Every body that was posted.
    posted: Vec<Value>,
    inline: Vec<Value>,
    general: Vec<Value>,
}

/// The server.
pub(super) struct Hub {
    server: MockServer,
    state: Arc<Mutex<State>>,
}

impl Hub {
    /// Starts one that has a pull request with this diff and gives the right to write.
    pub(super) async fn new(diff: &str) -> Self {
        let state = Arc::new(Mutex::new(State {
            diff: diff.to_owned(),
            push: true,
            ..State::default()
        }));
        let server = MockServer::start().await;
        let responder = Responder(Arc::clone(&state));
        Mock::given(any())
            .respond_with(responder)
            .mount(&server)
            .await;
        Self { server, state }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap())
    }

    /// Takes the right to write away.
    pub(super) fn read_only(&self) {
        self.with(|state| state.push = false);
    }

    /// Names the head of the pull request.
    pub(super) fn head(&self, sha: &str) {
        self.with(|state| state.head = Some(sha.to_owned()));
    }

    /// Replaces the diff.
    pub(super) fn diff(&self, diff: &str) {
        self.with(|state| diff.clone_into(&mut state.diff));
    }

    /// Answers the next request that begins so with this, and does nothing.
    pub(super) fn script(&self, request: &str, answer: ResponseTemplate) {
        let entry = (request.to_owned(), answer, false);
        self.with(|state| state.scripted.push_back(entry));
    }

    /// Answers the next request that begins so with this, and does what it asks for.
    pub(super) fn script_done(&self, request: &str, answer: ResponseTemplate) {
        let entry = (request.to_owned(), answer, true);
        self.with(|state| state.scripted.push_back(entry));
    }

    /// Returns the requests since the last time, one a line.
    pub(super) fn requests(&self) -> String {
        self.with(|state| std::mem::take(&mut state.requests).join("\n"))
    }

    /// Returns the bodies that were posted since the last time.
    pub(super) fn posted(&self) -> Vec<Value> {
        self.with(|state| std::mem::take(&mut state.posted))
    }

    /// Returns a world in which reviews ask this server.
    pub(super) fn world(&self) -> World {
        let mut world = World::new();
        world.set("AURUMCODE_GITHUB_API_URL", self.server.uri());
        world.set("AURUMCODE_GITHUB_PAUSE", "0");
        world.set("GITHUB_TOKEN", token());
        world.set("GITHUB_SHA", "c0ffee");
        world
    }
}

/// A value in the shape of a token.
fn token() -> String {
    format!("{}{}", "ghp_", "a1".repeat(18))
}

struct Responder(Arc<Mutex<State>>);

impl Respond for Responder {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let mut state = self.0.lock().unwrap();
        let asked = format!("{} {}", request.method, request.url.path());
        let query = request.url.query();
        let shown = query.map_or(asked.clone(), |query| format!("{asked}?{query}"));
        state.requests.push(shown.clone());
        let bearer = format!("Bearer {}", token());
        let authorization = request.headers.get("authorization");
        assert_eq!(authorization.unwrap().to_str().unwrap(), bearer);
        let body = serde_json::from_slice::<Value>(&request.body).ok();
        state.posted.extend(body.clone());
        let scripted = state
            .scripted
            .iter()
            .position(|(beginning, _, _)| shown.starts_with(beginning));
        if let Some(at) = scripted {
            let (_, answer, is_done) = state.scripted.remove(at).unwrap();
            if is_done {
                usual(&mut state, request, body);
            }
            return answer;
        }
        usual(&mut state, request, body)
    }
}

fn usual(state: &mut State, request: &Request, body: Option<Value>) -> ResponseTemplate {
    let json = |status: u16, value: Value| ResponseTemplate::new(status).set_body_json(value);
    let accept = request.headers.get("accept").unwrap().to_str().unwrap();
    match (request.method.as_str(), request.url.path()) {
        ("GET", "/repos/o/r") => json(200, json!({"permissions": {"push": state.push}})),
        ("GET", "/repos/o/r/pulls/7") if accept.ends_with("v3.diff") => {
            ResponseTemplate::new(200).set_body_string(state.diff.clone())
        }
        ("GET", "/repos/o/r/pulls/7") => match &state.head {
            Some(sha) => json(200, json!({"head": {"sha": sha}, "changed_files": 3001})),
            None => json(404, json!({"message": "Not Found"})),
        },
        ("GET", "/repos/o/r/pulls/7/comments") => json(200, json!(state.inline)),
        ("GET", "/repos/o/r/issues/7/comments") => json(200, json!(state.general)),
        ("POST", "/repos/o/r/pulls/7/comments") => {
            state.inline.extend(body);
            json(201, json!({"id": 1}))
        }
        ("POST", "/repos/o/r/issues/7/comments") => {
            state.general.extend(body);
            json(201, json!({"id": 1}))
        }
        ("POST", path) if path.starts_with("/repos/o/r/statuses/") => json(201, json!({"id": 1})),
        _ => json(404, json!({"message": "Not Found"})),
    }
}
