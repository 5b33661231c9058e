//! What composition keeps, with a layer of each effect.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::*;
use crate::fakes::{Recording, Scripted, StillWorld, block_on, completion};

fn shapes(fingerprint: &str) -> Effect {
    Effect::Shapes {
        name: "test".to_owned(),
        fingerprint: fingerprint.to_owned(),
    }
}

fn source(model: &'static str) -> Arc<Scripted> {
    let mut source = Scripted::new(|_| Ok(completion("answer")));
    source.model = model;
    Arc::new(source)
}

fn layer(effect: Effect) -> Arc<Recording> {
    Arc::new(Recording::new(effect, &Arc::default()))
}

fn request() -> Request {
    Request {
        prompt: Prompt {
            instructions: "do".into(),
            material: "this".to_owned(),
        },
        answer_schema: Arc::default(),
        output_cap: None,
        call: CallNumber { number: 1, of: 1 },
    }
}

fn digest(identity: &Identity) -> [u8; 32] {
    let mut encoder = crate::encode::Encoder::new("test");
    identity.encode(&mut encoder);
    encoder.digest()
}

#[test]
fn a_transparent_layer_leaves_the_identity_alone() {
    let bare = Stack::new("s", source("m"));
    let wrapped = Stack::new("s", source("m")).wrapped("t", layer(Effect::Transparent));
    assert_eq!(bare.identity(), wrapped.identity());
}

#[test]
fn stacks_that_could_answer_differently_have_different_identities() {
    let stacks = [
        Stack::new("s", source("m")),
        Stack::new("s", source("n")),
        Stack::new("other", source("m")),
        Stack::new("s", source("m")).wrapped("a", layer(shapes("1"))),
        Stack::new("s", source("n")).wrapped("a", layer(shapes("1"))),
        Stack::new("s", source("m")).wrapped("a", layer(shapes("2"))),
        Stack::new("s", source("m")).wrapped("b", layer(shapes("1"))),
        Stack::new("s", source("m"))
            .wrapped("a", layer(shapes("1")))
            .wrapped("a", layer(shapes("1"))),
        Stack::new("s", source("m"))
            .wrapped("a", layer(shapes("1")))
            .wrapped("b", layer(shapes("1"))),
        Stack::new("s", source("m"))
            .wrapped("b", layer(shapes("1")))
            .wrapped("a", layer(shapes("1"))),
    ];
    let mut digests: Vec<_> = stacks
        .iter()
        .map(|stack| digest(&stack.identity()))
        .collect();
    let count = digests.len();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

#[test]
fn no_layer_makes_an_unstated_identity_stated() {
    let mut source = Scripted::new(|_| Ok(completion("answer")));
    source.identity = Identity::unstated();
    let stack = Stack::new("s", Arc::new(source))
        .wrapped("a", layer(shapes("1")))
        .wrapped("t", layer(Effect::Transparent));
    assert!(!stack.identity().is_stated());
}

#[test]
fn layers_see_a_call_from_the_outermost_to_the_source_and_back() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let inner = source("m");
    let stack = Stack::new("s", Arc::clone(&inner) as Arc<dyn Provider>)
        .wrapped("inner", Arc::new(Recording::new(shapes("1"), &seen)))
        .wrapped(
            "outer",
            Arc::new(Recording::new(Effect::Transparent, &seen)),
        );
    let answer = block_on(stack.complete(&request(), &StillWorld::default()));
    assert_eq!(answer, Ok(completion("answer")));
    assert_eq!(inner.asked(), [request()]);
    let model = stack.resolve_model();
    let plan = Plan {
        model: &model,
        file_bytes: &[3],
        calls: 1,
    };
    let said = |notes: Vec<Note>| notes.into_iter().map(|note| note.text).collect::<Vec<_>>();
    let one = format!("{:?}", shapes("1"));
    assert_eq!(
        said(stack.preflight(&plan).unwrap()),
        ["Transparent planned".to_owned(), format!("{one} planned")]
    );
    assert_eq!(
        said(stack.settle()),
        ["Transparent settled".to_owned(), format!("{one} settled")]
    );
    assert_eq!(
        *seen.lock().unwrap(),
        [
            "Transparent: call".to_owned(),
            format!("{one}: call"),
            format!("{one}: answer"),
            "Transparent: answer".to_owned(),
            "Transparent: plan 1 files, 1 calls".to_owned(),
            format!("{one}: plan 1 files, 1 calls"),
        ]
    );
}

