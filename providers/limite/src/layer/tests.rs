use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use aurumcode_core::provider::{
    BuildContext, CallNumber, Environment, Finish, Identity, LayerContext, ModelResolver, Prompt,
    Registry, SetupError, SourceRegistration, Stack,
};

use super::*;
use crate::REGISTRATION;

/// Answers what it was told to answer, one after the other, and keeps what it was asked.
#[derive(Debug)]
struct Fake {
    model: ModelId,
    cap: Option<u32>,
    answers: Mutex<Vec<Result<Completion, ProviderError>>>,
    asked: Mutex<Vec<Request>>,
}

impl Fake {
    fn new(answers: impl IntoIterator<Item = Result<Completion, ProviderError>>) -> Arc<Self> {
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.reverse();
        Arc::new(Self {
            model: ModelId::new("gpt-4"),
            cap: None,
            answers: Mutex::new(answers),
            asked: Mutex::default(),
        })
    }

    fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl ModelResolver for Fake {
    fn resolve_model(&self) -> ModelId {
        self.model.clone()
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
            output_tokens: self.cap,
        }
    }

    async fn complete(
        &self,
        request: &Request,
        _run: &dyn Run,
    ) -> Result<Completion, ProviderError> {
        self.asked.lock().unwrap().push(request.clone());
        self.answers
            .lock()
            .unwrap()
            .pop()
            .expect("an answer is left")
    }
}

/// Asks again as often as it takes.
#[derive(Debug)]
struct Again;

#[async_trait]
impl Layer for Again {
    fn effect(&self) -> Effect {
        Effect::Transparent
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
        loop {
            match next.complete(request, run).await {
                Err(error) if error.kind == ErrorKind::Timeout => {}
                result => return result,
            }
        }
    }

    fn settle(&self) -> Vec<Note> {
        Vec::new()
    }
}

/// A world in which nothing happens.
#[derive(Debug, Default)]
struct Still {
    notes: Mutex<Vec<Note>>,
}

#[async_trait]
impl Run for Still {
    fn note(&self, note: Note) {
        self.notes.lock().unwrap().push(note);
    }

