//! A transparent layer that waits and asks again when that can help.
//!
//! It asks again only what can get better: too many requests, an overloaded server, a broken line,
//! an answer that did not come in time. A wait that the server asks for is kept; otherwise the
//! waits grow, each with a random part, so that calls that failed together do not come back
//! together. Attempts, one wait and the time of all of it have ends that the user can set.

mod layer;
mod settings;

use std::sync::Arc;

use aurumcode_core::inventory;
use aurumcode_core::provider::{Layer, LayerContext, LayerRegistration, Origin, SetupError};

use layer::Retry;
use settings::{ATTEMPTS, MAX_TIME, MAX_WAIT, Settings};

/// The layer's entry in the registry.
pub const REGISTRATION: LayerRegistration = LayerRegistration {
    name: "retry",
    origin: Origin {
        package: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
    },
    summary: "waits and asks again when the endpoint is busy or the line breaks",
    position: 10,
    variables: &[&[ATTEMPTS, MAX_WAIT, MAX_TIME]],
    flags: &[],
    build,
};

inventory::submit! { REGISTRATION }

fn build(context: &LayerContext<'_>) -> Result<Option<Arc<dyn Layer>>, SetupError> {
    let settings = Settings::read(context.build.environment)?;
    Ok(Some(Arc::new(Retry::new(settings))))
}