#[test]
fn limits_are_narrowed_from_the_inside() {
    let mut cap = Recording::new(Effect::Transparent, &Arc::default());
    cap.output_tokens = Some(9);
    let stack = Stack::new("s", source("m"))
        .wrapped("a", Arc::new(cap))
        .wrapped("b", layer(Effect::Transparent));
    assert_eq!(
        stack.limits(),
        Limits {
            context_tokens: None,
            output_tokens: Some(9)
        }
    );
}

fn registration(name: &'static str, package: &'static str, position: u16) -> SourceRegistration {
    SourceRegistration {
        name,
        origin: Origin {
            package,
            version: "1.0.0",
        },
        summary: "answers",
        position: Some(position),
        variables: &[],
        flags: &[],
        build: |context| match context.environment.text("READY") {
            None => Err(Unready::NotMine("set READY".to_owned())),
            Some(value) if value == "broken" => {
                Err(ProviderError::new(ErrorKind::Setup, "READY is broken").into())
            }
            Some(_) => Ok(Arc::new(Scripted::new(|_| Ok(completion("answer"))))),
        },
    }
}

fn select(registry: &Registry, ready: &str) -> Result<Identity, SelectionError> {
    let environment = Environment::new([("READY", ready)]);
    let flags = BTreeMap::new();
    let context = BuildContext {
        environment: &environment,
        flags: &flags,
        model: None,
    };
    registry.select(&context).map(|stack| stack.identity())
}

#[test]
fn the_number_orders_and_never_the_linker() {
    let entries = [
        registration("c", "p", 2),
        registration("b", "p", 2),
        registration("a", "p", 9),
    ];
    let names = |registry: Registry| -> Vec<_> {
        registry.sources().iter().map(|entry| entry.name).collect()
    };
    let forward = Registry::from_entries(entries, []).unwrap();
    let backward = Registry::from_entries(entries.into_iter().rev(), []).unwrap();
    assert_eq!(names(forward), ["b", "c", "a"]);
    assert_eq!(names(backward), ["b", "c", "a"]);
}

#[test]
fn one_name_has_one_registration() {
    let entries = [
        registration("a", "first", 1),
        registration("a", "second", 2),
    ];
    let error = Registry::from_entries(entries, []).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two providers are named `a`: one from first, one from second; link only one"
    );
}

#[test]
fn one_flag_has_one_registration() {
    const FLAGS: &[Flag] = &[Flag {
        name: "limit",
        aliases: &["cap"],
        value_name: "n",
        help: "a limit",
        check: |_| Ok(()),
    }];
    let with = |name, package| SourceRegistration {
        flags: FLAGS,
        ..registration(name, package, 1)
    };
    let error = Registry::from_entries([with("a", "first"), with("b", "second")], []).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two providers add the flag --limit: first and second; link only one"
    );
}

#[test]
fn the_first_that_the_settings_name_is_taken() {
    let registry = Registry::from_entries([registration("a", "p", 1)], []).unwrap();
    assert_eq!(
        select(&registry, ""),
        Err(SelectionError::NothingConfigured)
    );
    assert_eq!(
        select(&registry, "broken").unwrap_err().to_string(),
        "READY is broken"
    );
    assert!(select(&registry, "yes").unwrap().is_stated());
}

