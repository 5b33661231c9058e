//! What every layer has to hold to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Completion, Effect, ErrorKind, Finish, Identity, Layer, LayerContext, LayerRegistration,
    Limits, ModelId, ModelResolver, Plan, Provider, ProviderError, Registry, Request, Run, Stack,
    Usage,
};

use crate::playing::{ask, in_runtime, patiently, request};
use crate::registration::Declared;
use crate::report::{Report, none_of};
use crate::settings::neutral;
use crate::world::World;
use crate::{Setting, Settings, secret};

/// A layer, as its author sets it up.
pub trait LayerUnderTest: Sync {
    /// Returns the name under which it is registered.
    fn name(&self) -> &'static str;

    /// Returns settings under which it stands in the stack, and under which it lets a call through.
    fn settings(&self) -> Settings;

    /// Returns the settings of which each could change the answer. A transparent layer has none.
    fn changes(&self) -> Vec<Setting>;

    /// Returns the settings that cannot: ceilings, limits of time. They must not cost a cache entry.
    fn keeps(&self) -> Vec<Setting>;
}

/// Tries everything that applies to a layer, and fails the test with all that does not hold.
///
/// The crate has to be linked into the test: `use <the crate> as _;`.
pub fn check_layer(layer: &dyn LayerUnderTest) {
    let mut report = Report::new(layer.name());
    in_runtime(async {
        let registration = find(layer);
        report.case(
            "it is registered",
            "the crate registers one layer under this name with `inventory::submit!`, and the test links the crate with `use <the crate> as _;`, because the linker drops a crate that nothing names",
            registration.as_ref().map(|_| ()).map_err(Clone::clone),
        );
        if let Ok(registration) = registration {
            Subject {
                layer,
                registration,
            }
            .cases(&mut report)
            .await;
        }
    });
    report.conclude();
}

fn find(layer: &dyn LayerUnderTest) -> Result<LayerRegistration, String> {
    let registry = Registry::linked().map_err(|error| error.to_string())?;
    let names: Vec<_> = registry.layers().iter().map(|entry| entry.name).collect();
    registry
        .layers()
        .iter()
        .find(|entry| entry.name == layer.name())
        .copied()
        .ok_or_else(|| format!("the linked layers are {names:?}"))
}

struct Subject<'a> {
    layer: &'a dyn LayerUnderTest,
    registration: LayerRegistration,
}

