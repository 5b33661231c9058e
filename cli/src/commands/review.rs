//! `aurumcode review`: the way from the arguments to the exit code.

use std::fmt;
use std::sync::Arc;

use aurumcode_core::cache::DirectoryStore;
use aurumcode_core::change::Change;
use aurumcode_core::provider::{
    ModelResolver as _, Provider as _, Run as _, SelectionError, Stack,
};
use aurumcode_core::review::{CacheUse, FailureCause, Options, Review, Setup, review};
use aurumcode_core::rules::{Catalog, SecurityFinding, SecurityPass};
use aurumcode_core::text::quoted;
use clap::ArgMatches;
use tokio::runtime::Runtime;

use super::{Command, Session, pull_request};
use crate::arguments::review::{ReviewArguments, command};
use crate::cache_directory::{CacheDirectory, Leftovers};
use crate::command_error::{CommandError, NOTHING_CONFIGURED};
use crate::exit::ExitStatus;
use crate::output::{self, Gate};
use crate::settings::{CacheMode, Settings, Target};
use crate::signals;
use crate::variables::CACHE_DIR;
use crate::world::World;

/// The command.
pub(super) const COMMAND: Command = Command {
    name: "review",
    about: "Review the change between a ref and HEAD, or a pull request",
    flags: command,
    run,
};

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let arguments = ReviewArguments::of(matches, session.registry);
    let settings = Settings::check(arguments, session.registry, session.environment)
        .map_err(CommandError::Usage)?;
    let leftovers = Arc::new(Leftovers::default());
    signals::watch(Arc::clone(&leftovers))
        .map_err(|cause| CommandError::System("cannot wait for signals", cause))?;
    let catalog = Catalog::embedded()?;
    let security = settings.security.then(|| SecurityPass::new(&catalog));
    let run = ReviewRun {
        session,
        world: World::new(session.console, settings.verbosity),
        security: security.transpose()?,
        catalog,
        settings,
        leftovers,
    };
    let base = match &run.settings.target {
        Target::Range { base } => base,
        Target::PullRequest(target) => return pull_request::run(&run, target),
    };
    let change = run.change(base)?;
    let stack = run.stack()?;
    let review = stack.as_ref().map(|stack| run.review(&change, stack));
    run.conclude(&change, review.transpose()?)
}

/// One run, its arguments checked.
pub(super) struct ReviewRun<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) world: World<'a>,
    pub(super) catalog: Catalog,
    security: Option<SecurityPass>,
    pub(super) settings: Settings,
    leftovers: Arc<Leftovers>,
}