fn choose(
    registry: &Registry,
    provider: &str,
    model: Option<&str>,
) -> Result<(Option<&'static str>, Option<String>), String> {
    let environment = Environment::new([("READY", "yes"), (PROVIDER.name, provider)]);
    let (flags, model) = (BTreeMap::new(), model.map(ModelId::new));
    let context = BuildContext {
        environment: &environment,
        flags: &flags,
        model: model.as_ref(),
    };
    registry
        .choose(&context)
        .map(|choice| {
            let source = choice.source.map(|source| source.name);
            (source, choice.model.map(|model| model.as_str().to_owned()))
        })
        .map_err(|error| error.to_string())
}

fn by_name() -> Registry {
    let only_by_name = SourceRegistration {
        position: None,
        ..registration("remote", "p", 0)
    };
    let entries = [only_by_name, registration("local-one", "p", 9)];
    Registry::from_entries(entries, []).unwrap()
}

#[test]
fn the_word_before_the_first_colon_is_a_source_when_it_is_the_name_of_one() {
    let registry = by_name();
    for (provider, model, expected) in [
        ("", None, (None, None)),
        ("", Some("llama3:8b"), (None, Some("llama3:8b"))),
        ("", Some("remote"), (None, Some("remote"))),
        ("", Some("remote:m"), (Some("remote"), Some("m"))),
        ("", Some("remote:m:8b"), (Some("remote"), Some("m:8b"))),
        ("", Some("Remote:m"), (None, Some("Remote:m"))),
        ("remote", None, (Some("remote"), None)),
        (
            " remote ",
            Some("llama3:8b"),
            (Some("remote"), Some("llama3:8b")),
        ),
        (
            "remote",
            Some("local-one:m"),
            (Some("local-one"), Some("m")),
        ),
    ] {
        let expected = (expected.0, expected.1.map(str::to_owned));
        assert_eq!(
            choose(&registry, provider, model),
            Ok(expected),
            "{provider} {model:?}"
        );
    }
    assert_eq!(
        choose(&registry, "", Some("remote:")),
        Err("--modelo: model name must not be empty".to_owned())
    );
}

#[test]
fn an_unknown_source_names_those_that_may_be_meant() {
    let registry = by_name();
    let unknown = |name| choose(&registry, name, None).unwrap_err();
    assert_eq!(
        unknown("remot"),
        "AURUMCODE_PROVIDER names \"remot\", and no such provider is linked: did you mean remote? `aurumcode providers` lists them"
    );
    assert_eq!(
        unknown("x"),
        "AURUMCODE_PROVIDER names \"x\", and no such provider is linked: did you mean local-one or remote? `aurumcode providers` lists them"
    );
    let like = |model| registry.sources_like(&ModelId::new(model));
    assert_eq!(like("local:m"), ["local-one"]);
    assert_eq!(like("remtoe:m"), ["remote"]);
    assert!(
        like("remote:m").is_empty() && like("llama3:8b").is_empty() && like("remot").is_empty()
    );
}

#[test]
fn a_source_without_a_position_is_asked_only_by_name() {
    let registry = by_name();
    let names: Vec<_> = registry.sources().iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["local-one", "remote"]);
    let answering = |ready, model: Option<&str>| {
        let environment = Environment::new([("READY", ready)]);
        let (flags, model) = (BTreeMap::new(), model.map(ModelId::new));
        let context = BuildContext {
            environment: &environment,
            flags: &flags,
            model: model.as_ref(),
        };
        registry
            .select(&context)
            .map(|stack| format!("{:?}", stack.identity()))
            .map_err(|error| error.to_string())
    };
    let source = |name: &str| format!("(\"source\", \"{name}\")");
    assert!(
        answering("yes", None)
            .unwrap()
            .contains(&source("local-one"))
    );
    assert!(
        answering("yes", Some("remote:m"))
            .unwrap()
            .contains(&source("remote"))
    );
    assert_eq!(
        answering("", Some("remote:m")),
        Err("the provider remote is not configured: set READY".to_owned())
    );
    assert_eq!(
        answering("", None),
        Err("no LLM provider is configured".to_owned())
    );
}
