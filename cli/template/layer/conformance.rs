//! The layer holds to what every layer has to hold to, offline.

use aurumcode_provider_conformance::{LayerUnderTest, Setting, Settings, check_layer};
use aurumcode_provider_newcomer as _;

struct Newcomer;

impl LayerUnderTest for Newcomer {
    fn name(&self) -> &'static str {
        "newcomer"
    }

    /// Settings under which the layer stands in the stack.
    fn settings(&self) -> Settings {
        Settings::new().variable("NEWCOMER_RULES", "Be kind.")
    }

    /// Each of these could change the answer.
    fn changes(&self) -> Vec<Setting> {
        vec![Setting::variable("NEWCOMER_RULES", "Be brief.")]
    }

    /// None of these can: ceilings, limits of time.
    fn keeps(&self) -> Vec<Setting> {
        Vec::new()
    }
}

#[test]
fn it_conforms() {
    check_layer(&Newcomer);
}
