//! The backend of every source that asks over HTTP: a server that plays scripts, down to the bytes.
//!
//! The author says what a good answer and each refusal look like on the wire. What every server can
//! do wrong, from a broken line to a body without an end, the suite does by itself.

use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aurumcode_core::async_trait;
use aurumcode_core::provider::ErrorKind;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::{Answer, Backend, Failure, Script, Setting, Settings, SourceUnderTest, Stage, secret};

/// The most bytes of a request that are read.
const REQUEST_BYTES: usize = 1024 * 1024;

/// The most bytes of an endless body that are sent to a client that takes them all.
const ENDLESS_BYTES: u64 = 256 * 1024 * 1024;

/// A source that asks over HTTP.
pub trait HttpSource: Sync {
    /// Returns the name under which it is registered.
    fn name(&self) -> &'static str;

    /// Returns the settings with which it asks `url` with the key `secret`.
    fn settings(&self, url: &str, secret: &str) -> Settings;

    /// Returns the JSON of a good answer, or nothing where the API cannot say it.
    fn answer(&self, answer: &Answer) -> Option<Value>;

    /// Returns how the API refuses, or nothing where it cannot in this way. Asked for are the kinds
    /// from [`ErrorKind::Authentication`] to [`ErrorKind::Rejected`] that a server can bring about.
    /// A wait stands in the header `Retry-After`; an API that says it elsewhere too adds that.
    fn failure(&self, failure: &Failure) -> Option<HttpResponse>;

    /// Returns the settings of which each could change the answer.
    fn changes(&self) -> Vec<Setting>;

    /// Returns the settings that cannot.
    fn keeps(&self) -> Vec<Setting>;
}

/// A response of the server.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The JSON of the body.
    pub body: Value,
}

/// Plays the backend of a source that asks over HTTP.
#[derive(Debug)]
pub struct Http<S>(pub S);

#[async_trait]
impl<S: HttpSource> SourceUnderTest for Http<S> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    async fn stage(&self, script: &Script) -> Option<Stage> {
        let play = self.play(script)?;
        let mut settings = Settings::new();
        if matches!(script, Script::Fail(failure) if failure.kind == ErrorKind::Timeout) {
            settings = settings.variable("AURUMCODE_HTTP_TIMEOUT", "0.3");
        }
        let server = Server::start(play).await.ok()?;
        let own = self.0.settings(&server.url, &secret());
        settings.variables.extend(own.variables);
        settings.flags = own.flags;
        settings.model = own.model;
        Some(Stage {
            settings,
            backend: Box::new(server),
        })
    }

    fn sends_output_cap(&self) -> bool {
        true
    }

    fn changes(&self) -> Vec<Setting> {
        self.0.changes()
    }

    fn keeps(&self) -> Vec<Setting> {
        self.0.keeps()
    }
}

impl<S: HttpSource> Http<S> {
    fn play(&self, script: &Script) -> Option<Play> {
        let good = || {
            self.0.answer(&Answer {
                text: "{\"issues\":[]}".to_owned(),
                finish: aurumcode_core::provider::Finish::Stop,
                usage: aurumcode_core::provider::Usage {
                    input_tokens: 11,
                    output_tokens: 7,
                },
            })
        };
        Some(match script {
            Script::Answer(answer) => Play::json(200, &with_unknown(self.0.answer(answer)?)),
            Script::Fail(failure) => match failure.kind {
                ErrorKind::Timeout => Play::Silence,
                ErrorKind::Transport => Play::Bytes(Vec::new()),
                ErrorKind::BadResponse => Play::response(200, None, "{\"what\":\"is this\"}"),
                kind => {
                    let response = self.0.failure(failure)?;
                    let body = with_unknown(response.body).to_string();
                    let wait = match kind {
                        ErrorKind::RateLimited { retry_after }
                        | ErrorKind::Overloaded { retry_after } => retry_after,
                        _ => None,
                    };
                    Play::response(response.status, wait, &body)
                }
            },
            Script::Cut => {
                let body = good()?.to_string();
                let half = body.get(..body.len() / 2).unwrap_or_default();
                Play::response(200, None, half)
            }
            Script::Empty => Play::response(200, None, ""),
            Script::Foreign => Play::Bytes(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n\
                  <!DOCTYPE html><html><head><title>Log in</title></head></html>"
                    .to_vec(),
            ),
            Script::Endless => Play::Endless(200),
            Script::EndlessFailure => Play::Endless(503),
            Script::Silent => Play::Silence,
        })
    }
}

