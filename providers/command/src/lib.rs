//! A source that asks any program: it reads the prompt on its standard input and prints the answer.
//!
//! No shell stands between. The program runs in an empty directory of its own, sees of the
//! environment what the user names, and is gone with everything that it started when the call is
//! over, however it is over.

mod group;
mod process;
mod settings;
mod source;

use std::sync::Arc;

use aurumcode_core::inventory;
use aurumcode_core::provider::{
    BuildContext, CONTEXT_TOKENS, EndHook, Origin, Provider, SourceRegistration, Unready,
};

use crate::settings::Settings;
use crate::source::Source;

inventory::submit! {
    SourceRegistration {
        name: "command",
        origin: Origin {
            package: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        summary: "runs a program that reads the prompt and prints the answer",
        position: Some(30),
        variables: &[&settings::OWN, &[CONTEXT_TOKENS]],
        flags: &[],
        build,
    }
}

inventory::submit! { EndHook(group::end_all) }

fn build(context: &BuildContext<'_>) -> Result<Arc<dyn Provider>, Unready> {
    Ok(Arc::new(Source::new(Settings::read(context)?)))
}
