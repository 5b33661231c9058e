//! The request's JSON: what is asked of every endpoint, and what adaptations made of it.

use aurumcode_core::provider::Request;
use serde_json::{Map, Value, json};

use crate::adapted::{Adapted, Format};
use crate::settings::{ResponseFormat, Settings};

/// How freely the model writes. It is part of the identity.
pub(crate) const TEMPERATURE: f64 = 0.3;

/// The name under which the schema of the answer goes.
const SCHEMA_NAME: &str = "review";

/// Returns the request's body.
pub(crate) fn body(
    settings: &Settings,
    request: &Request,
    adapted: &Adapted,
) -> Map<String, Value> {
    let prompt = &request.prompt;
    let messages = if adapted.one_message {
        json!([{"role": "user", "content": prompt.to_string()}])
    } else {
        json!([
            {"role": "system", "content": &*prompt.instructions},
            {"role": "user", "content": prompt.material},
        ])
    };
    let mut body = Map::new();
    body.insert("model".to_owned(), settings.model.as_str().into());
    body.insert("messages".to_owned(), messages);
    body.insert("temperature".to_owned(), TEMPERATURE.into());
    if let Some(format) = format(settings.format, request, adapted) {
        body.insert("response_format".to_owned(), format);
    }
    for (name, value) in &settings.body {
        match value {
            Value::Null => body.remove(name),
            value => body.insert(name.clone(), value.clone()),
        };
    }
    if adapted.without_temperature {
        body.remove("temperature");
    }
    if let Some(cap) = cap(request, adapted) {
        body.insert(adapted.cap_name.as_str().to_owned(), cap.into());
    }
    body
}

/// Returns the output cap to send.
pub(crate) fn cap(request: &Request, adapted: &Adapted) -> Option<u32> {
    let wanted = request.output_cap.or(adapted.cap_required);
    match (wanted, adapted.cap_ceiling) {
        (Some(wanted), Some(ceiling)) => Some(wanted.min(ceiling)),
        (wanted, _) => wanted,
    }
}

fn format(wanted: ResponseFormat, request: &Request, adapted: &Adapted) -> Option<Value> {
    let wanted = match adapted.format {
        Format::AsSet => wanted,
        Format::JsonObject => ResponseFormat::JsonObject,
        Format::LeftOut => ResponseFormat::None,
    };
    match wanted {
        ResponseFormat::JsonSchema => Some(json!({
            "type": "json_schema",
            "json_schema": {
                "name": SCHEMA_NAME,
                "strict": !adapted.loose_schema,
                "schema": &*request.answer_schema,
            },
        })),
        ResponseFormat::JsonObject => Some(json!({"type": "json_object"})),
        ResponseFormat::None => None,
    }
}
