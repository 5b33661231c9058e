//! A source that asks any endpoint of the Chat Completions kind, whatever it is like: OpenAI and
//! Azure, the compatible layers of other vendors, gateways, and servers on the user's own machine.
//!
//! A call goes one way: `settings` says what to ask and where (`endpoint`), `question` makes
//! the request, `provider` sends it, `adapted` changes what the endpoint refuses, and
//! `answer` or `stream` read what comes back. Nothing of what comes back is ever an empty
//! review by accident: each odd answer has its own outcome.

mod adapted;
mod answer;
mod endpoint;
mod provider;
mod question;
mod settings;
mod stream;

use std::sync::Arc;

use aurumcode_core::inventory;
use aurumcode_core::provider::{
    BuildContext, Origin, Provider, SourceRegistration, TOKEN_LIMITS, Unready,
};
use aurumcode_provider_http::VARIABLES as HTTP;

use crate::provider::Source;
use crate::settings::Settings;

inventory::submit! {
    SourceRegistration {
        name: "openai-compatible",
        origin: Origin {
            package: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        summary: "asks an endpoint of the Chat Completions kind, remote or on this machine",
        position: Some(20),
        variables: &[&settings::OWN, &TOKEN_LIMITS, &HTTP],
        flags: &[],
        build,
    }
}

fn build(context: &BuildContext<'_>) -> Result<Arc<dyn Provider>, Unready> {
    Ok(Arc::new(Source::new(Settings::read(context)?)))
}
