//! The source holds to what every source has to hold to, offline.

// A crate that nothing names is not linked, and there is then nothing to check.
use aurumcode_provider_newcomer as _;

use aurumcode_core::provider::{ErrorKind, Finish};
use aurumcode_provider_conformance::{
    Answer, Failure, Http, HttpResponse, HttpSource, Setting, Settings, check_source,
};
use serde_json::{Value, json};

const URL: &str = "NEWCOMER_URL";
const MODEL: &str = "NEWCOMER_MODEL";

struct Mine;

impl HttpSource for Mine {
    fn name(&self) -> &'static str {
        "newcomer"
    }

    /// How the source is set up to ask the suite's server. A source with a key gets `secret` there.
    fn settings(&self, url: &str, _secret: &str) -> Settings {
        Settings::new()
            .variable(URL, url)
            .variable(MODEL, "model-of-the-test")
    }

    /// What a good answer looks like on the wire.
    fn answer(&self, answer: &Answer) -> Option<Value> {
        let reason = match answer.finish {
            Finish::Stop => "stop",
            Finish::Length => "length",
            _ => return None,
        };
        Some(json!({
            "model": "model-of-the-test",
            "message": {"role": "assistant", "content": answer.text},
            "done": true,
            "done_reason": reason,
            "prompt_eval_count": answer.usage.input_tokens,
            "eval_count": answer.usage.output_tokens,
        }))
    }

    /// What a refusal looks like on the wire.
    fn failure(&self, failure: &Failure) -> Option<HttpResponse> {
        let words = &failure.words;
        let (status, message) = match failure.kind {
            ErrorKind::ModelNotFound => (404, "model \"m\" not found".to_owned()),
            ErrorKind::Rejected => (400, words.clone()),
            _ => return None,
        };
        Some(HttpResponse {
            status,
            body: json!({"error": message}),
        })
    }

    /// Each of these could change the answer.
    fn changes(&self) -> Vec<Setting> {
        vec![
            Setting::variable(URL, "http://127.0.0.1:9"),
            Setting::variable(MODEL, "another"),
            Setting::model("third"),
        ]
    }

    /// None of these can: keys, limits of time.
    fn keeps(&self) -> Vec<Setting> {
        Vec::new()
    }
}

#[test]
fn it_conforms() {
    check_source(&Http(Mine));
}
