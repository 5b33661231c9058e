//! One way to ask GitHub: the token goes to the configured host only, limits are waited for within
//! bounds, and what may have happened already is not asked for again.

mod wait;

use std::cell::Cell;
use std::fmt;
use std::time::Duration;

use aurumcode_core::provider::{Billing, Note, ProviderError, RetryAdvice, Run};
use aurumcode_core::redact::Redactor;
use aurumcode_provider_http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use aurumcode_provider_http::secrecy::{ExposeSecret as _, SecretString};
use aurumcode_provider_http::{Client, Method, Outgoing, Reply, Url, excerpt};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address;

/// What is asked for where the answer is JSON.
pub(super) const JSON: &str = "application/vnd.github+json";

/// The version of the API whose answers are understood here.
const VERSION: (&str, &str) = ("x-github-api-version", "2022-11-28");

/// How often a request is sent that did not come through, at most.
const ATTEMPTS: u32 = 3;

/// How long all waits of a run that a limit of GitHub asks for may be together.
const LONGEST_WAITS: Duration = Duration::from_mins(15);

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// GitHub refuses.
    Refused {
        /// The status.
        status: u16,
        /// The beginning of the answer, redacted and on one line.
        words: String,
    },
    /// GitHub asks to wait longer than this run may.
    Limited {
        /// How long.
        wait: Duration,
    },
    /// No whole answer came.
    NoAnswer(Box<ProviderError>),
    /// The answer is not what it should be; the words say in which way.
    Unreadable(String),
}

impl Trouble {
    /// Returns the status with which GitHub refuses.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::Limited { .. } | Self::NoAnswer(_) | Self::Unreadable(_) => None,
        }
    }

    /// Returns whether what was asked for may have been done all the same.
    pub(crate) fn may_have_happened(&self) -> bool {
        match self {
            Self::Refused { status, .. } => *status >= 500,
            Self::NoAnswer(error) => error.billing != Billing::NotBilled,
            Self::Limited { .. } => false,
            Self::Unreadable(_) => true,
        }
    }

    /// Returns whether the same request can succeed a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 502..=504),
            Self::NoAnswer(error) => error.retry_advice() != RetryAdvice::Never,
            Self::Limited { .. } | Self::Unreadable(_) => false,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { status, words } if words.is_empty() => {
                write!(formatter, "HTTP {status}")
            }
            Self::Refused { status, words } => write!(formatter, "HTTP {status}: {words}"),
            Self::Limited { wait } => write!(
                formatter,
                "GitHub limits the requests of this token and asks to wait {} s, longer than a \
                 run waits in all ({} s); run again later",
                wait.as_secs(),
                LONGEST_WAITS.as_secs()
            ),
            Self::NoAnswer(error) => error.fmt(formatter),
            Self::Unreadable(words) => formatter.write_str(words),
        }
    }
}

/// GitHub's API, for one run.
pub(crate) struct Api<'a> {
    client: Client,
    root: Url,
    token: Option<SecretString>,
    redactor: &'a Redactor,
    run: &'a dyn Run,
    pause: Duration,
    /// How long this run has waited for limits.
    waited: Cell<Duration>,
}

impl<'a> Api<'a> {
    /// Makes the way to the API at `root`. It connects to nothing. `pause` is the one between two
    /// writes, and before something is sent again.
    pub(crate) fn new(
        client: Client,
        root: Url,
        token: Option<SecretString>,
        redactor: &'a Redactor,
        run: &'a dyn Run,
        pause: Duration,
    ) -> Self {
        Self {
            client,
            root,
            token,
            redactor,
            run,
            pause,
            waited: Cell::new(Duration::ZERO),
        }
    }

    /// Says something about the run.
    pub(crate) fn say(&self, line: impl Into<String>) {
        self.run.note(Note::normal(line));
    }

    /// Pauses this many times.
    pub(crate) async fn pause(&self, times: u32) {
        let pause = self.pause.saturating_mul(times);
        if !pause.is_zero() {
            self.run.sleep(pause).await;
        }
    }

