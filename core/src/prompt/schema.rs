//! The JSON schema of the answer that is asked for.

use serde_json::{Value, json};

use crate::rules::Catalog;

/// Returns the schema, in the strict form that endpoints take: every property is required, and no
/// other is allowed. What may be missing is null.
pub(super) fn answer_schema(catalog: &Catalog) -> Value {
    let rule_ids: Vec<&str> = catalog
        .rules()
        .iter()
        .map(|rule| rule.id.as_str())
        .collect();
    json!({
        "type": "object",
        "properties": {
            "issues": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "file": { "type": "string" },
                        "line": { "type": "integer" },
                        "severity": { "type": "string", "enum": ["error", "warning", "info"] },
                        "rule_id": { "type": "string", "enum": rule_ids },
                        "message": { "type": "string" },
                        "suggestion": { "type": ["string", "null"] },
                    },
                    "required": ["file", "line", "severity", "rule_id", "message", "suggestion"],
                    "additionalProperties": false,
                },
            },
            "summary": { "type": "string" },
        },
        "required": ["issues", "summary"],
        "additionalProperties": false,
    })
}
