//! What a source makes of what comes back.

use std::time::Duration;

use aurumcode_core::limits::{ANSWER_BYTES, QUOTED_CHARACTERS};
use aurumcode_core::provider::{Completion, ErrorKind, Finish, Provider, ProviderError};

use super::{Subject, plain_answer};
use crate::playing::{INSTRUCTIONS, MATERIAL, OUTPUT_CAP, ask, patiently, request};
use crate::report::{Report, none_of};
use crate::world::World;
use crate::{Answer, Failure, Script, Stage, secret};

/// How much more than an answer may hold a client can take before it has to have hung up. It is
/// what the buffers of a connection hold, with room.
const BUFFERED: u64 = 16 * 1024 * 1024;

/// The longest message that people still read, quoted words and all.
const MESSAGE_CHARACTERS: usize = 4 * QUOTED_CHARACTERS;

type Outcome = Result<Completion, ProviderError>;

pub(super) async fn cases(subject: &Subject<'_>, report: &mut Report) {
    report.case(
        "it brings the answer",
        "the whole text, Finish::Stop and the usage that was reported; fields that nobody knows are passed over",
        answers(subject, plain_answer()).await,
    );
    report.case(
        "it sends what it is given",
        "instructions, material and the output cap of the request reach the backend as they are",
        sends(subject).await,
    );
    let endings = [
        ("an answer that the output limit cut", Finish::Length),
        (
            "an answer that the model refused",
            Finish::Refused(String::new()),
        ),
        ("an answer that a filter stopped", Finish::Filtered),
    ];
    for (title, finish) in endings {
        let answer = Answer {
            finish,
            ..plain_answer()
        };
        if stage(subject, &Script::Answer(answer.clone()))
            .await
            .is_none()
        {
            report.cannot_play(title);
            continue;
        }
        report.case(
            title,
            "a Completion whose Finish says so: it is billed, and the engine decides what it means",
            answers(subject, answer).await,
        );
    }
    failures(subject, report).await;
    bodies(subject, report).await;
    let endless = [
        ("an answer without an end", Script::Endless),
        ("an error without an end", Script::EndlessFailure),
    ];
    for (title, script) in endless {
        let Some(stage) = stage(subject, &script).await else {
            report.cannot_play(title);
            continue;
        };
        report.case(
            title,
            "an error, after reading no more than `limits::ANSWER_BYTES` of an answer: whoever answers must not be able to fill the memory",
            bounded(subject, &stage).await,
        );
    }
    match stage(subject, &Script::Silent).await {
        None => report.cannot_play("a call that is dropped"),
        Some(stage) => report.case(
            "a call that is dropped leaves nothing behind",
            "no connection and no process a moment after the future is dropped: the user pressed ctrl-C",
            dropped(subject, &stage).await,
        ),
    }
}

async fn stage(subject: &Subject<'_>, script: &Script) -> Option<Stage> {
    subject.source.stage(script).await
}

/// Plays a script and asks once.
async fn outcome(subject: &Subject<'_>, stage: &Stage) -> Result<Outcome, String> {
    let provider = subject.ready(&stage.settings)?;
    let world = World::default();
    let outcome = ask(&*provider, &world).await?;
    let told = format!("{outcome:?} {:?} {provider:?}", world.notes());
    if subject.betrays(&stage.settings, &told) {
        return Err(format!("the secret stands in what came of a call: {told}"));
    }
    Ok(outcome)
}

async fn answers(subject: &Subject<'_>, answer: Answer) -> Result<(), String> {
    let stage = stage(subject, &Script::Answer(answer.clone()))
        .await
        .ok_or("the backend cannot play it")?;
    let completion = match outcome(subject, &stage).await? {
        Ok(completion) => completion,
        Err(error) => return Err(format!("{error:?}")),
    };
    let mut complaints = Vec::new();
    let refused = matches!(answer.finish, Finish::Refused(_));
    let same_finish = match &completion.finish {
        Finish::Refused(_) => refused,
        other => *other == answer.finish,
    };
    if !same_finish {
        complaints.push(format!(
            "it ended with {:?} instead of {:?}",
            completion.finish, answer.finish
        ));
    }
    // A refused or filtered answer may say nothing.
    if matches!(answer.finish, Finish::Stop | Finish::Length) && completion.text != answer.text {
        complaints.push(format!(
            "the text is {:?} instead of {:?}",
            completion.text, answer.text
        ));
    }
    if completion.usage.is_some_and(|usage| usage != answer.usage) {
        complaints.push(format!(
            "{:?} was counted instead of {:?}",
            completion.usage, answer.usage
        ));
    }
    none_of(complaints)
}

async fn sends(subject: &Subject<'_>) -> Result<(), String> {
    let stage = subject.answering().await?;
    outcome(subject, &stage)
        .await?
        .map_err(|error| error.to_string())?;
    let received = stage.backend.received();
    let [call] = received.as_slice() else {
        return Err(format!("the backend was asked {} times", received.len()));
    };
    let mut parts = vec![
        ("the instructions", INSTRUCTIONS.to_owned()),
        ("the material", MATERIAL.to_owned()),
    ];
    if subject.source.sends_output_cap() {
        parts.push(("the output cap", OUTPUT_CAP.to_string()));
    }
    let missing = parts
        .into_iter()
        .filter(|(_, text)| !call.contains(text))
        .map(|(what, _)| format!("{what} did not reach the backend"));
    none_of(missing)
}

