//! The source: asks, adapts what the endpoint refuses, and reads the answer.

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Completion, ErrorKind, Finish, Identity, Limits, ModelId, ModelResolver, Note, Provider,
    ProviderError, Request, Run,
};
use aurumcode_core::redact::Redactor;
use aurumcode_core::text;
use aurumcode_provider_http::header::{AUTHORIZATION, HeaderName, LOCATION};
use aurumcode_provider_http::secrecy::{ExposeSecret as _, SecretString};
use aurumcode_provider_http::{Asked, Client, Key, Outgoing, Refusal, Reply, Url, classify, shown};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use crate::adapted::{Adapted, Step};
use crate::answer;
use crate::endpoint::BASE_URL;
use crate::question::{self, TEMPERATURE};
use crate::settings::{API_KEY, Settings, digest, names_a_secret};

/// The version of what is asked and of how answers are read. It is part of the identity and is
/// raised when the same settings begin to ask for something else.
const CONTRACT: &str = "1";

/// An endpoint and what this run has learnt about it.
#[derive(Debug)]
pub(crate) struct Source {
    settings: Settings,
    client: Client,
    redactor: Redactor,
    /// Headers that must not reach another host: the key, and what the user adds.
    credentials: Vec<(HeaderName, SecretString)>,
    key: Key<'static>,
    learnt: Mutex<Learnt>,
}

/// What the endpoint has shown. Calls that run at the same time share it.
#[derive(Debug, Clone, Copy, Default)]
struct Learnt {
    adapted: Adapted,
    /// Whether a bare host was tried under `/v1`.
    under_v1: bool,
}

impl Source {
    pub(crate) fn new(settings: Settings) -> Self {
        let client = Client::new(settings.http.clone());
        let redactor = Redactor::new(settings.secrets());
        let mut credentials = Vec::new();
        let key_header = key_header(&settings);
        let key = match key_header {
            Some(_) => Key::Sent(API_KEY),
            None => Key::Unset(API_KEY),
        };
        credentials.extend(key_header);
        // The user's own headers come last, so that they can say something else.
        credentials.extend(settings.headers.iter().cloned());
        Self {
            settings,
            client,
            redactor,
            credentials,
            key,
            learnt: Mutex::default(),
        }
    }

    /// Nothing can be half done under this lock, so a panic elsewhere leaves it usable.
    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked<'a>(&'a self, endpoint: &'a str) -> Asked<'a> {
        Asked {
            endpoint,
            api: "Chat Completions",
            model: &self.settings.model,
            key: self.key,
            url_variable: BASE_URL,
            model_setting: "--modelo or LLM_MODEL",
            redactor: &self.redactor,
        }
    }

    async fn post(&self, url: Url, body: &Map<String, Value>) -> Result<Reply, ProviderError> {
        let body = serde_json::to_vec(body).map_err(|error| {
            ProviderError::new(
                ErrorKind::Rejected,
                format!("the request cannot be written as JSON: {error}"),
            )
        })?;
        let outgoing = Outgoing {
            credentials: self.credentials.clone(),
            ..Outgoing::json(url, body)
        };
        self.client.exchange(&outgoing).await
    }

    /// Posts to the endpoint. A bare host that knows no such address is tried once under `/v1`.
    async fn ask(
        &self,
        body: &Map<String, Value>,
        now: SystemTime,
    ) -> Result<Reply, ProviderError> {
        let address = &self.settings.address;
        let under_v1 = address.under_v1();
        let learnt = *self.learnt();
        if learnt.under_v1
            && let Some(url) = under_v1
        {
            return self.post(url, body).await;
        }
        let reply = self.post(address.url().clone(), body).await?;
        let Some(url) = under_v1.filter(|_| self.is_elsewhere(&reply, now)) else {
            return Ok(reply);
        };
        let reply = self.post(url, body).await?;
        self.learnt().under_v1 = true;
        Ok(reply)
    }

    /// Returns whether a reply says that there is nothing at its address.
    fn is_elsewhere(&self, reply: &Reply, now: SystemTime) -> bool {
        let status = reply.status.as_u16();
        let refusal = Refusal::of(reply, now);
        match status {
            404 => {
                let error = classify(&refusal, &self.asked(self.settings.address.shown()));
                error.kind == ErrorKind::Rejected
            }
            405 => true,
            // One server says success to every address.
            200 => refusal.says(&["unexpected endpoint"]) && reply.body.len() < 1000,
            _ => false,
        }
    }

    /// Takes a step for all calls of the run. When another call took one in the meantime, that one
    /// is taken first.
    fn adapt(&self, sent: Adapted, next: Adapted) -> Adapted {
        let mut learnt = self.learnt();
        if learnt.adapted == sent {
            learnt.adapted = next;
        }
        learnt.adapted
    }

