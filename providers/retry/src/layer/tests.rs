use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aurumcode_core::provider::{
    Billing, BuildContext, CallNumber, Environment, ErrorKind, Finish, Identity, LayerContext,
    ModelId, ModelResolver, Prompt, Registry, SetupError, Stack,
};

use super::*;
use crate::REGISTRATION;

type Answer = Result<Completion, ProviderError>;

/// Gives its answers one after the other, the last one for ever, and keeps what it was asked.
#[derive(Debug)]
struct Fake {
    answers: Vec<Answer>,
    asked: Mutex<Vec<Request>>,
}

impl ModelResolver for Fake {
    fn resolve_model(&self) -> ModelId {
        ModelId::new("model")
    }
}

#[async_trait]
impl Provider for Fake {
    fn identity(&self) -> Identity {
        Identity::stated([("endpoint", "fake")])
    }

    fn label(&self) -> String {
        "fake".to_owned()
    }

    fn limits(&self) -> Limits {
        Limits {
            context_tokens: Some(8000),
            output_tokens: None,
        }
    }

    async fn complete(&self, request: &Request, _run: &dyn Run) -> Answer {
        let mut asked = self.asked.lock().unwrap();
        asked.push(request.clone());
        self.answers[asked.len().min(self.answers.len()) - 1].clone()
    }
}

/// A world whose time passes by waiting alone, and a bit with each look at the clock.
#[derive(Debug, Default)]
struct World {
    random: u64,
    /// How long an attempt takes, in seconds.
    attempt: u64,
    /// The clock goes backwards.
    backwards: bool,
    seconds: Mutex<f64>,
    waits: Mutex<Vec<Duration>>,
    notes: Mutex<Vec<Note>>,
}

#[async_trait]
impl Run for World {
    fn note(&self, note: Note) {
        self.notes.lock().unwrap().push(note);
    }

    fn random(&self) -> u64 {
        self.random
    }

    fn now(&self) -> SystemTime {
        let mut seconds = self.seconds.lock().unwrap();
        let now = Duration::from_secs_f64(*seconds);
        *seconds += f64::from(u32::try_from(self.attempt).unwrap());
        let day = SystemTime::UNIX_EPOCH + Duration::from_hours(8760);
        if self.backwards { day - now } else { day + now }
    }

    async fn sleep(&self, duration: Duration) {
        *self.seconds.lock().unwrap() += duration.as_secs_f64();
        self.waits.lock().unwrap().push(duration);
    }
}

/// What a run of one call showed.
struct Seen {
    answer: Answer,
    asked: Vec<Request>,
    waits: Vec<Duration>,
    notes: Vec<Note>,
}

const SETTINGS: Settings = Settings {
    attempts: 4,
    max_wait: Duration::from_mins(1),
    max_time: Duration::from_mins(5),
};

async fn run(settings: Settings, world: World, answers: impl Into<Vec<Answer>>) -> Seen {
    let fake = Fake {
        answers: answers.into(),
        asked: Mutex::default(),
    };
    let answer = Retry::new(settings).call(&request(1), &fake, &world).await;
    Seen {
        answer,
        asked: fake.asked.into_inner().unwrap(),
        waits: world.waits.into_inner().unwrap(),
        notes: world.notes.into_inner().unwrap(),
    }
}

