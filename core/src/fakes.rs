//! A source, a layer of each effect, a store and a world that tests decide.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;

use crate::cache::{Entry, Key, Lookup, Store, StoreError};
use crate::provider::{
    Completion, Effect, Finish, Identity, Layer, Limits, ModelId, ModelResolver, Note, Plan,
    Provider, ProviderError, Request, Run,
};

/// Drives a future that waits for nothing but itself.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1_000_000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
    panic!("the future does not end");
}

/// Lets every other future have a turn.
pub(crate) async fn turn() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

pub(crate) fn completion(text: &str) -> Completion {
    Completion {
        text: text.to_owned(),
        finish: Finish::Stop,
        usage: None,
        served_by: None,
        adaptations: Vec::new(),
    }
}

type Answer = dyn Fn(&Request) -> Result<Completion, ProviderError> + Send + Sync;

/// A source that answers as a test says, and remembers what it was asked.
pub(crate) struct Scripted {
    pub(crate) model: &'static str,
    pub(crate) identity: Identity,
    pub(crate) limits: Limits,
    /// How many turns of the others each call takes, by its number.
    pub(crate) turns: fn(u32) -> u32,
    answer: Box<Answer>,
    asked: Mutex<Vec<Request>>,
}

impl Scripted {
    pub(crate) fn new(
        answer: impl Fn(&Request) -> Result<Completion, ProviderError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            model: "scripted",
            identity: Identity::stated([("kind", "scripted")]),
            limits: Limits::default(),
            turns: |_| 0,
            answer: Box::new(answer),
            asked: Mutex::new(Vec::new()),
        }
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths that each call was about.
    pub(crate) fn asked_files(&self) -> Vec<Vec<String>> {
        self.asked().iter().map(files_of).collect()
    }
}

/// The paths that a request is about.
pub(crate) fn files_of(request: &Request) -> Vec<String> {
    let lines = request.prompt.material.lines();
    lines
        .filter_map(|line| line.strip_prefix("### File: ").map(str::to_owned))
        .collect()
}

impl fmt::Debug for Scripted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scripted").finish_non_exhaustive()
    }
}

impl ModelResolver for Scripted {
    fn resolve_model(&self) -> ModelId {
        ModelId::new(self.model)
    }
}

#[async_trait]
impl Provider for Scripted {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn label(&self) -> String {
        "scripted source".to_owned()
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    async fn complete(
        &self,
        request: &Request,
        _run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.asked.lock().unwrap().push(request.clone());
        for _ in 0..(self.turns)(request.call.number) {
            turn().await;
        }
        (self.answer)(request)
    }
}

/// A layer that writes down what it sees.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) effect: Effect,
    pub(crate) output_tokens: Option<u32>,
    pub(crate) refuse: Option<ProviderError>,
    pub(crate) seen: Arc<Mutex<Vec<String>>>,
}

impl Recording {
    pub(crate) fn new(effect: Effect, seen: &Arc<Mutex<Vec<String>>>) -> Self {
        Self {
            effect,
            output_tokens: None,
            refuse: None,
            seen: Arc::clone(seen),
        }
    }

    fn say(&self, what: &str) {
        self.seen
            .lock()
            .unwrap()
            .push(format!("{:?}: {what}", self.effect));
    }
}

#[async_trait]
impl Layer for Recording {
    fn effect(&self) -> Effect {
        self.effect.clone()
    }

    fn narrow(&self, inner: Limits) -> Limits {
        Limits {
            output_tokens: self.output_tokens.or(inner.output_tokens),
            ..inner
        }
    }

    fn preflight(&self, plan: &Plan<'_>) -> Result<Vec<Note>, ProviderError> {
        self.say(&format!(
            "plan {} files, {} calls",
            plan.file_bytes.len(),
            plan.calls
        ));
        match &self.refuse {
            Some(error) => Err(error.clone()),
            None => Ok(vec![Note::normal(format!("{:?} planned", self.effect))]),
        }
    }

    async fn call(
        &self,
        request: &Request,
        next: &dyn Provider,
        run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.say("call");
        let result = next.complete(request, run).await;
        self.say("answer");
        result
    }

    fn settle(&self) -> Vec<Note> {
        vec![Note::normal(format!("{:?} settled", self.effect))]
    }
}

/// Entries in memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryStore {
    pub(crate) entries: Mutex<BTreeMap<Key, Entry>>,
}

impl MemoryStore {
    pub(crate) fn keys(&self) -> Vec<Key> {
        self.entries.lock().unwrap().keys().copied().collect()
    }

    /// Returns a store with some of the entries, chosen by the bits of `keep`.
    pub(crate) fn some(&self, keep: u32) -> Self {
        let entries = self.entries.lock().unwrap();
        let kept = entries
            .iter()
            .enumerate()
            .filter(|(index, _)| keep >> index & 1 == 1);
        let kept = kept
            .map(|(_, (key, entry))| (*key, entry.clone()))
            .collect();
        Self {
            entries: Mutex::new(kept),
        }
    }
}

impl Store for MemoryStore {
    fn get(&self, key: &Key) -> Lookup {
        match self.entries.lock().unwrap().get(key) {
            Some(entry) => Lookup::Hit(Box::new(entry.clone())),
            None => Lookup::Absent,
        }
    }

    fn put(&self, entry: &Entry) -> Result<(), StoreError> {
        self.entries
            .lock()
            .unwrap()
            .insert(entry.key, entry.clone());
        Ok(())
    }

    fn describe(&self) -> String {
        "memory".to_owned()
    }
}

/// A world without time.
#[derive(Debug, Default)]
pub(crate) struct StillWorld {
    pub(crate) notes: Mutex<Vec<Note>>,
}

#[async_trait]
impl Run for StillWorld {
    fn note(&self, note: Note) {
        self.notes.lock().unwrap().push(note);
    }

    fn random(&self) -> u64 {
        4
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    async fn sleep(&self, _duration: Duration) {
        turn().await;
    }
}
