//! A source with layers around it: the only wrapper there is.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    Completion, Effect, Identity, Layer, Limits, ModelId, ModelResolver, Note, Plan, Provider,
    ProviderError, Request, Run,
};

/// A source with layers around it.
///
/// It composes what the parts declare: the source's identity, stamped with the registered name,
/// extended by the effect of each layer that shapes answers. No part can leave anything out of it.
#[derive(Debug)]
pub struct Stack {
    outermost: Arc<dyn Provider>,
    /// From the innermost to the outermost.
    layers: Vec<Arc<dyn Layer>>,
}

impl Stack {
    /// Takes a source under its registered name.
    pub fn new(name: &'static str, source: Arc<dyn Provider>) -> Self {
        Self {
            outermost: Arc::new(Named { name, source }),
            layers: Vec::new(),
        }
    }

    /// Puts a layer, under its registered name, around everything so far.
    #[must_use]
    pub fn wrapped(mut self, name: &'static str, layer: Arc<dyn Layer>) -> Self {
        let inner = self.outermost;
        self.outermost = Arc::new(Layered {
            name,
            layer: Arc::clone(&layer),
            inner,
        });
        self.layers.push(layer);
        self
    }

    /// Shows the plan to every layer, the outermost first, and returns what they say.
    pub fn preflight(&self, plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        let mut notes = Vec::new();
        for layer in self.layers.iter().rev() {
            notes.extend(layer.preflight(plan)?);
        }
        Ok(notes)
    }

    /// Returns what the layers say when the run is over, the outermost first.
    pub fn settle(&self) -> Vec<Note> {
        self.layers
            .iter()
            .rev()
            .flat_map(|layer| layer.settle())
            .collect()
    }
}

impl ModelResolver for Stack {
    fn resolve_model(&self) -> ModelId {
        self.outermost.resolve_model()
    }
}

#[async_trait]
impl Provider for Stack {
    fn identity(&self) -> Identity {
        self.outermost.identity()
    }

    fn label(&self) -> String {
        self.outermost.label()
    }

    fn limits(&self) -> Limits {
        self.outermost.limits()
    }

    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.outermost.complete(request, run).await
    }
}

/// A source under its registered name.
#[derive(Debug)]
struct Named {
    name: &'static str,
    source: Arc<dyn Provider>,
}

impl ModelResolver for Named {
    fn resolve_model(&self) -> ModelId {
        self.source.resolve_model()
    }
}

#[async_trait]
impl Provider for Named {
    fn identity(&self) -> Identity {
        let Self { name, source } = self;
        source
            .identity()
            .extended("source", name)
            .extended("model", source.resolve_model().as_str())
    }

    fn label(&self) -> String {
        self.source.label()
    }

    fn limits(&self) -> Limits {
        self.source.limits()
    }

    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.source.complete(request, run).await
    }
}

/// A layer around something that answers.
#[derive(Debug)]
struct Layered {
    name: &'static str,
    layer: Arc<dyn Layer>,
    inner: Arc<dyn Provider>,
}

impl ModelResolver for Layered {
    fn resolve_model(&self) -> ModelId {
        self.inner.resolve_model()
    }
}

#[async_trait]
impl Provider for Layered {
    fn identity(&self) -> Identity {
        let Self { name, layer, inner } = self;
        match layer.effect() {
            Effect::Transparent => inner.identity(),
            Effect::Shapes {
                name: shaped,
                fingerprint,
            } => inner
                .identity()
                .extended("layer", name)
                .extended(&shaped, &fingerprint),
        }
    }

    fn label(&self) -> String {
        self.inner.label()
    }

    fn limits(&self) -> Limits {
        self.layer.narrow(self.inner.limits())
    }

    async fn complete(
        &self,
        request: &Request,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.layer.call(request, &*self.inner, run).await
    }
}
