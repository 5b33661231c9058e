//! A source that asks the Messages API of Anthropic, or whatever speaks it.
//!
//! It is asked only when the user picks it by name: a key for that API lies around in many
//! environments, and must not change who reviews.

mod answer;
mod settings;
mod source;

use std::sync::Arc;

use aurumcode_core::inventory;
use aurumcode_core::provider::{
    BuildContext, Origin, Provider, SourceRegistration, TOKEN_LIMITS, Unready,
};
use aurumcode_provider_http::VARIABLES as HTTP;

use crate::settings::Settings;
use crate::source::Source;

inventory::submit! {
    SourceRegistration {
        name: "anthropic",
        origin: Origin {
            package: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
        },
        summary: "asks a Claude model over Anthropic's own Messages API",
        position: None,
        variables: &[&settings::OWN, &TOKEN_LIMITS, &HTTP],
        flags: &[],
        build,
    }
}

fn build(context: &BuildContext<'_>) -> Result<Arc<dyn Provider>, Unready> {
    Ok(Arc::new(Source::new(Settings::read(context)?)))
}
