//! The source: one request for one answer.

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Completion, Identity, Limits, ModelId, ModelResolver, Provider, ProviderError, Request, Run,
};
use aurumcode_core::redact::Redactor;
use aurumcode_provider_http::header::{HeaderName, HeaderValue};
use aurumcode_provider_http::secrecy::ExposeSecret as _;
use aurumcode_provider_http::{Asked, Client, Key, Outgoing, Refusal, classify};
use serde_json::{Value, json};

use crate::answer;
use crate::settings::{API_KEY, BASE_URL, Settings};

/// The version of the API that is asked for.
const VERSION: &str = "2023-06-01";

/// The most tokens of an answer where nobody sets a cap; this API requires one. Every model that it
/// serves can write as much, and a longer answer is asked for again in parts.
const OUTPUT_TOKENS: u32 = 8192;

/// A model behind the API.
#[derive(Debug)]
pub(crate) struct Source {
    settings: Settings,
    client: Client,
    redactor: Redactor,
}

impl Source {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            client: Client::new(settings.http.clone()),
            redactor: Redactor::new([settings.key.expose_secret().to_owned()]),
            settings,
        }
    }

    fn body(&self, request: &Request) -> Value {
        json!({
            "model": self.settings.model.as_str(),
            "max_tokens": request.output_cap.unwrap_or(OUTPUT_TOKENS),
            "system": &*request.prompt.instructions,
            "messages": [{"role": "user", "content": request.prompt.material}],
        })
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        let body = self.body(request).to_string();
        let mut outgoing = Outgoing::json(self.settings.url.clone(), body);
        outgoing.headers.insert(
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(VERSION),
        );
        let key = HeaderName::from_static("x-api-key");
        outgoing.credentials.push((key, self.settings.key.clone()));
        outgoing
    }
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
            url,
            shown: _,
            // A key says who pays and not what answers, and a limit of time says nothing at all.
            key: _,
            http: _,
            // The core hashes the cap that it puts into a request; the window only divides calls.
            limits: _,
            // The core adds the model.
            model: _,
        } = &self.settings;
        Identity::stated([
            ("endpoint", url.as_str().to_owned()),
            ("version", VERSION.to_owned()),
            ("max_tokens without a cap", OUTPUT_TOKENS.to_string()),
        ])
    }

    fn label(&self) -> String {
        format!("anthropic endpoint {}", self.settings.shown)
    }

    fn limits(&self) -> Limits {
        self.settings.limits
    }

    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let endpoint = format!("the endpoint {}", self.settings.shown);
        let asked = Asked {
            endpoint: &endpoint,
            api: "the Messages API",
            model: &self.settings.model,
            key: Key::Sent(API_KEY),
            url_variable: BASE_URL,
            model_setting: "--modelo anthropic:<model>",
            redactor: &self.redactor,
        };
        let reply = self.client.exchange(&self.outgoing(request)).await?;
        if reply.status.is_success() {
            return answer::read(&reply, &asked, run.now());
        }
        Err(refused(Refusal::of(&reply, run.now()), &asked))
    }
}

/// Reads a refusal. This API says of an unknown model only that `model: <name>` is not found.
pub(crate) fn refused(mut refusal: Refusal, asked: &Asked<'_>) -> ProviderError {
    if refusal.has_code(&["not_found_error"]) && refusal.says(&["model:"]) {
        refusal.parameter = Some("model".to_owned());
    }
    classify(&refusal, asked)
}
