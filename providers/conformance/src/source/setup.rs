//! What a source says before anything is asked: its registration, its state, its identity.

use aurumcode_core::provider::{CONTEXT_TOKENS, MAX_OUTPUT_TOKENS, ModelId, Unready};

use super::Subject;
use crate::report::{Report, none_of};
use crate::settings::neutral;
use crate::{Setting, Settings, secret};

pub(super) async fn cases(subject: &Subject<'_>, report: &mut Report) {
    report.case(
        "people can read its registration",
        "a name of small letters, digits and dashes, a package and a version, and texts of one sentence without the final period, each variable once: they stand in the help and in `aurumcode providers`",
        subject.declared().wording(),
    );
    report.case(
        "it does not push itself forward",
        "without any settings the source answers NotMine, with a text that names what to set: otherwise it would be chosen for people who never asked for it",
        not_mine(subject),
    );
    let stage = match subject.answering().await {
        Ok(stage) => stage,
        Err(error) => {
            report.case(
                "it can be set up",
                "the backend plays a plain answer and the settings make the source ready",
                Err(error),
            );
            return;
        }
    };
    let settings = stage.settings.clone();
    let ready = subject.ready(&settings).map(drop);
    let is_ready = ready.is_ok();
    report.case(
        "it can be set up",
        "the settings of the stage make the source ready",
        ready,
    );
    if !is_ready {
        return;
    }
    report.case(
        "it declares what it reads",
        "every variable and flag of the stage is in the registration, so that the help lists it; and a variable that holds the secret has `secret: true`, so that its value is masked wherever it could be printed",
        declares(subject, &settings),
    );
    let changes = subject.source.changes();
    let mut keeps = subject.source.keeps();
    report.case(
        "somebody decided about every setting",
        "each declared variable and flag is in `changes` (it could change an answer) or in `keeps` (it cannot): the one that nobody thought of is the one that mixes up two answers",
        subject.declared().decided(&changes, &keeps),
    );
    keeps.extend(neutral(subject.declared()));
    report.case(
        "its identity is stable",
        "the same settings give the same identity however often the source is built",
        stable(subject, &settings),
    );
    report.case(
        "its identity tells apart what could answer differently",
        "each setting in `changes` gives an identity of its own; otherwise one model's findings are served as another's",
        told_apart(subject, &settings, &changes),
    );
    report.case(
        "its identity keeps out what cannot change an answer",
        "no setting in `keeps` gives another identity: whoever renews a key or waits longer would pay for every file again",
        kept_out(subject, &settings, &keeps),
    );
    report.case(
        "the user picks the model",
        "`--modelo` (the context's `model`) is the model that answers, before every variable; a source that cannot be told which model to use refuses a foreign one with Broken instead of ignoring the user",
        model(subject, &settings),
    );
    report.case(
        "its limits are those that the user sets",
        "a source that declares AURUMCODE_CONTEXT_TOKENS and AURUMCODE_MAX_OUTPUT_TOKENS reads them with `token_limits`, and passes on what that says when they are no numbers",
        limits(subject, &settings),
    );
    report.case(
        "it tells nobody its secret",
        "neither the debug text, nor the label, nor the identity holds the key: they end up in logs, on stderr and in the cache",
        silent(subject, &settings),
    );
}

fn not_mine(subject: &Subject<'_>) -> Result<(), String> {
    match subject.select(&Settings::new()) {
        Err(Unready::NotMine(text)) => {
            let names = subject.declared();
            if names.variable_names().any(|name| text.contains(name))
                || names.flags.iter().any(|flag| text.contains(flag.name))
            {
                Ok(())
            } else {
                Err(format!("the text names no declared variable: {text:?}"))
            }
        }
        other => Err(format!("{other:?}")),
    }
}

fn declares(subject: &Subject<'_>, settings: &Settings) -> Result<(), String> {
    let declared = subject.declared();
    let secret = secret();
    let mut complaints = Vec::new();
    for (name, value) in &settings.variables {
        match declared.variables().find(|known| known.name == name) {
            None => complaints.push(format!("the variable {name} is not declared")),
            Some(known) if !known.secret && value.to_string_lossy() == secret => {
                complaints.push(format!(
                    "{name} holds the secret and is not declared as one"
                ));
            }
            Some(_) => {}
        }
    }
    for name in settings.flags.keys() {
        if !declared.flags.iter().any(|known| known.name == name) {
            complaints.push(format!("the flag --{name} is not declared"));
        }
    }
    let declares_key = declared.variables().any(|known| known.secret);
    let uses_key = settings
        .variables
        .values()
        .any(|value| value.to_string_lossy().contains(&secret));
    if declares_key && !uses_key {
        complaints.push(
            "a secret variable is declared, and the stage does not set one to the suite's `secret()`"
                .to_owned(),
        );
    }
    none_of(complaints)
}

