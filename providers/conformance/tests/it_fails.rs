//! The suite can fail: a source and a layer that hold to nothing are told what does not hold.

// Always true here; it tells clippy that helper functions are test code too.
#![cfg(test)]

use std::sync::Arc;

use aurumcode_core::async_trait;
use aurumcode_core::inventory;
use aurumcode_core::provider::{
    Completion, Effect, Finish, Identity, Layer, LayerRegistration, Limits, ModelId, ModelResolver,
    Note, Origin, Plan, Prompt, Provider, ProviderError, Request, Run, SourceRegistration,
    Variable,
};
use aurumcode_provider_conformance::{
    Answer, Failure, Http, HttpResponse, HttpSource, LayerUnderTest, Setting, Settings,
    check_layer, check_source,
};
use serde_json::{Value, json};

const ORIGIN: Origin = Origin {
    package: "careless",
    version: "1",
};

inventory::submit! {
    SourceRegistration {
        name: "careless",
        origin: ORIGIN,
        summary: "answers whatever it is asked.",
        position: None,
        variables: &[&[
            Variable { name: "CARELESS_KEY", help: "a key", secret: false },
            Variable { name: "CARELESS_TEMPERATURE", help: "a parameter", secret: false },
            Variable { name: "CARELESS_FORGOTTEN", help: "nobody thought of it", secret: false },
        ]],
        flags: &[],
        build: |context| {
            let key = context.environment.text("CARELESS_KEY").unwrap_or_default();
            Ok(Arc::new(Careless { key }))
        },
    }
}

/// Ready for everybody, with the key in its debug text and in its identity, and nothing else.
#[derive(Debug)]
struct Careless {
    key: String,
}

impl ModelResolver for Careless {
    fn resolve_model(&self) -> ModelId {
        ModelId::new("always the same")
    }
}

#[async_trait]
impl Provider for Careless {
    fn identity(&self) -> Identity {
        Identity::stated([("key", self.key.as_str())])
    }
    fn label(&self) -> String {
        "careless".to_owned()
    }
    fn limits(&self) -> Limits {
        Limits::default()
    }
    async fn complete(&self, _: &Request, _: &dyn Run) -> Result<Completion, ProviderError> {
        Ok(Completion {
            text: "{\"issues\":[]}".to_owned(),
            finish: Finish::Stop,
            usage: None,
            served_by: None,
            adaptations: Vec::new(),
        })
    }
}

struct CarelessTest;

impl HttpSource for CarelessTest {
    fn name(&self) -> &'static str {
        "careless"
    }
    fn settings(&self, _url: &str, secret: &str) -> Settings {
        Settings::new().variable("CARELESS_KEY", secret)
    }
    fn answer(&self, answer: &Answer) -> Option<Value> {
        Some(json!({"text": answer.text}))
    }
    fn failure(&self, failure: &Failure) -> Option<HttpResponse> {
        Some(HttpResponse {
            status: 400,
            body: json!(failure.words),
        })
    }
    fn changes(&self) -> Vec<Setting> {
        vec![Setting::variable("CARELESS_TEMPERATURE", "1")]
    }
    fn keeps(&self) -> Vec<Setting> {
        vec![Setting::variable("CARELESS_KEY", "renewed")]
    }
}

/// Says that it is transparent, and is not.
#[derive(Debug)]
struct Meddling;

inventory::submit! {
    LayerRegistration {
        name: "meddling",
        origin: ORIGIN,
        summary: "changes every question and says that it does not",
        position: 1,
        variables: &[],
        flags: &[],
        build: |_| Ok(Some(Arc::new(Meddling))),
    }
}

#[async_trait]
impl Layer for Meddling {
    fn effect(&self) -> Effect {
        Effect::Transparent
    }
    fn narrow(&self, _: Limits) -> Limits {
        Limits::default()
    }
    fn preflight(&self, _: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        Ok(Vec::new())
    }
    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let request = Request {
            prompt: Prompt {
                material: "something else".to_owned(),
                ..request.prompt.clone()
            },
            ..request.clone()
        };
        next.complete(&request, run).await
    }
    fn settle(&self) -> Vec<Note> {
        Vec::new()
    }
}

struct MeddlingTest;

impl LayerUnderTest for MeddlingTest {
    fn name(&self) -> &'static str {
        "meddling"
    }
    fn settings(&self) -> Settings {
        Settings::new()
    }
    fn changes(&self) -> Vec<Setting> {
        Vec::new()
    }
    fn keeps(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// Returns what a suite says did not hold.
fn said(check: impl FnOnce() + std::panic::UnwindSafe) -> Vec<String> {
    let panic = std::panic::catch_unwind(check).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("  DOES NOT HOLD: "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_careless_source_is_told_all_of_it() {
    assert_eq!(
        said(|| check_source(&Http(CarelessTest))),
        [
            "people can read its registration",
            "it does not push itself forward",
            "it declares what it reads",
            "somebody decided about every setting",
            "its identity tells apart what could answer differently",
            "its identity keeps out what cannot change an answer",
            "the user picks the model",
            "it tells nobody its secret",
            "it sends what it is given",
            "an answer that the output limit cut",
            "an answer that the model refused",
            "an answer that a filter stopped",
            "a key that is refused",
            "a key that may not do this",
            "a model that is not served",
            "too many requests, with a wait",
            "an account with nothing left",
            "an overloaded backend, with a wait",
            "a prompt that does not fit, with the window",
            "a request that is refused",
            "no answer in time",
            "a line that breaks",
            "an answer that is none",
            "half an answer",
            "an answer with nothing in it",
            "something foreign in place of an answer",
            "an answer without an end",
            "an error without an end",
            "a call that is dropped leaves nothing behind",
            "what is kept holds no secret and is served",
        ]
    );
}

#[test]
fn a_meddling_layer_is_told_all_of_it() {
    assert_eq!(
        said(|| check_layer(&MeddlingTest)),
        [
            "it narrows and never widens",
            "a transparent layer changes nothing",
        ]
    );
}

/// What is not linked is said to be missing, with the line that links it.
#[test]
fn a_crate_that_is_not_linked_is_missed() {
    struct Nobody;
    impl LayerUnderTest for Nobody {
        fn name(&self) -> &'static str {
            "nobody"
        }
        fn settings(&self) -> Settings {
            Settings::new()
        }
        fn changes(&self) -> Vec<Setting> {
            Vec::new()
        }
        fn keeps(&self) -> Vec<Setting> {
            Vec::new()
        }
    }
    assert_eq!(said(|| check_layer(&Nobody)), ["it is registered"]);
}
