//! A layer: something around whatever answers. As it stands it adds the rules of the house to every
//! question. It is no source and has no identity: it says in `effect` what it does to answers, and
//! the core composes the rest.

use std::sync::Arc;

use aurumcode_core::async_trait;
use aurumcode_core::inventory;
use aurumcode_core::provider::{
    Completion, Effect, Layer, LayerContext, LayerRegistration, Limits, Note, Origin, Plan, Prompt,
    Provider, ProviderError, Request, Run, SetupError, Variable,
};

/// The variable that holds the rules.
const RULES: Variable = Variable {
    name: "NEWCOMER_RULES",
    help: "rules of the house that every question ends with",
    secret: false,
};

inventory::submit! {
    LayerRegistration {
        name: "newcomer",
        origin: Origin {
            package: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        summary: "adds the rules of the house to every question",
        // Outside of `limite` (50), which has to see how long the question has become, and inside
        // of `retry` (10).
        position: 40,
        variables: &[&[RULES]],
        flags: &[],
        build,
    }
}

/// Builds the layer, or nothing when the settings do not ask for it.
fn build(context: &LayerContext<'_>) -> Result<Option<Arc<dyn Layer>>, SetupError> {
    let rules = context.build.environment.text(RULES.name);
    Ok(rules.map(|rules| Arc::new(House { rules }) as Arc<dyn Layer>))
}

/// Adds rules to every question.
#[derive(Debug)]
struct House {
    rules: String,
}

#[async_trait]
impl Layer for House {
    /// What tells two settings apart. `Effect::Transparent` is for a layer that passes on an equal
    /// question and an equal answer.
    fn effect(&self) -> Effect {
        Effect::Shapes {
            name: "house rules".to_owned(),
            fingerprint: self.rules.clone(),
        }
    }

    fn narrow(&self, inner: Limits) -> Limits {
        inner
    }

    fn preflight(&self, _plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        Ok(Vec::new())
    }

    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        let instructions = &request.prompt.instructions;
        let request = Request {
            prompt: Prompt {
                instructions: format!("{instructions}\n\n{}", self.rules).into(),
                material: request.prompt.material.clone(),
            },
            ..request.clone()
        };
        next.complete(&request, run).await
    }

    fn settle(&self) -> Vec<Note> {
        Vec::new()
    }
}