impl Subject<'_> {
    async fn cases(&self, report: &mut Report) {
        let declared = self.declared();
        let settings = self.settings();
        let changes = self.layer.changes();
        let mut keeps = self.layer.keeps();
        report.case(
            "people can read its registration",
            "a name of small letters, digits and dashes, a package and a version, and texts of one sentence without the final period, each variable once: they stand in the help and in `aurumcode providers`",
            declared.wording(),
        );
        report.case(
            "somebody decided about every setting",
            "each declared variable and flag is in `changes` (it could change an answer) or in `keeps` (it cannot): the one that nobody thought of is the one that mixes up two answers",
            declared.decided(&changes, &keeps),
        );
        keeps.extend(neutral(declared));
        let effect = self.layer_of(&settings).map(|layer| layer.effect());
        let built = effect.as_ref().map(|_| ()).map_err(Clone::clone);
        report.case(
            "it can be set up",
            "the settings of the test put the layer into the stack",
            built,
        );
        let Ok(effect) = effect else { return };
        report.case(
            "its effect is stable",
            "the same settings give the same effect, before and after a call",
            self.stable(&settings, &effect).await,
        );
        report.case(
            "its effect tells apart what could answer differently",
            "a layer that shapes answers gives each setting in `changes` an identity of its own; a transparent one has no such setting",
            self.told_apart(&settings, &effect, &changes),
        );
        report.case(
            "its effect keeps out what cannot change an answer",
            "no setting in `keeps` gives another identity, and a transparent layer leaves the identity of what it stands around as it is",
            self.kept_out(&settings, &effect, &keeps),
        );
        report.case(
            "it narrows and never widens",
            "the window and the output cap of whatever it stands around are kept or lowered: the prompt was cut to fit them",
            self.narrows(&settings),
        );
        if effect == Effect::Transparent {
            report.case(
                "a transparent layer changes nothing",
                "an equal request goes in and an equal answer comes back, for every way in which an answer can end; an error that asking again cannot help comes back as it is, but for words that explain it",
                self.passes_on(&settings).await,
            );
        }
        report.case(
            "a call that is dropped is over",
            "the call inside is dropped with it, and the next call goes through: whatever is held for a call must not outlive it",
            self.dropped(&settings).await,
        );
        report.case(
            "calls run at the same time",
            "four calls that are open at once all come back: no lock is held while waiting for an answer",
            self.many(&settings).await,
        );
        report.case(
            "it tells nobody a secret",
            "neither the debug text, nor the effect, nor what it says before and after a run holds the value of a secret variable",
            self.silent(&settings),
        );
    }

    fn declared(&self) -> Declared {
        let LayerRegistration {
            name,
            origin,
            summary,
            position: _,
            variables,
            flags,
            build: _,
        } = self.registration;
        Declared {
            name,
            origin,
            summary,
            variables,
            flags,
        }
    }

    /// The settings of the author, with the secret in every variable that is declared to hold one.
    fn settings(&self) -> Settings {
        let mut settings = self.layer.settings();
        for variable in self.declared().variables() {
            if variable.secret {
                settings = settings.variable(variable.name, secret());
            }
        }
        settings
    }

    fn layer_of(&self, settings: &Settings) -> Result<Arc<dyn Layer>, String> {
        let answers = ModelId::new("conformance");
        let built = settings.build(|context| {
            (self.registration.build)(&LayerContext {
                build: *context,
                answers: &answers,
            })
        });
        match built {
            Ok(Some(layer)) => Ok(layer),
            Ok(None) => Err("the settings do not ask for the layer".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn stack(&self, settings: &Settings, inner: &Arc<Inner>) -> Result<Stack, String> {
        let inner = Arc::clone(inner) as Arc<dyn Provider>;
        let layer = self.layer_of(settings)?;
        Ok(Stack::new("conformance", inner).wrapped(self.registration.name, layer))
    }

    fn identity(&self, settings: &Settings) -> Result<Identity, String> {
        Ok(self.stack(settings, &Inner::answering())?.identity())
    }

    async fn stable(&self, settings: &Settings, effect: &Effect) -> Result<(), String> {
        let again = self.layer_of(settings)?;
        let inner = Inner::answering();
        let _ = patiently(again.call(&request(), &*inner, &World::default())).await?;
        if again.effect() == *effect {
            Ok(())
        } else {
            Err(format!("{effect:?}, and then {:?}", again.effect()))
        }
    }

    fn told_apart(
        &self,
        settings: &Settings,
        effect: &Effect,
        changes: &[Setting],
    ) -> Result<(), String> {
        if *effect == Effect::Transparent {
            let complaints = changes
                .iter()
                .map(|change| format!("{} is in `changes`", change.shown()));
            return none_of(complaints);
        }
        let mut seen = vec![
            ("no layer at all".to_owned(), Inner::answering().bare()),
            (
                "the test's own settings".to_owned(),
                self.identity(settings)?,
            ),
        ];
        let mut complaints = Vec::new();
        for change in changes {
            let shown = change.shown();
            match self.identity(&settings.with(change)) {
                Ok(identity) => {
                    if let Some((other, _)) = seen.iter().find(|(_, known)| *known == identity) {
                        complaints.push(format!("{shown} has the identity of {other}"));
                    }
                    seen.push((shown, identity));
                }
                Err(error) => complaints.push(format!("{shown}: {error}")),
            }
        }
        none_of(complaints)
    }

    fn kept_out(
        &self,
        settings: &Settings,
        effect: &Effect,
        keeps: &[Setting],
    ) -> Result<(), String> {
        let identity = self.identity(settings)?;
        let mut complaints = Vec::new();
        if *effect == Effect::Transparent && identity != Inner::answering().bare() {
            complaints.push(format!("the stack has the identity {identity:?}"));
        }
        for setting in keeps {
            let shown = setting.shown();
            match self.identity(&settings.with(setting)) {
                Ok(other) if other == identity => {}
                Ok(other) => complaints.push(format!("{shown}: {other:?}")),
                Err(error) => complaints.push(format!("{shown}: {error}")),
            }
        }
        none_of(complaints)
    }

    fn narrows(&self, settings: &Settings) -> Result<(), String> {
        let layer = self.layer_of(settings)?;
        let known = [
            Limits::default(),
            Limits {
                context_tokens: Some(1000),
                output_tokens: Some(10),
            },
        ];
        let mut complaints = Vec::new();
        for inner in known {
            let outer = layer.narrow(inner);
            let wider_window = inner
                .context_tokens
                .is_some_and(|tokens| outer.context_tokens.is_none_or(|outer| outer > tokens));
            let wider_cap = inner
                .output_tokens
                .is_some_and(|tokens| outer.output_tokens.is_none_or(|outer| outer > tokens));
            if wider_window || wider_cap {
                complaints.push(format!("{inner:?} becomes {outer:?}"));
            }
        }
        none_of(complaints)
    }

    async fn passes_on(&self, settings: &Settings) -> Result<(), String> {
        let mut complaints = Vec::new();
        let endings = [
            Finish::Stop,
            Finish::Length,
            Finish::Refused("no".to_owned()),
            Finish::Filtered,
            Finish::Unstated,
        ];
        for finish in endings {
            let answer = completion(finish);
            let inner = Inner::new(Ok(answer.clone()));
            let stack = self.stack(settings, &inner)?;
            let outcome = ask(&stack, &World::default()).await?;
            if outcome.as_ref() != Ok(&answer) {
                complaints.push(format!("{outcome:?} instead of {answer:?}"));
            }
            let asked = inner.asked();
            if asked != [request()] {
                complaints.push(format!("{asked:?} was asked instead of {:?}", request()));
            }
        }
        let kinds = [
            ErrorKind::Authentication,
            ErrorKind::QuotaExhausted,
            ErrorKind::TooLong {
                limit_tokens: Some(8),
            },
            ErrorKind::Rejected,
            ErrorKind::BadResponse,
        ];
        for kind in kinds {
            let error = ProviderError::new(kind, "conformance");
            let stack = self.stack(settings, &Inner::new(Err(error.clone())))?;
            match ask(&stack, &World::default()).await? {
                Err(other) if same_but_for_words(&other, &error) => {}
                other => complaints.push(format!("{other:?} instead of {error:?}")),
            }
        }
        none_of(complaints)
    }

    async fn dropped(&self, settings: &Settings) -> Result<(), String> {
        let inner = Arc::new(Inner {
            hang_first: true,
            ..Inner::with(Ok(completion(Finish::Stop)))
        });
        let stack = self.stack(settings, &inner)?;
        let world = World::default();
        let asked = request();
        patiently(async {
            tokio::select! {
                outcome = stack.complete(&asked, &world) => {
                    Err(format!("the call came back without an answer inside: {outcome:?}"))
                }
                () = inner.until_open() => Ok(()),
            }
        })
        .await??;
        if inner.open.load(Ordering::SeqCst) > 0 {
            return Err("the call inside is still open".to_owned());
        }
        match ask(&stack, &world).await? {
            Ok(_) => Ok(()),
            // What was dropped after sending may have been the last that a budget had room for.
            Err(error) if error.kind == ErrorKind::BudgetExhausted => Ok(()),
            Err(error) => Err(format!("the next call fails: {error}")),
        }
    }

    async fn many(&self, settings: &Settings) -> Result<(), String> {
        let stack = self.stack(settings, &Inner::answering())?;
        let world = World::default();
        let (one, two, three, four) = tokio::join!(
            ask(&stack, &world),
            ask(&stack, &world),
            ask(&stack, &world),
            ask(&stack, &world),
        );
        let failed = [one, two, three, four]
            .into_iter()
            .filter_map(|outcome| match outcome {
                Ok(Ok(_)) => None,
                Ok(Err(error)) if error.kind == ErrorKind::BudgetExhausted => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(hangs) => Some(hangs),
            });
        none_of(failed)
    }

    fn silent(&self, settings: &Settings) -> Result<(), String> {
        let layer = self.layer_of(settings)?;
        let model = ModelId::new("conformance");
        let plan = Plan {
            model: &model,
            file_bytes: &[100, 200],
            calls: 1,
        };
        let texts = [
            ("the debug text", format!("{layer:?}")),
            ("the effect", format!("{:?}", layer.effect())),
            ("preflight", format!("{:?}", layer.preflight(&plan))),
            ("settle", format!("{:?}", layer.settle())),
        ];
        let complaints = texts
            .into_iter()
            .filter(|(_, text)| text.contains(&secret()))
            .map(|(what, text)| format!("{what} holds it: {text}"));
        none_of(complaints)
    }
}

fn same_but_for_words(one: &ProviderError, other: &ProviderError) -> bool {
    let without_words = |error: &ProviderError| ProviderError {
        message: String::new(),
        ..error.clone()
    };
    without_words(one) == without_words(other) && one.message.contains(&other.message)
}

fn completion(finish: Finish) -> Completion {
    Completion {
        text: "{\"issues\":[]}".to_owned(),
        finish,
        usage: Some(Usage {
            input_tokens: 11,
            output_tokens: 7,
        }),
        served_by: Some(ModelId::new("conformance-served")),
        adaptations: vec!["conformance".to_owned()],
    }
}

/// What a layer stands around: it answers the same every time, after the others had a turn.
#[derive(Debug)]
struct Inner {
    answer: Result<Completion, ProviderError>,
    /// Whether the first call never comes back.
    hang_first: bool,
    asked: Mutex<Vec<Request>>,
    open: AtomicUsize,
}

impl Inner {
    fn with(answer: Result<Completion, ProviderError>) -> Self {
        Self {
            answer,
            hang_first: false,
            asked: Mutex::default(),
            open: AtomicUsize::new(0),
        }
    }

    fn new(answer: Result<Completion, ProviderError>) -> Arc<Self> {
        Arc::new(Self::with(answer))
    }

    fn answering() -> Arc<Self> {
        Self::new(Ok(completion(Finish::Stop)))
    }

    fn bare(self: Arc<Self>) -> Identity {
        Stack::new("conformance", self as Arc<dyn Provider>).identity()
    }

    fn asked(&self) -> Vec<Request> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.clone()
    }

    async fn until_open(&self) {
        while self.open.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// Counts a call as open until it is over or dropped.
struct Open<'a>(&'a AtomicUsize);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ModelResolver for Inner {
    fn resolve_model(&self) -> ModelId {
        ModelId::new("conformance")
    }
}

#[async_trait]
impl Provider for Inner {
    fn identity(&self) -> Identity {
        Identity::stated([("endpoint", "conformance")])
    }

    fn label(&self) -> String {
        "conformance source".to_owned()
    }

    fn limits(&self) -> Limits {
        Limits::default()
    }

    async fn complete(
        &self,
        request: &Request,
        _run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.open.fetch_add(1, Ordering::SeqCst);
        let _open = Open(&self.open);
        let first = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push(request.clone());
            asked.len() == 1
        };
        if first && self.hang_first {
            std::future::pending::<()>().await;
        }
        tokio::task::yield_now().await;
        self.answer.clone()
    }
}
