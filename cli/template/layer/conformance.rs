//! The layer holds to what every layer has to hold to, offline.

// A crate that nothing names is not linked, and there is then nothing to check.
use aurumcode_provider_newcomer as _;

use aurumcode_provider_conformance::{LayerUnderTest, Setting, Settings, check_layer};

const RULES: &str = "NEWCOMER_RULES";

struct Mine;

impl LayerUnderTest for Mine {
    fn name(&self) -> &'static str {
        "newcomer"
    }

    /// Settings under which the layer stands in the stack.
    fn settings(&self) -> Settings {
        Settings::new().variable(RULES, "Be kind.")
    }

    /// Each of these could change the answer.
    fn changes(&self) -> Vec<Setting> {
        vec![Setting::variable(RULES, "Be brief.")]
    }

    /// None of these can: ceilings, limits of time.
    fn keeps(&self) -> Vec<Setting> {
        Vec::new()
    }
}

#[test]
fn it_conforms() {
    check_layer(&Mine);
}
