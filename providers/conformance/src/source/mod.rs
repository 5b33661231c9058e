//! What every source has to hold to.

mod calls;
mod kept;
mod setup;

use std::sync::Arc;

use aurumcode_core::async_trait;
use aurumcode_core::provider::{
    Finish, Identity, Provider, Registry, SourceRegistration, Stack, Unready, Usage,
};

use crate::playing::in_runtime;
use crate::registration::Declared;
use crate::report::Report;
use crate::{Answer, Script, Setting, Settings, Stage, secret};

/// A source, as its author sets it up.
#[async_trait]
pub trait SourceUnderTest: Sync {
    /// Returns the name under which it is registered.
    fn name(&self) -> &'static str;

    /// Plays a script and returns the settings with which the source asks the player, or nothing
    /// where this kind of backend cannot do such a thing.
    async fn stage(&self, script: &Script) -> Option<Stage>;

    /// Returns whether the backend can be told how long an answer may be.
    fn sends_output_cap(&self) -> bool;

    /// Returns the settings of which each could change the answer: another endpoint, every
    /// parameter that is asked for. Two of them must never share an identity.
    fn changes(&self) -> Vec<Setting>;

    /// Returns the settings that cannot: keys, limits of time. They must not cost a cache entry.
    fn keeps(&self) -> Vec<Setting>;
}

/// Tries everything that applies to a source, and fails the test with all that does not hold.
///
/// The crate has to be linked into the test: `use <the crate> as _;`.
pub fn check_source(source: &dyn SourceUnderTest) {
    let mut report = Report::new(source.name());
    in_runtime(async {
        let registration = find(source);
        let found = registration.as_ref().map(|_| ()).map_err(Clone::clone);
        report.case(
            "it is registered",
            "the crate registers one source under this name with `inventory::submit!`, and the test links the crate with `use <the crate> as _;`, because the linker drops a crate that nothing names",
            found,
        );
        let Ok(registration) = registration else {
            return;
        };
        let subject = Subject {
            source,
            registration,
        };
        setup::cases(&subject, &mut report).await;
        calls::cases(&subject, &mut report).await;
        kept::cases(&subject, &mut report).await;
    });
    report.conclude();
}

fn find(source: &dyn SourceUnderTest) -> Result<SourceRegistration, String> {
    let registry = Registry::linked().map_err(|error| error.to_string())?;
    let names: Vec<_> = registry.sources().iter().map(|entry| entry.name).collect();
    registry
        .sources()
        .iter()
        .find(|entry| entry.name == source.name())
        .copied()
        .ok_or_else(|| format!("the linked sources are {names:?}"))
}

/// A source with its registration.
struct Subject<'a> {
    source: &'a dyn SourceUnderTest,
    registration: SourceRegistration,
}

impl Subject<'_> {
    fn declared(&self) -> Declared {
        let SourceRegistration {
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

    fn select(&self, settings: &Settings) -> Result<Arc<dyn Provider>, Unready> {
        settings.build(|context| (self.registration.build)(context))
    }

    fn ready(&self, settings: &Settings) -> Result<Arc<dyn Provider>, String> {
        self.select(settings).map_err(|unready| match unready {
            Unready::NotMine(text) => format!("it says that it is not configured: {text}"),
            Unready::Broken(error) => format!("it says that it is broken: {error}"),
            Unready::Setup(error) => format!("it says that a setting is wrong: {error}"),
        })
    }

    /// Returns the identity as the core composes it.
    fn identity(&self, settings: &Settings) -> Result<Identity, String> {
        let provider = self.ready(settings)?;
        Ok(Stack::new(self.registration.name, provider).identity())
    }

    /// Returns whether a text betrays the secret. A source without a key cannot, and may repeat
    /// whatever its backend says.
    fn betrays(&self, settings: &Settings, text: &str) -> bool {
        let mut variables = self.declared().variables();
        variables.any(|known| known.secret && settings.variables.contains_key(known.name))
            && text.contains(&secret())
    }

    /// Plays a plain answer.
    async fn answering(&self) -> Result<Stage, String> {
        let script = Script::Answer(plain_answer());
        self.source.stage(&script).await.ok_or_else(|| {
            "the backend has to be able to play a plain answer (Script::Answer with Finish::Stop)"
                .to_owned()
        })
    }
}

/// The answer that every backend has to be able to give.
fn plain_answer() -> Answer {
    Answer {
        text: "{\"issues\":[]}".to_owned(),
        finish: Finish::Stop,
        usage: Usage {
            input_tokens: 11,
            output_tokens: 7,
        },
    }
}