    fn random(&self) -> u64 {
        0
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    async fn sleep(&self, _duration: Duration) {}
}

const NO_VARIABLES: [(&str, &str); 0] = [];

const PRICES: [(&str, &str); 2] = [
    ("AURUMCODE_LLM_INPUT_USD_PER_1K", "1"),
    ("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "2"),
];

fn build(
    limite: Option<&str>,
    variables: &[(&str, &str)],
    asked: Option<&str>,
    answers: &ModelId,
) -> Result<Option<Arc<dyn Layer>>, SetupError> {
    let environment = Environment::new(variables.iter().copied());
    let flags: BTreeMap<String, String> = limite
        .map(|value| ("limite".to_owned(), value.to_owned()))
        .into_iter()
        .collect();
    let model = asked.map(ModelId::new);
    (REGISTRATION.build)(&LayerContext {
        build: BuildContext {
            environment: &environment,
            flags: &flags,
            model: model.as_ref(),
        },
        answers,
    })
}

fn metered(limite: &str, variables: &[(&str, &str)], fake: &Arc<Fake>) -> Stack {
    let layer = build(Some(limite), variables, None, &fake.model)
        .unwrap()
        .unwrap();
    Stack::new("fake", Arc::clone(fake) as Arc<dyn Provider>).wrapped("limite", layer)
}

/// A call whose prompt has 4000 bytes, which is about 1000 tokens.
fn request(number: u32, of: u32, cap: Option<u32>) -> Request {
    Request {
        prompt: Prompt {
            instructions: "x".repeat(999).into(),
            material: "x".repeat(3000),
        },
        answer_schema: Arc::default(),
        output_cap: cap,
        call: CallNumber { number, of },
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it stands beside failures")]
fn answer(text: &str, usage: Option<(u64, u64)>) -> Result<Completion, ProviderError> {
    Ok(Completion {
        text: text.to_owned(),
        finish: Finish::Stop,
        usage: usage.map(|(input_tokens, output_tokens)| Usage {
            input_tokens,
            output_tokens,
        }),
        served_by: None,
        adaptations: Vec::new(),
    })
}

fn failure(kind: ErrorKind, billing: Billing) -> Result<Completion, ProviderError> {
    Err(ProviderError::new(kind, "no answer").billed(billing))
}

fn refused(message: &str) -> Result<Completion, ProviderError> {
    Err(ProviderError::new(ErrorKind::BudgetExhausted, message))
}

fn settled(stack: &Stack) -> Vec<String> {
    stack.settle().into_iter().map(|note| note.text).collect()
}

#[tokio::test]
async fn a_call_is_settled_with_what_was_reported() {
    let fake = Fake::new([answer("ok", Some((1200, 10)))]);
    let stack = metered("100", &PRICES, &fake);
    let asked = request(1, 1, stack.limits().output_tokens);
    assert_eq!(
        stack.complete(&asked, &Still::default()).await,
        answer("ok", Some((1200, 10)))
    );
    assert_eq!(fake.asked.lock().unwrap().as_slice(), [asked]);
    assert_eq!(
        settled(&stack),
        ["actual cost $1.2200 (--limite $100.0000)"]
    );
}

#[tokio::test]
async fn the_cap_is_the_users_or_3000() {
    let without = Fake::new([answer("ok", Some((1, 1)))]);
    let stack = metered("100", &PRICES, &without);
    let limits = stack.limits();
    assert_eq!(
        (limits.context_tokens, limits.output_tokens),
        (Some(8000), Some(3000))
    );
    stack
        .complete(&request(1, 1, None), &Still::default())
        .await
        .unwrap();
    assert_eq!(
        without.asked.lock().unwrap().as_slice(),
        [request(1, 1, Some(3000))],
        "what was reserved is what is sent"
    );

    let with = Arc::new(Fake {
        cap: Some(7),
        ..Arc::into_inner(Fake::new([])).unwrap()
    });
    assert_eq!(
        metered("100", &PRICES, &with).limits().output_tokens,
        Some(7)
    );
}

#[tokio::test]
async fn a_first_call_that_does_not_fit_is_not_sent() {
    let fake = Fake::new([]);
    let stack = metered("6.9999", &PRICES, &fake);
    assert_eq!(
        stack
            .complete(&request(1, 1, Some(3000)), &Still::default())
            .await,
        refused(
            "refusing to call the model: the request's cost would exceed --limite $6.9999; nothing was spent (a prompt of 4000 bytes at $1.0000 per 1000 tokens and an answer of up to 3000 tokens at $2.0000 per 1000 could cost $7.0000)"
        )
    );
    assert_eq!(fake.calls(), 0);
    assert_eq!(settled(&stack), Vec::<String>::new());
}

#[tokio::test]
async fn a_call_may_use_up_the_ceiling_exactly() {
    let fake = Fake::new([answer("ok", Some((1000, 3000)))]);
    let stack = metered("7", &PRICES, &fake);
    let run = Still::default();
    assert!(
        stack
            .complete(&request(1, 2, Some(3000)), &run)
            .await
            .is_ok()
    );
    assert_eq!(
        stack.complete(&request(2, 2, Some(3000)), &run).await,
        refused("stopped before call 2 of 2: $7.0000 of --limite $7.0000 spent")
    );
    assert_eq!(
        run.notes.lock().unwrap().as_slice(),
        [Note::detail(
            "a prompt of 4000 bytes at $1.0000 per 1000 tokens and an answer of up to 3000 tokens at $2.0000 per 1000 could cost $7.0000"
        )]
    );
    assert_eq!(settled(&stack), ["actual cost $7.0000 (--limite $7.0000)"]);
}

#[tokio::test]
async fn an_answer_without_usage_is_estimated() {
    let fake = Fake::new([answer(&"y".repeat(4000), None), answer("ok", Some((1, 0)))]);
    let stack = metered("100", &PRICES, &fake);
    let run = Still::default();
    for number in 1..=2 {
        stack
            .complete(&request(number, 2, Some(3000)), &run)
            .await
            .unwrap();
    }
    assert_eq!(
        settled(&stack),
        [
            "actual cost $3.0010 (--limite $100.0000)",
            "no usage was reported for 1 of 2 call(s): their cost is estimated, with 4 bytes of prompt and answer for a token",
        ]
    );
}

#[tokio::test]
async fn an_endpoint_that_counts_more_than_was_reserved_is_said_and_stops_the_run() {
    let fake = Fake::new([answer("ok", Some((9000, 1)))]);
    let stack = metered("8", &PRICES, &fake);
    let run = Still::default();
    assert!(
        stack
            .complete(&request(1, 2, Some(3000)), &run)
            .await
            .is_ok()
    );
    assert_eq!(
        stack.complete(&request(2, 2, Some(3000)), &run).await,
        refused("stopped before call 2 of 2: $9.0020 of --limite $8.0000 spent")
    );
    assert_eq!(fake.calls(), 1);
    assert_eq!(
        settled(&stack),
        [
            "actual cost $9.0020 (--limite $8.0000)",
            "the actual cost passed --limite by $1.0020: more tokens were counted than a call was expected to need",
        ]
    );
}

#[tokio::test]
async fn later_calls_are_expected_to_have_as_many_tokens_as_were_measured() {
    // The first call has twice the expected tokens, so the second one could cost 2 + 6 dollars.
    let fake = Fake::new([answer("ok", Some((2000, 0)))]);
    let stack = metered("9.9999", &PRICES, &fake);
    let run = Still::default();
    assert!(
        stack
            .complete(&request(1, 2, Some(3000)), &run)
            .await
            .is_ok()
    );
    assert_eq!(
        stack.complete(&request(2, 2, Some(3000)), &run).await,
        refused("stopped before call 2 of 2: $2.0000 of --limite $9.9999 spent")
    );
}

#[tokio::test]
async fn every_attempt_is_metered() {
    let fake = Fake::new([
        failure(ErrorKind::Timeout, Billing::Unknown),
        failure(ErrorKind::Timeout, Billing::NotBilled),
        failure(
            ErrorKind::Timeout,
            Billing::Reported(Usage {
                input_tokens: 1000,
                output_tokens: 0,
            }),
        ),
        answer("ok", Some((1000, 1000))),
    ]);
    let stack = metered("15", &PRICES, &fake).wrapped("again", Arc::new(Again));
    let run = Still::default();
    assert!(
        stack
            .complete(&request(1, 2, Some(3000)), &run)
            .await
            .is_ok()
    );
    assert_eq!(fake.calls(), 4);
    assert_eq!(
        settled(&stack),
        [
            "actual cost $11.0000 (--limite $15.0000)",
            "1 of 3 call(s) ended without a word about their cost: the $7.0000 that they could have cost count as spent",
        ]
    );
    assert_eq!(
        stack.complete(&request(2, 2, Some(3000)), &run).await,
        refused("stopped before call 2 of 2: $11.0000 of --limite $15.0000 spent")
    );
}

#[tokio::test]
async fn a_failure_that_cost_nothing_ends_without_a_cost_line() {
    let fake = Fake::new([failure(ErrorKind::Authentication, Billing::NotBilled)]);
    let stack = metered("100", &PRICES, &fake);
    let run = Still::default();
    assert!(
        stack
            .complete(&request(1, 1, Some(3000)), &run)
            .await
            .is_err()
    );
    assert_eq!(settled(&stack), Vec::<String>::new());
}

#[tokio::test]
async fn calls_at_the_same_time_share_the_ceiling() {
    // Each could cost 7 and costs 3: the second and the third wait for the one before.
    let answers = (0..3).map(|_| answer("ok", Some((1000, 1000))));
    let fake = Fake::new(answers);
    let stack = metered("13", &PRICES, &fake);
    let run = Still::default();
    let requests = [1, 2, 3].map(|number| request(number, 3, Some(3000)));
    let [first, second, third] = &requests;
    let results = tokio::join!(
        stack.complete(first, &run),
        stack.complete(second, &run),
        stack.complete(third, &run)
    );
    assert!(results.0.is_ok() && results.1.is_ok() && results.2.is_ok());
    assert_eq!(settled(&stack), ["actual cost $9.0000 (--limite $13.0000)"]);
}

#[test]
fn a_run_that_asks_nothing_costs_nothing() {
    let stack = metered("0.50", &PRICES, &Fake::new([]));
    assert_eq!(settled(&stack), ["actual cost $0.0000 (--limite $0.5000)"]);
}

#[test]
fn the_estimate_comes_first_and_assumed_prices_are_said() {
    let fake = Fake::new([]);
    let plan = Plan {
        model: &fake.model,
        file_bytes: &[1234, 2345],
        calls: 2,
    };
    let notes =
        |variables: &[(&str, &str)]| metered("0.50", variables, &fake).preflight(&plan).unwrap();
    let estimated = "estimated cost $0.1889, diff-only pre-flight (--limite $0.5000)";
    assert_eq!(
        notes(&NO_VARIABLES),
        [
            Note::normal(estimated),
            Note::normal(
                "prices are assumed for model \"gpt-4\": $0.0100 per 1000 tokens in, $0.0300 per 1000 tokens out; set AURUMCODE_LLM_INPUT_USD_PER_1K and AURUMCODE_LLM_OUTPUT_USD_PER_1K to what it costs"
            ),
        ]
    );
    assert_eq!(
        notes(&[
            ("AURUMCODE_LLM_INPUT_USD_PER_1K", "0.01"),
            ("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "3e-2"),
        ]),
        [Note::normal(estimated)]
    );
    let empty = Plan {
        file_bytes: &[],
        calls: 1,
        ..plan
    };
    assert_eq!(
        metered("0.50", &PRICES, &fake).preflight(&empty).unwrap(),
        [Note::normal(
            "estimated cost $6.0010, diff-only pre-flight (--limite $0.5000)"
        )]
    );
}

#[test]
fn the_identity_has_the_models_and_never_the_ceiling() {
    let identity = |limite: Option<&str>, asked: Option<&str>, answers: &str| {
        let fake = Arc::new(Fake {
            model: ModelId::new(answers),
            ..Arc::into_inner(Fake::new([])).unwrap()
        });
        let layer = build(limite, &NO_VARIABLES, asked, &fake.model).unwrap();
        let stack = Stack::new("fake", fake);
        match layer {
            Some(layer) => stack.wrapped("limite", layer).identity(),
            None => stack.identity(),
        }
    };
    let metered = identity(Some("0.50"), None, "a");
    assert_eq!(metered, identity(Some("7"), None, "a"));
    let others = [
        identity(None, None, "a"),
        identity(Some("0.50"), None, "b"),
        identity(Some("0.50"), Some("a"), "a"),
    ];
    for other in others {
        assert_ne!(metered, other);
    }
    let fingerprint = |asked: &str, answers: &str| {
        build(
            Some("1"),
            &NO_VARIABLES,
            Some(asked),
            &ModelId::new(answers),
        )
        .unwrap()
        .unwrap()
        .effect()
    };
    assert_ne!(fingerprint("a:b", "c"), fingerprint("a", "b:c"));
}

#[test]
fn prices_are_looked_at_only_with_the_flag() {
    let half = [("AURUMCODE_LLM_INPUT_USD_PER_1K", "1")];
    let model = ModelId::new("a");
    assert!(build(None, &half, None, &model).unwrap().is_none());
    assert_eq!(
        build(Some("1"), &half, None, &model).unwrap_err(),
        SetupError::Usage("AURUMCODE_LLM_INPUT_USD_PER_1K is set but AURUMCODE_LLM_OUTPUT_USD_PER_1K is not; set both or neither, because a missing side prices those tokens at $0".to_owned())
    );
    assert_eq!(
        build(Some("nan"), &NO_VARIABLES, None, &model).unwrap_err(),
        SetupError::Usage("--limite: must be a number of US dollars (got \"nan\")".to_owned())
    );
}

#[test]
fn the_layer_is_linked_with_its_flag_and_its_variables() {
    let registry = Registry::linked().unwrap();
    let layers: Vec<_> = registry
        .layers()
        .iter()
        .map(|layer| (layer.name, layer.position))
        .collect();
    assert_eq!(layers, [("limite", 50)]);
    let flags: Vec<_> = registry
        .flags()
        .map(|flag| (flag.name, flag.aliases, flag.value_name))
        .collect();
    assert_eq!(flags, [("limite", &["limit"][..], "usd")]);
    let variables: Vec<_> = registry.variables().map(|variable| variable.name).collect();
    assert_eq!(
        variables,
        [
            "AURUMCODE_LLM_INPUT_USD_PER_1K",
            "AURUMCODE_LLM_OUTPUT_USD_PER_1K"
        ]
    );
}

#[tokio::test]
async fn the_registry_puts_it_around_a_source() {
    let entry = SourceRegistration {
        name: "fake",
        origin: REGISTRATION.origin,
        summary: "",
        position: Some(1),
        variables: &[],
        flags: &[],
        build: |_| Ok(Fake::new([])),
    };
    let registry = Registry::from_entries([entry], [REGISTRATION]).unwrap();
    let flags = BTreeMap::from([("limite".to_owned(), "0.0001".to_owned())]);
    let environment = Environment::default();
    let stack = registry
        .select(&BuildContext {
            environment: &environment,
            flags: &flags,
            model: None,
        })
        .unwrap();
    assert_eq!(
        stack
            .complete(
                &request(1, 1, stack.limits().output_tokens),
                &Still::default()
            )
            .await,
        refused(
            "refusing to call the model: the request's cost would exceed --limite $0.0001; nothing was spent (a prompt of 4000 bytes at $0.0100 per 1000 tokens and an answer of up to 3000 tokens at $0.0300 per 1000 could cost $0.1000)"
        )
    );
}