fn stable(subject: &Subject<'_>, settings: &Settings) -> Result<(), String> {
    let first = subject.identity(settings)?;
    let second = subject.identity(settings)?;
    if first == second {
        Ok(())
    } else {
        Err(format!("{first:?}, and then {second:?}"))
    }
}

fn told_apart(
    subject: &Subject<'_>,
    settings: &Settings,
    changes: &[Setting],
) -> Result<(), String> {
    let mut seen = vec![("the stage".to_owned(), subject.identity(settings)?)];
    if !seen.iter().all(|(_, identity)| identity.is_stated()) {
        // What is never stored cannot be mixed up.
        return Ok(());
    }
    let mut complaints = Vec::new();
    for change in changes {
        let shown = change.shown();
        let identity = match subject.identity(&settings.with(change)) {
            Ok(identity) => identity,
            Err(error) => {
                complaints.push(format!("{shown}: {error}"));
                continue;
            }
        };
        if !identity.is_stated() {
            continue;
        }
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == identity) {
            complaints.push(format!("{shown} has the identity of {other}"));
        }
        seen.push((shown, identity));
    }
    none_of(complaints)
}

fn kept_out(subject: &Subject<'_>, settings: &Settings, keeps: &[Setting]) -> Result<(), String> {
    let identity = subject.identity(settings)?;
    let complaints = keeps.iter().filter_map(|setting| {
        let shown = setting.shown();
        match subject.identity(&settings.with(setting)) {
            Ok(other) if other == identity => None,
            Ok(other) => Some(format!("{shown}: {other:?} instead of {identity:?}")),
            Err(error) => Some(format!("{shown}: {error}")),
        }
    });
    none_of(complaints)
}

fn model(subject: &Subject<'_>, settings: &Settings) -> Result<(), String> {
    let mut complaints = Vec::new();
    for name in ["conformance-a", "vendor/conformance:b"] {
        match subject.select(&settings.clone().model(name)) {
            Ok(provider) => {
                let model = provider.resolve_model();
                if model != ModelId::new(name) {
                    complaints.push(format!("`{model}` answers when `{name}` is asked for"));
                }
            }
            Err(Unready::Broken(error)) if error.message.contains(name) => {}
            other => complaints.push(format!("with `{name}` asked for: {other:?}")),
        }
    }
    none_of(complaints)
}

fn limits(subject: &Subject<'_>, settings: &Settings) -> Result<(), String> {
    let mut complaints = Vec::new();
    for name in [CONTEXT_TOKENS.name, MAX_OUTPUT_TOKENS.name] {
        let mut declared = subject.declared().variable_names();
        if !declared.any(|known| known == name) {
            continue;
        }
        let limits = subject
            .ready(&settings.clone().variable(name, "54321"))?
            .limits();
        let read = if name == CONTEXT_TOKENS.name {
            limits.context_tokens == Some(54321)
        } else {
            limits.output_tokens == Some(54321)
        };
        if !read {
            complaints.push(format!("{name}=54321 gives {limits:?}"));
        }
        match subject.select(&settings.clone().variable(name, "many")) {
            Err(Unready::Setup(error)) if error.to_string().contains(name) => {}
            other => complaints.push(format!("{name}=many gives {other:?}")),
        }
    }
    none_of(complaints)
}

fn silent(subject: &Subject<'_>, settings: &Settings) -> Result<(), String> {
    let provider = subject.ready(settings)?;
    let secret = secret();
    let texts = [
        ("the debug text", format!("{provider:?}")),
        ("the label", provider.label()),
        ("the identity", format!("{:?}", provider.identity())),
    ];
    let complaints = texts
        .into_iter()
        .filter(|(_, text)| text.contains(&secret))
        .map(|(what, text)| format!("{what} holds it: {text}"));
    none_of(complaints)
}