    /// Returns what masks secrets.
    pub(crate) fn redactor(&self) -> &'a Redactor {
        self.redactor
    }

    /// Returns whether requests carry a token.
    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Tries the path under which a GitHub of one's own serves its API, when the root has none.
    /// Returns whether there is another root to try.
    pub(super) fn try_enterprise_path(&mut self) -> bool {
        let is_bare = self.root.path() == "/" && self.root.domain() != Some(address::PUBLIC_HOST);
        if is_bare {
            self.root.set_path("/api/v3");
        }
        is_bare
    }

    /// Goes back to the root as it was given.
    pub(super) fn forget_enterprise_path(&mut self) {
        self.root.set_path("/");
    }

    /// Asks for something, and once more where that can help. Only 200 is an answer.
    pub(super) async fn get(
        &self,
        segments: &[&str],
        query: &[(&str, String)],
        accept: &'static str,
    ) -> Result<Vec<u8>, Trouble> {
        let url = address::below(&self.root, segments, query);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let outgoing = self.outgoing(Method::GET, url.clone(), accept, Vec::new());
            let trouble = match self.exchange(&outgoing).await {
                Ok(reply) if reply.status.as_u16() == 200 => return Ok(reply.body),
                Ok(reply) => self.refused(&reply),
                Err(trouble) => trouble,
            };
            if attempt >= ATTEMPTS || !trouble.is_passing() {
                return Err(trouble);
            }
            self.pause(attempt).await;
        }
    }

    /// Asks for a JSON value.
    pub(crate) async fn get_json<T: DeserializeOwned>(
        &self,
        segments: &[&str],
        query: &[(&str, String)],
    ) -> Result<T, Trouble> {
        let body = self.get(segments, query, JSON).await?;
        serde_json::from_slice(&body).map_err(|_| {
            Trouble::Unreadable(format!(
                "the answer is not what GitHub's API sends: {}",
                excerpt(&String::from_utf8_lossy(&body), self.redactor)
            ))
        })
    }

    /// Creates something. Only 201 counts. It is sent once, and again only after a limit of GitHub
    /// refused it.
    pub(crate) async fn post(&self, segments: &[&str], body: &Value) -> Result<(), Trouble> {
        let url = address::below(&self.root, segments, &[]);
        let outgoing = self.outgoing(Method::POST, url, JSON, body.to_string().into_bytes());
        let reply = self.exchange(&outgoing).await?;
        if reply.status.as_u16() == 201 {
            return Ok(());
        }
        Err(self.refused(&reply))
    }

    fn outgoing(&self, method: Method, url: Url, accept: &'static str, body: Vec<u8>) -> Outgoing {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        headers.insert(
            HeaderName::from_static(VERSION.0),
            HeaderValue::from_static(VERSION.1),
        );
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let bearer = |token: &SecretString| {
            let value = format!("Bearer {}", token.expose_secret());
            (AUTHORIZATION, SecretString::from(value))
        };
        Outgoing {
            method,
            url,
            headers,
            credentials: self.token.iter().map(bearer).collect(),
            body,
        }
    }

    /// Sends a request, and again after each wait that a limit of GitHub asks for.
    async fn exchange(&self, outgoing: &Outgoing) -> Result<Reply, Trouble> {
        let mut refusals = 0;
        loop {
            let reply = self.client.exchange(outgoing).await;
            let reply = reply.map_err(|error| Trouble::NoAnswer(Box::new(error)))?;
            let Some(wait) = wait::asked_for(&reply, self.run.now(), refusals) else {
                return Ok(reply);
            };
            refusals += 1;
            let waits = self.waited.get().saturating_add(wait);
            if waits > LONGEST_WAITS || refusals >= ATTEMPTS {
                return Err(Trouble::Limited { wait });
            }
            self.waited.set(waits);
            let seconds = wait.as_secs_f64().ceil();
            self.say(format!(
                "GitHub limits the requests of this token; waiting {seconds} s"
            ));
            self.run.sleep(wait).await;
        }
    }

    fn refused(&self, reply: &Reply) -> Trouble {
        Trouble::Refused {
            status: reply.status.as_u16(),
            words: excerpt(&String::from_utf8_lossy(&reply.body), self.redactor),
        }
    }
}