async fn failures(subject: &Subject<'_>, report: &mut Report) {
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let kinds = [
        ("a key that is refused", ErrorKind::Authentication),
        ("a key that may not do this", ErrorKind::Permission),
        ("a model that is not served", ErrorKind::ModelNotFound),
        (
            "too many requests, with a wait",
            ErrorKind::RateLimited {
                retry_after: seconds(7),
            },
        ),
        ("an account with nothing left", ErrorKind::QuotaExhausted),
        (
            "an overloaded backend, with a wait",
            ErrorKind::Overloaded {
                retry_after: seconds(3),
            },
        ),
        (
            "a prompt that does not fit, with the window",
            ErrorKind::TooLong {
                limit_tokens: Some(8192),
            },
        ),
        ("a request that is refused", ErrorKind::Rejected),
        ("no answer in time", ErrorKind::Timeout),
        ("a line that breaks", ErrorKind::Transport),
        ("an answer that is none", ErrorKind::BadResponse),
    ];
    for (title, kind) in kinds {
        let failure = Failure {
            kind,
            words: format!("there is something wrong with {}", secret()),
        };
        let Some(stage) = stage(subject, &Script::Fail(failure)).await else {
            report.cannot_play(title);
            continue;
        };
        report.case(
            title,
            "an error of this kind, with the wait or the window that the backend states, and a message of one line for people that holds no secret, whatever the backend echoes",
            fails(subject, &stage, kind).await,
        );
    }
}

async fn fails(subject: &Subject<'_>, stage: &Stage, kind: ErrorKind) -> Result<(), String> {
    match outcome(subject, stage).await? {
        Ok(completion) => Err(format!("an answer: {completion:?}")),
        Err(error) if error.kind != kind => {
            Err(format!("{:?} instead of {kind:?}: {error}", error.kind))
        }
        Err(error) => readable(&error),
    }
}

fn readable(error: &ProviderError) -> Result<(), String> {
    let message = &error.message;
    if message.trim().is_empty() || message.contains(char::is_control) {
        return Err(format!("the message is empty or not one line: {message:?}"));
    }
    let characters = message.chars().count();
    if characters > MESSAGE_CHARACTERS {
        return Err(format!(
            "the message has {characters} characters: quote at most `limits::QUOTED_CHARACTERS` of the backend's words"
        ));
    }
    Ok(())
}

async fn bodies(subject: &Subject<'_>, report: &mut Report) {
    let scripts = [
        ("half an answer", Script::Cut),
        ("an answer with nothing in it", Script::Empty),
        ("something foreign in place of an answer", Script::Foreign),
    ];
    let mut messages: Vec<(&str, String)> = Vec::new();
    let mut alike = Vec::new();
    for (title, script) in scripts {
        let Some(stage) = stage(subject, &script).await else {
            report.cannot_play(title);
            continue;
        };
        let outcome = outcome(subject, &stage).await;
        if let Ok(Err(error)) = &outcome {
            if let Some((other, _)) = messages.iter().find(|(_, known)| *known == error.message) {
                alike.push(format!("{title} and {other} are both: {error}"));
            }
            messages.push((title, error.message.clone()));
        }
        let nothing_in_it = script == Script::Empty;
        report.case(
            title,
            "an error, or a Completion that the engine cannot take for a clean review: a broken answer must never read as `No issues found.`",
            outcome.and_then(|outcome| no_clean_review(&outcome, nothing_in_it)),
        );
    }
    report.case(
        "broken answers are told apart",
        "a message of its own for each, so that the user knows what to look at",
        none_of(alike),
    );
}

fn no_clean_review(outcome: &Outcome, nothing_in_it: bool) -> Result<(), String> {
    match outcome {
        Err(error) => match error.kind {
            ErrorKind::BadResponse | ErrorKind::Transport => readable(error),
            other => Err(format!("{other:?}: {error}")),
        },
        // The engine names an empty answer and never takes it for a review.
        Ok(completion) if nothing_in_it && completion.text.trim().is_empty() => Ok(()),
        Ok(completion) if completion.finish == Finish::Length => Ok(()),
        Ok(completion) => Err(format!("an answer: {completion:?}")),
    }
}

async fn bounded(subject: &Subject<'_>, stage: &Stage) -> Result<(), String> {
    if let Ok(completion) = outcome(subject, stage).await? {
        return Err(format!(
            "an answer of {} bytes that ended with {:?}",
            completion.text.len(),
            completion.finish
        ));
    }
    patiently(stage.backend.idle()).await.map_err(|_| {
        "the error is there, and the source is still connected to what does not end".to_owned()
    })?;
    let taken = stage.backend.taken();
    if taken > ANSWER_BYTES as u64 + BUFFERED {
        return Err(format!("{taken} bytes were taken"));
    }
    Ok(())
}

async fn dropped(subject: &Subject<'_>, stage: &Stage) -> Result<(), String> {
    let provider = subject.ready(&stage.settings)?;
    until_arrived(&*provider, stage).await?;
    patiently(stage.backend.idle())
        .await
        .map_err(|_| "something is left of the call".to_owned())
}

/// Asks until the call has reached the backend, and drops it.
async fn until_arrived(provider: &dyn Provider, stage: &Stage) -> Result<(), String> {
    let world = World::default();
    let request = request();
    patiently(async {
        tokio::select! {
            outcome = provider.complete(&request, &world) => {
                Err(format!("the call ended although nothing was answered: {outcome:?}"))
            }
            () = stage.backend.arrived() => Ok(()),
        }
    })
    .await?
}