fn request(of: u32) -> Request {
    Request {
        prompt: Prompt {
            instructions: "review".into(),
            material: "diff".to_owned(),
        },
        answer_schema: Arc::default(),
        output_cap: Some(7),
        call: CallNumber { number: 1, of },
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it stands beside failures")]
fn answered() -> Answer {
    Ok(Completion {
        text: "{}".to_owned(),
        finish: Finish::Stop,
        usage: None,
        served_by: None,
        adaptations: vec!["left out temperature".to_owned()],
    })
}

fn failed(kind: ErrorKind, message: &str) -> Answer {
    Err(ProviderError::new(kind, message))
}

fn busy(seconds: Option<u64>) -> Answer {
    let retry_after = seconds.map(Duration::from_secs);
    failed(ErrorKind::RateLimited { retry_after }, "busy")
}

fn lines(seen: &Seen) -> Vec<&str> {
    assert!(
        seen.notes
            .iter()
            .all(|note| *note == Note::normal(note.text.clone()))
    );
    seen.notes.iter().map(|note| note.text.as_str()).collect()
}

#[tokio::test]
async fn a_wait_that_the_server_asks_for_is_kept() {
    let seen = run(
        SETTINGS,
        World::default(),
        [
            busy(Some(20)),
            failed(
                ErrorKind::Overloaded {
                    retry_after: Some(Duration::from_millis(1234)),
                },
                "overloaded",
            ),
            answered(),
        ],
    )
    .await;
    assert_eq!(seen.answer, answered());
    assert_eq!(seen.asked, [request(1), request(1), request(1)]);
    assert_eq!(
        seen.waits,
        [Duration::from_secs(20), Duration::from_millis(1234)]
    );
    assert_eq!(
        lines(&seen),
        [
            "busy; asking again in 20 s (attempt 2 of 4)",
            "overloaded; asking again in 1.3 s (attempt 3 of 4)",
        ]
    );
}

#[tokio::test]
async fn waits_grow_with_a_random_part_up_to_the_longest_and_the_end_is_said() {
    let settings = Settings {
        attempts: 7,
        max_wait: Duration::from_secs(16),
        ..SETTINGS
    };
    let mut first = Vec::new();
    for random in [1, 2, 3] {
        let world = World {
            random,
            ..World::default()
        };
        let seen = run(settings, world, [failed(ErrorKind::Transport, "no line")]).await;
        assert_eq!(
            seen.answer,
            failed(ErrorKind::Transport, "no line (tried 7 times)")
        );
        assert_eq!(seen.asked.len(), 7);
        let least = [1, 2, 4, 8, 8, 8].map(Duration::from_secs);
        assert_eq!(seen.waits.len(), least.len());
        for (wait, least) in seen.waits.iter().zip(least) {
            assert!((least..least * 2).contains(wait), "{wait:?}");
        }
        first.push(seen.waits[0]);
    }
    first.dedup();
    assert_eq!(first.len(), 3, "the random part differs");
}

#[tokio::test]
async fn no_wait_asked_for_is_no_wait_of_nothing() {
    let seen = run(SETTINGS, World::default(), [busy(Some(0)), answered()]).await;
    assert_eq!(seen.answer, answered());
    assert!(seen.waits[0] >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_wait_longer_than_the_longest_ends_at_once() {
    let seen = run(
        SETTINGS,
        World::default(),
        [busy(Some(60)), busy(Some(3600))],
    )
    .await;
    assert_eq!(seen.waits, [Duration::from_mins(1)]);
    let retry_after = Some(Duration::from_hours(1));
    assert_eq!(
        seen.answer,
        failed(
            ErrorKind::RateLimited { retry_after },
            "busy (tried 2 times; the server asks to wait 3600 s, and AURUMCODE_RETRY_MAX_WAIT allows 60 s)"
        )
    );
}

#[tokio::test]
async fn the_time_of_all_attempts_has_an_end() {
    let world = World {
        attempt: 130,
        ..World::default()
    };
    let seen = run(SETTINGS, world, [busy(Some(40))]).await;
    assert_eq!(seen.waits, [Duration::from_secs(40)]);
    let retry_after = Some(Duration::from_secs(40));
    assert_eq!(
        seen.answer,
        failed(
            ErrorKind::RateLimited { retry_after },
            "busy (tried 2 times; another attempt would start later than the 300 s that AURUMCODE_RETRY_MAX_TIME allows)"
        )
    );
}

#[tokio::test]
async fn a_clock_that_was_set_back_does_not_make_it_longer() {
    let settings = Settings {
        attempts: 100,
        ..SETTINGS
    };
    let world = World {
        backwards: true,
        ..World::default()
    };
    let seen = run(settings, world, [busy(Some(50))]).await;
    assert_eq!(seen.waits, [Duration::from_secs(50); 6]);
}

#[tokio::test]
async fn what_cannot_get_better_comes_back_as_it_is() {
    let kinds = [
        ErrorKind::Authentication,
        ErrorKind::Permission,
        ErrorKind::ModelNotFound,
        ErrorKind::QuotaExhausted,
        ErrorKind::BudgetExhausted,
        ErrorKind::TooLong { limit_tokens: None },
        ErrorKind::Rejected,
        ErrorKind::BadResponse,
        ErrorKind::Setup,
    ];
    for kind in kinds {
        let seen = run(SETTINGS, World::default(), [failed(kind, "no")]).await;
        assert_eq!(seen.answer, failed(kind, "no"));
        assert_eq!((seen.asked.len(), seen.notes.len()), (1, 0));

        let seen = run(SETTINGS, World::default(), [busy(None), failed(kind, "no")]).await;
        assert_eq!(seen.answer, failed(kind, "no"));
        assert_eq!(seen.asked.len(), 2);
    }
}

#[tokio::test]
async fn a_call_that_may_have_been_billed_is_made_again() {
    let timeout = ProviderError::new(ErrorKind::Timeout, "no answer").billed(Billing::Unknown);
    let seen = run(SETTINGS, World::default(), [Err(timeout), answered()]).await;
    assert_eq!(seen.answer, answered());
}

#[tokio::test]
async fn one_attempt_changes_nothing() {
    let settings = Settings {
        attempts: 1,
        ..SETTINGS
    };
    let seen = run(settings, World::default(), [busy(Some(3600))]).await;
    assert_eq!(seen.answer, busy(Some(3600)));
    assert_eq!((seen.asked.len(), seen.notes.len()), (1, 0));
}

#[tokio::test]
async fn a_call_among_others_is_named() {
    let fake = Fake {
        answers: vec![busy(Some(2)), answered()],
        asked: Mutex::default(),
    };
    let world = World::default();
    let answer = Retry::new(SETTINGS).call(&request(5), &fake, &world).await;
    assert_eq!(answer, answered());
    assert_eq!(
        world.notes.into_inner().unwrap(),
        [Note::normal(
            "call 1 of 5: busy; asking again in 2 s (attempt 2 of 4)"
        )]
    );
}

fn build(variables: &[(&str, &str)]) -> Result<Option<Arc<dyn Layer>>, SetupError> {
    (REGISTRATION.build)(&LayerContext {
        build: BuildContext {
            environment: &Environment::new(variables.iter().copied()),
            flags: &BTreeMap::new(),
            model: None,
        },
        answers: &ModelId::new("model"),
    })
}

#[test]
fn it_is_always_there_and_changes_neither_identity_nor_limits() {
    let fake: Arc<dyn Provider> = Arc::new(Fake {
        answers: Vec::new(),
        asked: Mutex::default(),
    });
    let bare = Stack::new("fake", Arc::clone(&fake));
    let layered = Stack::new("fake", fake).wrapped("retry", build(&[]).unwrap().unwrap());
    assert_eq!(layered.identity(), bare.identity());
    assert_eq!(layered.limits(), bare.limits());
    assert_eq!(layered.settle(), []);
}

#[test]
fn a_setting_that_cannot_be_used_is_a_usage_error() {
    assert_eq!(
        build(&[("AURUMCODE_RETRY_ATTEMPTS", "often")]).unwrap_err(),
        SetupError::Usage(
            "AURUMCODE_RETRY_ATTEMPTS must be a whole number from 1 to 100 (got \"often\")"
                .to_owned()
        )
    );
}

#[test]
fn the_layer_is_linked_with_its_variables() {
    let registry = Registry::linked().unwrap();
    let layers: Vec<_> = registry
        .layers()
        .iter()
        .map(|layer| (layer.name, layer.position))
        .collect();
    assert_eq!(layers, [("retry", 10)]);
    assert_eq!(registry.flags().count(), 0);
    let variables: Vec<_> = registry.variables().map(|variable| variable.name).collect();
    assert_eq!(
        variables,
        [
            "AURUMCODE_RETRY_ATTEMPTS",
            "AURUMCODE_RETRY_MAX_WAIT",
            "AURUMCODE_RETRY_MAX_TIME"
        ]
    );
}