/// Puts fields that nobody knows into every object: servers add fields without asking.
fn with_unknown(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (_, field) in fields.iter_mut() {
                *field = with_unknown(field.take());
            }
            fields.insert("conformance_unknown".to_owned(), json!({"a": [null, 1.5]}));
        }
        Value::Array(items) => {
            for item in items {
                *item = with_unknown(item.take());
            }
        }
        _ => {}
    }
    value
}

/// What the server does with every request.
#[derive(Debug, Clone)]
enum Play {
    Bytes(Vec<u8>),
    Endless(u16),
    Silence,
}

impl Play {
    fn json(status: u16, body: &Value) -> Self {
        Self::response(status, None, &body.to_string())
    }

    fn response(status: u16, wait: Option<Duration>, body: &str) -> Self {
        let mut text = format!(
            "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n",
            body.len()
        );
        if let Some(wait) = wait {
            // Writing to a string cannot fail.
            let _ = write!(text, "retry-after: {}\r\n", wait.as_secs());
        }
        text.push_str("\r\n");
        text.push_str(body);
        Self::Bytes(text.into_bytes())
    }
}

#[derive(Debug, Default)]
struct State {
    received: Vec<String>,
    open: usize,
    taken: u64,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Notify,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_waiters();
    }

    async fn wait(&self, until: impl Fn(&State) -> bool) {
        loop {
            let changed = self.changed.notified();
            if until(&self.state()) {
                return;
            }
            changed.await;
        }
    }
}

#[derive(Debug)]
struct Server {
    url: String,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

impl Server {
    async fn start(play: Play) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared::default());
        let of_connections = Arc::clone(&shared);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&of_connections);
                let play = play.clone();
                tokio::spawn(async move {
                    shared.change(|state| state.open += 1);
                    // A client that hangs up is no failure of the server.
                    let _ = serve(stream, &play, &shared).await;
                    shared.change(|state| state.open -= 1);
                });
            }
        });
        Ok(Self {
            url,
            shared,
            accepting,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

#[async_trait]
impl Backend for Server {
    fn received(&self) -> Vec<String> {
        self.shared.state().received.clone()
    }

    async fn arrived(&self) {
        self.shared.wait(|state| !state.received.is_empty()).await;
    }

    async fn idle(&self) {
        self.shared.wait(|state| state.open == 0).await;
    }

    fn taken(&self) -> u64 {
        self.shared.state().taken
    }
}

async fn serve(mut stream: TcpStream, play: &Play, shared: &Shared) -> io::Result<()> {
    let request = read_request(&mut stream).await?;
    shared.change(|state| state.received.push(request));
    match play {
        Play::Bytes(bytes) => {
            stream.write_all(bytes).await?;
            stream.shutdown().await?;
        }
        Play::Endless(status) => {
            let head = format!(
                "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{{\"a\":\""
            );
            stream.write_all(head.as_bytes()).await?;
            let piece = vec![b'x'; 64 * 1024];
            let mut sent = 0;
            while sent < ENDLESS_BYTES {
                stream.write_all(&piece).await?;
                sent += piece.len() as u64;
                shared.change(|state| state.taken = sent);
            }
        }
        Play::Silence => {}
    }
    // Until the client has hung up.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Reads a request with its body, as far as it says how long that is.
async fn read_request(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 16 * 1024];
    loop {
        let count = stream.read(&mut piece).await?;
        bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, value)| value.trim().parse::<usize>().ok());
            if body.len() >= length.unwrap_or_default() {
                return Ok(text.into_owned());
            }
        }
        if count == 0 || bytes.len() > REQUEST_BYTES {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
    }
}
