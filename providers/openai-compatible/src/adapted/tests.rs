//! Refusals in the words of vendors, and what is asked instead.

use std::time::SystemTime;

use aurumcode_provider_http::header::HeaderMap;
use serde_json::json;

use super::*;

fn body() -> Map<String, Value> {
    let Value::Object(body) = json!({
        "model": "m", "messages": [], "temperature": 0.3, "max_tokens": 5000,
        "response_format": {"type": "json_schema", "json_schema": {"name": "review", "strict": true, "schema": {}}},
    }) else {
        unreachable!("an object was written")
    };
    body
}

fn refusal(error: &Value) -> Refusal {
    let body = error.to_string();
    Refusal::read(
        400,
        &HeaderMap::new(),
        body.as_bytes(),
        SystemTime::UNIX_EPOCH,
    )
}

fn step(error: &Value) -> Step {
    Adapted::default().step(&refusal(error), &body())
}

fn said(message: &str) -> Step {
    step(&json!({"error": {"message": message}}))
}

fn again(change: impl FnOnce(&mut Adapted)) -> Step {
    let mut adapted = Adapted::default();
    change(&mut adapted);
    Step::Again(adapted)
}

#[test]
fn a_cap_under_the_wrong_name_is_sent_under_the_other() {
    let expected = again(|adapted| adapted.cap_name = CapName::MaxCompletionTokens);
    for message in [
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unknown field max_tokens in 3 places",
    ] {
        assert_eq!(said(message), expected, "{message}");
    }
    let listed = json!({"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs are not permitted"}]});
    assert_eq!(step(&listed), expected);
}

#[test]
fn a_cap_above_the_model_s_is_lowered_to_the_number_that_is_named() {
    for (message, ceiling) in [
        (
            "max_tokens is too large: 5000. This model supports at most 4096 completion tokens, whereas you provided 5000.",
            4096,
        ),
        (
            "max_tokens: 5000 > 4,096, which is the maximum allowed number of output tokens for m-3-20241022",
            4096,
        ),
        (
            "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]",
            4096,
        ),
        (
            "`max_tokens` must be less than or equal to `4096`, the maximum value for `max_tokens` of gpt-4-0613",
            4096,
        ),
        ("This model does not support max_tokens above 2048.", 2048),
    ] {
        let expected = again(|adapted| adapted.cap_ceiling = Some(ceiling));
        assert_eq!(said(message), expected, "{message}");
    }
}

#[test]
fn a_cap_under_no_name_ends_it() {
    let adapted = Adapted {
        cap_name: CapName::MaxCompletionTokens,
        ..Adapted::default()
    };
    let mut body = body();
    body.remove("max_tokens");
    body.insert("max_completion_tokens".to_owned(), json!(5000));
    let refusal =
        refusal(&json!({"error": {"message": "unknown parameter max_completion_tokens"}}));
    assert_eq!(adapted.step(&refusal, &body), Step::NoCap);
}

#[test]
fn a_cap_that_was_not_sent_and_is_asked_for_is_sent_once() {
    let mut body = body();
    body.remove("max_tokens");
    let refusal = refusal(&json!({"error": {"message": "max_tokens: Field required"}}));
    let expected = Adapted {
        cap_required: Some(REQUIRED_CAP),
        ..Adapted::default()
    };
    assert_eq!(
        Adapted::default().step(&refusal, &body),
        Step::Again(expected)
    );
    assert_eq!(expected.step(&refusal, &body), Step::GiveUp);
}

#[test]
fn other_parameters_are_left_out() {
    let temperature = again(|adapted| adapted.without_temperature = true);
    assert_eq!(
        said(
            "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported."
        ),
        temperature
    );
    // The field decides, whatever else the words name.
    assert_eq!(
        step(&json!({"error": {"message": "max_tokens and temperature", "param": "temperature"}})),
        temperature
    );
    assert_eq!(
        said(
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        ),
        again(|adapted| adapted.format = Format::LeftOut)
    );
    assert_eq!(
        said("response_format.type must be 'text' or 'json_object'"),
        again(|adapted| adapted.format = Format::JsonObject)
    );
    assert_eq!(
        step(
            &json!({"error": {"message": "Invalid schema for response_format 'review'", "param": "response_format", "code": "invalid_json_schema"}})
        ),
        again(|adapted| adapted.loose_schema = true)
    );
    assert_eq!(
        said("Failed to initialize samplers: failed to parse grammar"),
        again(|adapted| adapted.format = Format::LeftOut)
    );
    let one_message = again(|adapted| adapted.one_message = true);
    assert_eq!(said("System role not supported"), one_message);
    assert_eq!(
        step(
            &json!({"error": {"message": "Unsupported value: 'messages[0].role' does not support 'system' with this model.", "param": "messages[0].role"}})
        ),
        one_message
    );
}

#[test]
fn a_refusal_that_names_nothing_is_not_asked_again() {
    for message in ["Bad request", "top_p is too large", ""] {
        assert_eq!(said(message), Step::GiveUp, "{message}");
    }
    assert_eq!(
        step(&json!({"error": {"message": "temperature", "param": "temperature"}, "x": 1})),
        again(|adapted| adapted.without_temperature = true)
    );
    let without = Map::new();
    let refusal = refusal(&json!({"error": {"message": "temperature, response_format"}}));
    assert_eq!(Adapted::default().step(&refusal, &without), Step::GiveUp);
}

#[test]
fn people_are_told_what_was_changed() {
    assert_eq!(Adapted::default().told(Some(3000)), Vec::<String>::new());
    let adapted = Adapted {
        cap_name: CapName::MaxCompletionTokens,
        cap_ceiling: Some(2048),
        cap_required: None,
        without_temperature: true,
        format: Format::JsonObject,
        loose_schema: true,
        one_message: true,
    };
    assert_eq!(
        adapted.told(Some(2048)),
        [
            "the output cap was sent as max_completion_tokens",
            "the output cap was lowered to 2048 tokens",
            "temperature was left out",
            "response_format json_object was asked for",
            "the instructions were sent in the user's message",
        ]
    );
}

proptest::proptest! {
    /// Each step changes something, so a server that refuses everything is asked a bounded number
    /// of times.
    #[test]
    fn steps_end(messages in proptest::collection::vec("(max_tokens|temperature|response_format|strict|system role|[0-9]{1,5}| ){0,6}", 30)) {
        let mut adapted = Adapted::default();
        let mut steps = 0;
        for message in messages {
            let mut body = body();
            if adapted.without_temperature {
                body.remove("temperature");
            }
            body.remove("max_tokens");
            body.insert(adapted.cap_name.as_str().to_owned(), json!(adapted.cap_ceiling.unwrap_or(5000)));
            if adapted.format != Format::AsSet {
                body.remove("response_format");
            } else if adapted.loose_schema {
                body["response_format"]["json_schema"]["strict"] = json!(false);
            }
            let refusal = refusal(&json!({"error": {"message": message}}));
            if let Step::Again(next) = adapted.step(&refusal, &body) {
                proptest::prop_assert_ne!(next, adapted);
                adapted = next;
                steps += 1;
            }
        }
        proptest::prop_assert!(steps <= Adapted::MOST_STEPS);
    }
}
