//! `aurumcode providers check`: one tiny call, and what came of it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

use aurumcode_core::provider::{
    BuildContext, CallNumber, Completion, Finish, Prompt, Provider, Registry, Request,
};
use aurumcode_core::text::quoted;
use clap::{Arg, ArgMatches, value_parser};
use serde_json::json;

use super::super::{Command, Session};
use crate::arguments::review::{text, valued};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;
use crate::settings;
use crate::signals;
use crate::world::{Verbosity, World};

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "providers check",
    about: "Ask a provider one tiny question and say what answered, or why it did not",
    flags,
    run,
};

/// What is asked. It costs next to nothing and has one right answer.
const QUESTION: &str = "This is a check of the connection. Answer with the JSON object \
                        {\"ok\": true} and nothing else.";

/// The most tokens of the answer. Models that think before they answer need some.
const OUTPUT_CAP: u32 = 1024;

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode providers check [<name>] [--modelo <name>]")
        .arg(
            Arg::new("name")
                .value_name("name")
                .value_parser(value_parser!(OsString))
                .help("The source to ask; without it the one that would review"),
        )
        .arg(
            valued("modelo", "name")
                .visible_alias("model")
                .help("The model to ask, as in the review. Example: --modelo gpt-4o-mini"),
        )
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let name = text(matches, "name");
    let model = text(matches, "modelo").map(settings::model).transpose();
    let model = model.map_err(CommandError::Usage)?;
    signals::watch(Arc::default())
        .map_err(|cause| CommandError::System("cannot wait for signals", cause))?;
    let flags = BTreeMap::new();
    let context = BuildContext {
        environment: session.environment,
        flags: &flags,
        model: model.as_ref(),
    };
    let (name, provider) = session
        .registry
        .select_source(name.as_deref(), &context)
        .map_err(|error| CommandError::of_selection(error, None, session.registry))?;
    let world = World::new(session.console, Verbosity::Normal);
    let started = Instant::now();
    let answer = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|cause| CommandError::System("cannot start the runtime", cause))?
        .block_on(provider.complete(&request(), &world))
        .map_err(CommandError::Provider)?;
    let line = answered(name, &*provider, &answer, started.elapsed().as_secs_f64());
    session
        .console
        .print(&[line])
        .map_err(CommandError::Output)?;
    Ok(ExitStatus::Done)
}

fn request() -> Request {
    Request {
        prompt: Prompt {
            instructions: QUESTION.into(),
            material: "{\"ok\": true}".to_owned(),
        },
        answer_schema: Arc::new(json!({
            "type": "object",
            "properties": {"ok": {"type": "boolean"}},
            "required": ["ok"],
            "additionalProperties": false,
        })),
        output_cap: Some(OUTPUT_CAP),
        call: CallNumber { number: 1, of: 1 },
    }
}

fn answered(name: &str, provider: &dyn Provider, answer: &Completion, seconds: f64) -> String {
    let asked = provider.resolve_model();
    let served = match &answer.served_by {
        Some(served) if *served != asked => format!(" (as {})", quoted(served.as_str())),
        _ => String::new(),
    };
    let tokens = match answer.usage {
        Some(usage) => format!(
            "{} token(s) in, {} out",
            usage.input_tokens, usage.output_tokens
        ),
        None => "no tokens reported".to_owned(),
    };
    let finish = match &answer.finish {
        Finish::Stop | Finish::Unstated => "",
        Finish::Length => "; the answer was cut",
        Finish::Refused(_) => "; the model refused",
        Finish::Filtered => "; a filter stopped the answer",
    };
    format!(
        "{name}: model {}{served} answered in {seconds:.2} s, {tokens}{finish} ({})",
        quoted(asked.as_str()),
        provider.label()
    )
}
