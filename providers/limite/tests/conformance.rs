//! The layer holds to what every layer has to hold to.

use aurumcode_provider_conformance::{LayerUnderTest, Setting, Settings, check_layer};
use aurumcode_provider_limite as _;

struct Limite;

impl LayerUnderTest for Limite {
    fn name(&self) -> &'static str {
        "limite"
    }

    fn settings(&self) -> Settings {
        Settings::new()
            .flag("limite", "5")
            .variable("AURUMCODE_LLM_INPUT_USD_PER_1K", "0.01")
            .variable("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "0.03")
    }

    fn changes(&self) -> Vec<Setting> {
        vec![Setting::model("metered"), Setting::model("other")]
    }

    fn keeps(&self) -> Vec<Setting> {
        vec![
            Setting::flag("limite", "7"),
            Setting::variable("AURUMCODE_LLM_INPUT_USD_PER_1K", "0.02"),
            Setting::variable("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "0.04"),
        ]
    }
}

#[test]
fn it_conforms() {
    check_layer(&Limite);
}
