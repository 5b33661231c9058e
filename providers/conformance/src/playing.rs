//! How the suite asks: a request of its own, and never without a limit of time.

use std::sync::Arc;
use std::time::Duration;

use aurumcode_core::provider::{
    CallNumber, Completion, Prompt, Provider, ProviderError, Request, Run,
};
use serde_json::json;

/// How long anything may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// The instructions of every request.
pub(crate) const INSTRUCTIONS: &str = "conformance instructions";

/// The material of every request.
pub(crate) const MATERIAL: &str = "conformance material";

/// An output cap that stands nowhere by accident.
pub(crate) const OUTPUT_CAP: u32 = 4321;

/// Returns the request of the suite.
pub(crate) fn request() -> Request {
    Request {
        prompt: Prompt {
            instructions: INSTRUCTIONS.into(),
            material: MATERIAL.to_owned(),
        },
        answer_schema: Arc::new(json!({"type": "object"})),
        output_cap: Some(OUTPUT_CAP),
        call: CallNumber { number: 1, of: 1 },
    }
}

/// Makes a call and gives up when it does not end.
pub(crate) async fn ask(
    provider: &dyn Provider,
    run: &dyn Run,
) -> Result<Result<Completion, ProviderError>, String> {
    patiently(provider.complete(&request(), run)).await
}

/// Waits for something that has to end.
pub(crate) async fn patiently<T>(future: impl Future<Output = T>) -> Result<T, String> {
    tokio::time::timeout(PATIENCE, future)
        .await
        .map_err(|_| format!("nothing happened for {} s", PATIENCE.as_secs()))
}

/// Runs a suite in a runtime of its own, so that a test needs none.
#[expect(
    clippy::expect_used,
    reason = "a test that cannot start a runtime has failed"
)]
pub(crate) fn in_runtime<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}
