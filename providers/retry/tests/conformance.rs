//! The layer holds to what every layer has to hold to.

use aurumcode_provider_conformance::{LayerUnderTest, Setting, Settings, check_layer};
use aurumcode_provider_retry as _;

struct Retry;

impl LayerUnderTest for Retry {
    fn name(&self) -> &'static str {
        "retry"
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn changes(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn keeps(&self) -> Vec<Setting> {
        vec![
            Setting::variable("AURUMCODE_RETRY_ATTEMPTS", "9"),
            Setting::variable("AURUMCODE_RETRY_MAX_WAIT", "9"),
            Setting::variable("AURUMCODE_RETRY_MAX_TIME", "99"),
        ]
    }
}

#[test]
fn it_conforms() {
    check_layer(&Retry);
}