    fn refused(&self, reply: &Reply, refusal: &Refusal) -> ProviderError {
        let endpoint = format!("the endpoint {}", self.settings.address.shown());
        let mut error = classify(refusal, &self.asked(&endpoint));
        if reply.status.is_redirection()
            && let Some(target) = reply.headers.get(LOCATION)
            && let Ok(target) = reply.url.join(target.to_str().unwrap_or_default())
        {
            let _ = write!(error.message, "; it points to {}", shown(&target));
        }
        if reply.credentials_withheld {
            let _ = write!(
                error.message,
                "; a redirect led to {}, where the key was not sent: set {BASE_URL} to it if you trust it",
                shown(&reply.url)
            );
        }
        error
    }
}

/// Returns the header that carries the key, or the user and password of the URL.
fn key_header(settings: &Settings) -> Option<(HeaderName, SecretString)> {
    if let Some(key) = &settings.key {
        return Some(if settings.address.is_azure() {
            (HeaderName::from_static("api-key"), key.clone())
        } else {
            (
                AUTHORIZATION,
                format!("Bearer {}", key.expose_secret()).into(),
            )
        });
    }
    let (user, password) = settings.address.user()?;
    let pair = BASE64_STANDARD.encode(format!("{user}:{}", password.expose_secret()));
    Some((AUTHORIZATION, format!("Basic {pair}").into()))
}

impl ModelResolver for Source {
    fn resolve_model(&self) -> ModelId {
        self.settings.model.clone()
    }
}

#[async_trait]
impl Provider for Source {
    fn identity(&self) -> Identity {
        let Settings {
            address,
            // A key says who pays and not what answers, and a limit of time says nothing at all.
            key: _,
            http: _,
            // The core hashes the cap that it puts into a request; the window only divides calls.
            limits: _,
            model,
            format,
            headers,
            body,
        } = &self.settings;
        let mut parts = vec![
            ("contract".to_owned(), CONTRACT.to_owned()),
            ("endpoint".to_owned(), address.identity()),
            ("asked model".to_owned(), model.as_str().to_owned()),
            ("temperature".to_owned(), TEMPERATURE.to_string()),
            ("response_format".to_owned(), format.as_str().to_owned()),
        ];
        if !body.is_empty() {
            let body = Value::Object(body.clone()).to_string();
            parts.push(("extra body".to_owned(), digest(body.as_bytes())));
        }
        for (name, value) in headers {
            // Another key in a gateway's header is the same gateway.
            let value = if names_a_secret(name.as_str()) {
                "a secret".to_owned()
            } else {
                digest(value.expose_secret().as_bytes())
            };
            parts.push((format!("extra header {name}"), value));
        }
        Identity::stated(parts)
    }

    fn label(&self) -> String {
        format!(
            "openai-compatible endpoint {}",
            self.settings.address.shown()
        )
    }

    fn limits(&self) -> Limits {
        self.settings.limits
    }

    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let endpoint = format!("the endpoint {}", self.settings.address.shown());
        let mut adapted = self.learnt().adapted;
        for _ in 0..=Adapted::MOST_STEPS {
            let body = question::body(&self.settings, request, &adapted);
            let reply = self.ask(&body, run.now()).await?;
            let now = run.now();
            let told = || adapted.told(question::cap(request, &adapted));
            if reply.status.is_success() {
                let answer = answer::read(&reply, &self.asked(&endpoint), now)?;
                tracing::debug!(
                    model = self.settings.model.as_str(),
                    finish = ?answer.finish,
                    usage = ?answer.usage,
                    adaptations = ?told(),
                    "completion"
                );
                return Ok(Completion {
                    adaptations: told(),
                    ..answer
                });
            }
            let status = reply.status.as_u16();
            let refusal = Refusal::of(&reply, now);
            let error = self.refused(&reply, &refusal);
            if refusal.is_content_filter() {
                run.note(Note::detail(error.message));
                return Ok(Completion {
                    text: String::new(),
                    finish: Finish::Filtered,
                    usage: None,
                    served_by: None,
                    adaptations: told(),
                });
            }
            if error.kind != ErrorKind::Rejected || !matches!(status, 400 | 422) {
                return Err(error);
            }
            match adapted.step(&refusal, &body) {
                Step::GiveUp => return Err(error),
                Step::NoCap => {
                    return Err(ProviderError {
                        message: format!(
                            "{endpoint} takes an output cap neither as max_tokens nor as \
                             max_completion_tokens, and a request whose cost has no bound is not \
                             sent: {}",
                            error.message
                        ),
                        ..error
                    });
                }
                Step::Again(next) => {
                    run.note(Note::detail(format!(
                        "{endpoint} refuses a parameter, asking once more without it: {}",
                        text::one_line(&error.message)
                    )));
                    adapted = self.adapt(adapted, next);
                }
            }
        }
        Err(ProviderError::new(
            ErrorKind::Rejected,
            format!("{endpoint} refuses one parameter after the other"),
        ))
    }
}

#[cfg(test)]
mod tests;
