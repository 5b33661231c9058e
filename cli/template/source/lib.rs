//! A source: something that answers. As it stands it asks an Ollama server over Ollama's own API.
//! To ask something else, change `body` and `Answer`, and say in `identity` what you changed.

use std::sync::Arc;

use aurumcode_core::async_trait;
use aurumcode_core::inventory;
use aurumcode_core::provider::{
    BuildContext, Completion, Finish, Identity, Limits, ModelId, ModelResolver, Origin, Provider,
    ProviderError, Request, Run, SourceRegistration, TOKEN_LIMITS, Unready, Usage, Variable,
    token_limits,
};
use aurumcode_core::redact::Redactor;
use aurumcode_provider_http::{
    Asked, Client, HttpSettings, Key, Outgoing, Reply, Url, VARIABLES as HTTP, endpoint_url,
    refuse_credentials, shown,
};
use serde_json::{Value, json};

/// The name by which users pick this source.
const NAME: &str = "newcomer";

/// The variable that holds the server's URL. Whoever sets it means this source.
const URL: &str = "NEWCOMER_URL";

/// What such a URL looks like.
const EXAMPLE: &str = "http://localhost:11434";

/// The variable that names the model.
const MODEL: &str = "NEWCOMER_MODEL";

/// How freely the model writes. It changes answers, so it is part of the identity.
const TEMPERATURE: f64 = 0.3;

/// The variables of its own.
const OWN: [Variable; 2] = [
    Variable {
        name: URL,
        help: "the URL of the server, such as http://localhost:11434",
        secret: false,
    },
    Variable {
        name: MODEL,
        help: "the model that reviews, unless --modelo names one",
        secret: false,
    },
];

inventory::submit! {
    SourceRegistration {
        name: NAME,
        origin: Origin {
            package: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        summary: "asks a model on a server of our own",
        // `None` would mean: only when the user picks it by name.
        position: Some(100),
        // Every variable that it reads. It reads none that is not here, and none by itself.
        variables: &[&OWN, &TOKEN_LIMITS, &HTTP],
        flags: &[],
        build,
    }
}

/// Makes the source, or says what to set (not mine), or why it cannot be used (broken).
fn build(context: &BuildContext<'_>) -> Result<Arc<dyn Provider>, Unready> {
    match context.environment.trimmed(URL) {
        Some(url) => Ok(Arc::new(Source::new(&url, context)?)),
        None => Err(Unready::NotMine(format!("set {URL}={EXAMPLE}"))),
    }
}

/// A model on a server.
#[derive(Debug)]
struct Source {
    url: Url,
    model: ModelId,
    limits: Limits,
    client: Client,
    /// Masks what must not stand in a message. A source with a key puts it here.
    redactor: Redactor,
}

impl Source {
    fn new(url: &str, context: &BuildContext<'_>) -> Result<Self, Unready> {
        let mut url = endpoint_url(URL, url, EXAMPLE)?;
        refuse_credentials(URL, &url)?;
        url.set_path(&format!("{}/api/chat", url.path().trim_end_matches('/')));
        let named = context.model.cloned();
        let model = named.or_else(|| context.environment.trimmed(MODEL).map(ModelId::new));
        let model = model.ok_or_else(|| {
            Unready::broken(format!(
                "set {MODEL}, or name a model with --modelo {NAME}:<model>"
            ))
        })?;
        Ok(Self {
            url,
            model,
            limits: token_limits(context.environment)?,
            client: Client::new(HttpSettings::read(context.environment)?),
            redactor: Redactor::default(),
        })
    }

    /// What is asked.
    fn body(&self, request: &Request) -> Value {
        let mut options = json!({"temperature": TEMPERATURE});
        // The cap is the request's, never one of our own: the core hashes it into the cache key.
        if let Some(cap) = request.output_cap {
            options["num_predict"] = cap.into();
        }
        json!({
            "model": self.model.as_str(),
            "stream": false,
            "options": options,
            "messages": [
                {"role": "system", "content": &*request.prompt.instructions},
                {"role": "user", "content": request.prompt.material},
            ],
        })
    }

    /// Reads the body of a success. Whatever is no answer is an error of its own kind: a broken
    /// answer must never look like a clean review.
    fn answer(reply: &Reply, asked: &Asked<'_>) -> Result<Completion, ProviderError> {
        let answer = asked.json(reply)?;
        let content = answer.pointer("/message/content").and_then(Value::as_str);
        let content =
            content.ok_or_else(|| asked.no_answer(reply, "JSON that holds no message"))?;
        let count = |name: &str| answer.get(name).and_then(Value::as_u64);
        Ok(Completion {
            text: content.to_owned(),
            finish: match answer.get("done_reason").and_then(Value::as_str) {
                Some("stop") => Finish::Stop,
                Some("length") => Finish::Length,
                _ => Finish::Unstated,
            },
            usage: match (count("prompt_eval_count"), count("eval_count")) {
                (Some(input_tokens), Some(output_tokens)) => Some(Usage {
                    input_tokens,
                    output_tokens,
                }),
                _ => None,
            },
            served_by: answer
                .get("model")
                .and_then(Value::as_str)
                .map(ModelId::new),
            adaptations: Vec::new(),
        })
    }
}

impl ModelResolver for Source {
    /// The core adds the model to the identity, and `limite` to what it meters.
    fn resolve_model(&self) -> ModelId {
        self.model.clone()
    }
}

#[async_trait]
impl Provider for Source {
    /// Everything that is asked for and could change the answer, and no secret. What is missing
    /// here makes two different answers share one cache entry.
    fn identity(&self) -> Identity {
        Identity::stated([
            ("endpoint", shown(&self.url)),
            ("temperature", TEMPERATURE.to_string()),
        ])
    }

    /// What people read on stderr.
    fn label(&self) -> String {
        format!("{NAME} endpoint {}", shown(&self.url))
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    /// One call. Retries, prices and the cache are somebody else's.
    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let asked = Asked {
            endpoint: &shown(&self.url),
            api: "Ollama's API",
            model: &self.model,
            key: Key::None,
            url_variable: URL,
            model_setting: MODEL,
            redactor: &self.redactor,
        };
        let outgoing = Outgoing {
            // A key goes here, and nowhere else: a redirect to another host does not get it.
            credentials: Vec::new(),
            ..Outgoing::json(self.url.clone(), self.body(request).to_string())
        };
        let reply = self.client.exchange(&outgoing).await?;
        if reply.status.is_success() {
            Self::answer(&reply, &asked)
        } else {
            Err(asked.refused(&reply, run.now()))
        }
    }
}