impl ReviewRun<'_> {
    /// Reads the change, without the files that the user leaves out.
    fn change(&self, base: &str) -> Result<Change, CommandError> {
        let read = self.session.read_change(base)?;
        if read.uncommitted_only {
            self.world.say(format!(
                "no committed changes between {base} and HEAD; uncommitted edits are not reviewed"
            ));
        }
        Ok(self.settings.excludes.apply(read.change))
    }

    /// Chooses what answers. A run that is asked for the security pass and for no model in
    /// particular goes on without.
    pub(super) fn stack(&self) -> Result<Option<Stack>, CommandError> {
        let model = self.settings.model.as_ref();
        let stack = match self.session.select(model, &self.settings.plugin_flags) {
            Ok(stack) => stack,
            Err(SelectionError::NothingConfigured) if self.settings.security && model.is_none() => {
                self.world.say(format!(
                    "no LLM provider configured: quality review skipped, running --seguranca only \
                     ({NOTHING_CONFIGURED})"
                ));
                return Ok(None);
            }
            Err(error) => {
                return Err(CommandError::of_selection(
                    error,
                    model,
                    self.session.registry,
                ));
            }
        };
        if model.is_some() {
            self.world.say(format!(
                "reviewing with model {} ({})",
                quoted(stack.resolve_model().as_str()),
                stack.label()
            ));
        }
        Ok(Some(stack))
    }

    /// Asks about the change, and says everything about the answer that is no finding. A review
    /// that is not complete is an error, said after what was reviewed nevertheless.
    pub(super) fn review(&self, change: &Change, stack: &Stack) -> Result<Review, CommandError> {
        let review = if change.is_only_named() {
            let skipped = change.notices.len();
            self.world
                .say(format!("nothing to review: {skipped} file(s) skipped"));
            Review::default()
        } else {
            self.ask(change, stack)?
        };
        self.say_warnings(&review);
        self.settle(stack);
        if review.is_complete() {
            return Ok(review);
        }
        for line in output::incomplete(&review, &self.catalog) {
            self.session.console.say(&line);
        }
        let later = review.failures.first().map(|failure| &failure.cause);
        let cause = review.first_failure.as_ref().or(later);
        let cause = cause.cloned().unwrap_or(FailureCause::NotStarted);
        let model = self.settings.model.as_ref();
        Err(CommandError::of_failure(
            cause,
            model,
            self.session.registry,
        ))
    }

    fn ask(&self, change: &Change, stack: &Stack) -> Result<Review, CommandError> {
        let directory = self.cache_directory();
        let store = directory
            .as_ref()
            .and_then(|directory| self.store(directory));
        let cache = match (&store, self.settings.cache) {
            (None, _) | (_, CacheMode::Off) => CacheUse::Off,
            (Some(store), CacheMode::Refresh) => CacheUse::Refresh(store),
            (Some(store), CacheMode::On) => CacheUse::On(store),
        };
        let setup = Setup {
            stack,
            catalog: &self.catalog,
            redactor: self.session.console.redactor(),
            cache,
            options: Options {
                concurrent_calls: self.settings.concurrent_calls,
            },
            watch: Some(self.world.progress()),
        };
        let runtime = runtime()?;
        let review = runtime.block_on(review(change, &setup, &self.world));
        self.world.progress().end();
        // A name that is still being looked up on a thread of the runtime holds up nobody.
        runtime.shutdown_background();
        Ok(review)
    }

    fn cache_directory(&self) -> Option<CacheDirectory> {
        if self.settings.cache == CacheMode::Off {
            return None;
        }
        CacheDirectory::of_run(self.session.environment, &self.leftovers)
            .inspect_err(|cause| self.explain_no_cache(cause))
            .ok()
    }

    /// Opens the user's directory. In a private one, which goes with this process, an entry could
    /// serve nobody, so none is written there.
    fn store(&self, directory: &CacheDirectory) -> Option<DirectoryStore> {
        let path = match directory {
            CacheDirectory::Named(path) => path,
            CacheDirectory::Private(directory) => {
                let (name, path) = (CACHE_DIR.name, directory.path().display());
                self.explain_no_cache(&format!("{name} is not set, and {path} goes with this run"));
                return None;
            }
        };
        DirectoryStore::open(path)
            .inspect_err(|cause| self.explain_no_cache(cause))
            .ok()
    }

    /// A review goes on without a cache, as if there were nothing in it.
    fn explain_no_cache(&self, cause: &dyn fmt::Display) {
        self.world.explain(format!("no cache in this run: {cause}"));
    }

    fn say_warnings(&self, review: &Review) {
        let warnings = [
            output::discarded(&review.discarded),
            output::unconverted(&review.unconverted),
            output::reused(review.reused),
        ];
        for line in warnings.into_iter().flatten() {
            self.world.say(line);
        }
    }

    fn settle(&self, stack: &Stack) {
        for note in stack.settle() {
            self.world.note(note);
        }
    }

    /// Runs the security pass where it is asked for, and says what it looked for.
    pub(super) fn security(&self, change: &Change) -> Option<Vec<SecurityFinding>> {
        let pass = self.security.as_ref()?;
        let findings = pass.run(change);
        self.world.say(output::security_applied(pass));
        Some(findings)
    }

    /// Returns the gate of this run.
    pub(super) fn gate(&self) -> Gate {
        Gate {
            threshold: self.settings.gate,
        }
    }

    /// Runs the security pass where it is asked for, prints everything, and returns the verdict.
    fn conclude(
        &self,
        change: &Change,
        review: Option<Review>,
    ) -> Result<ExitStatus, CommandError> {
        let mut lines: Vec<String> = change.notices.iter().map(ToString::to_string).collect();
        let mut severities = Vec::new();
        if let Some(review) = review {
            lines.extend(output::quality_block(&review.findings, &self.catalog));
            severities.extend(review.findings.iter().map(|finding| finding.severity));
        }
        if let Some(findings) = self.security(change) {
            lines.extend(output::security_section(&findings));
            severities.extend(findings.iter().map(|finding| finding.severity));
        }
        self.session
            .console
            .print(&lines)
            .map_err(CommandError::Output)?;
        let (status, reason) = self.gate().verdict(severities.into_iter());
        if let Some(reason) = reason {
            self.world.say(reason);
        }
        Ok(status)
    }
}

/// Starts what asynchronous work runs on.
pub(super) fn runtime() -> Result<Runtime, CommandError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|cause| CommandError::System("cannot start the runtime", cause))
}
