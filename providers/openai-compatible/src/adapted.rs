//! What an endpoint refuses of a request, and what is asked instead: each parameter at most once,
//! kept for the rest of the run, and told to people with every answer.
//!
//! None of it is part of the identity: the next run asks for the same thing again, and must find
//! what this run stored.

use aurumcode_provider_http::Refusal;
use serde_json::{Map, Value};

/// The cap that is sent to an endpoint that takes no request without one.
const REQUIRED_CAP: u32 = 4096;

/// The name of the output cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CapName {
    /// The old name, which most endpoints know.
    #[default]
    MaxTokens,
    /// The new name, which some insist on.
    MaxCompletionTokens,
}

impl CapName {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// What became of the form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    AsSet,
    JsonObject,
    LeftOut,
}

/// What differs from what is asked at first. The default is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Adapted {
    pub(crate) cap_name: CapName,
    /// The most that the endpoint takes as a cap.
    pub(crate) cap_ceiling: Option<u32>,
    /// The cap that is sent although the run sets none.
    pub(crate) cap_required: Option<u32>,
    pub(crate) without_temperature: bool,
    pub(crate) format: Format,
    /// Whether the schema is only a wish.
    pub(crate) loose_schema: bool,
    /// Whether instructions and material go as one message of the user.
    pub(crate) one_message: bool,
}

/// What to do about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Ask again like this.
    Again(Adapted),
    /// The endpoint takes the output cap under no name, and no request goes out without it.
    NoCap,
    /// Nothing that was sent is named, or it was adapted before.
    GiveUp,
}

/// Looks for one kind of parameter in a refusal.
type Judge = fn(Adapted, &Refusal, &Map<String, Value>) -> Step;

impl Adapted {
    /// How many times one call can be adapted: once for each field.
    pub(crate) const MOST_STEPS: usize = 7;

    /// Returns what to do when `body`, made with these adaptations, is refused.
    pub(crate) fn step(self, refusal: &Refusal, body: &Map<String, Value>) -> Step {
        let steps: [Judge; 4] = [
            Self::cap,
            Self::temperature,
            Self::answer_form,
            Self::system,
        ];
        if let Some(parameter) = &refusal.parameter {
            // The field says which parameter it is; the words may name others as advice.
            let step = match parameter.as_str() {
                "max_tokens" | "max_completion_tokens" | "max_output_tokens" => Self::cap as Judge,
                "temperature" => Self::temperature,
                name if name.starts_with("response_format") => Self::answer_form,
                name if name.starts_with("messages") => Self::system,
                _ => return self.first(&steps, refusal, body),
            };
            return self.first(&[step], refusal, body);
        }
        self.first(&steps, refusal, body)
    }

    fn first(self, steps: &[Judge], refusal: &Refusal, body: &Map<String, Value>) -> Step {
        steps
            .iter()
            .map(|step| step(self, refusal, body))
            .find(|step| *step != Step::GiveUp)
            .unwrap_or(Step::GiveUp)
    }

    fn cap(self, refusal: &Refusal, body: &Map<String, Value>) -> Step {
        const NAMES: [&str; 2] = ["max_tokens", "max_completion_tokens"];
        const WORDS: [&str; 5] = [
            "max_tokens",
            "max_completion_tokens",
            "max_output_tokens",
            "completion tokens",
            "output tokens",
        ];
        const LIMITS: [&str; 9] = [
            "above",
            "at most",
            "exceed",
            "greater",
            "larger",
            "less than",
            "maximum",
            "more than",
            "too large",
        ];
        const UNKNOWN: [&str; 9] = [
            "does not support",
            "extra inputs",
            "instead",
            "not permitted",
            "not supported",
            "unexpected",
            "unknown",
            "unrecognized",
            "unsupported",
        ];
        let named = refusal
            .parameter
            .as_deref()
            .is_some_and(|name| NAMES.contains(&name));
        if !named && !refusal.says(&WORDS) {
            return Step::GiveUp;
        }
        let sent = body.get(self.cap_name.as_str()).and_then(Value::as_u64);
        let Some(sent) = sent else {
            let only_new =
                refusal.says(&["max_completion_tokens"]) && !refusal.says(&["max_tokens"]);
            if self.cap_required.is_some() || !(named || refusal.says(&NAMES)) {
                return Step::GiveUp;
            }
            return Step::Again(Self {
                cap_required: Some(REQUIRED_CAP),
                cap_name: if only_new {
                    CapName::MaxCompletionTokens
                } else {
                    self.cap_name
                },
                ..self
            });
        };
        let unknown = refusal.says(&UNKNOWN)
            || refusal.has_code(&[
                "unsupported_parameter",
                "unknown_parameter",
                "extra_forbidden",
            ]);
        let about_size = refusal.says(&LIMITS);
        if (about_size || !unknown)
            && self.cap_ceiling.is_none()
            && let Some(ceiling) = largest_number_below(&refusal.message, sent)
        {
            return Step::Again(Self {
                cap_ceiling: Some(ceiling),
                ..self
            });
        }
        match self.cap_name {
            CapName::MaxTokens => Step::Again(Self {
                cap_name: CapName::MaxCompletionTokens,
                ..self
            }),
            CapName::MaxCompletionTokens => Step::NoCap,
        }
    }

    fn temperature(self, refusal: &Refusal, body: &Map<String, Value>) -> Step {
        let named = refusal.parameter.as_deref() == Some("temperature");
        let sent = body.contains_key("temperature");
        if !sent || !(named || refusal.says(&["temperature"])) {
            return Step::GiveUp;
        }
        Step::Again(Self {
            without_temperature: true,
            ..self
        })
    }

    fn answer_form(self, refusal: &Refusal, body: &Map<String, Value>) -> Step {
        const WORDS: [&str; 8] = [
            "grammar",
            "guided_json",
            "json mode",
            "json schema",
            "json_object",
            "json_schema",
            "response_format",
            "structured output",
        ];
        let named = refusal.parameter.is_some();
        let Some(sent) = body.get("response_format") else {
            return Step::GiveUp;
        };
        let about_schema = refusal.has_code(&["invalid_json_schema"]);
        if !(named || about_schema || refusal.says(&WORDS)) {
            return Step::GiveUp;
        }
        let is_schema = sent.get("json_schema").is_some();
        let is_strict = sent.pointer("/json_schema/strict") == Some(&Value::Bool(true));
        if is_strict && (about_schema || refusal.says(&["strict", "invalid schema"])) {
            return Step::Again(Self {
                loose_schema: true,
                ..self
            });
        }
        if self.format != Format::AsSet {
            return Step::GiveUp;
        }
        // The other form is asked for only where the server offers it by name: asking for it
        // anywhere else would be refused as well.
        let offered = is_schema && refusal.says(&["json_object"]);
        Step::Again(Self {
            format: if offered {
                Format::JsonObject
            } else {
                Format::LeftOut
            },
            ..self
        })
    }

    fn system(self, refusal: &Refusal, _: &Map<String, Value>) -> Step {
        const WORDS: [&str; 9] = [
            "developer instruction",
            "does not support 'system'",
            "role 'system'",
            "role \"system\"",
            "role: system",
            "roles must alternate",
            "system message",
            "system prompt",
            "system role",
        ];
        if self.one_message || !refusal.says(&WORDS) {
            return Step::GiveUp;
        }
        Step::Again(Self {
            one_message: true,
            ..self
        })
    }

    /// Returns what was changed, for people. `cap` is the one that was sent, if one was.
    pub(crate) fn told(self, cap: Option<u32>) -> Vec<String> {
        let mut told = Vec::new();
        if let Some(cap) = cap {
            let name = self.cap_name.as_str();
            if self.cap_name == CapName::MaxCompletionTokens {
                told.push(format!("the output cap was sent as {name}"));
            }
            if self.cap_ceiling == Some(cap) {
                told.push(format!("the output cap was lowered to {cap} tokens"));
            }
            if self.cap_required.is_some() {
                told.push(format!(
                    "an output cap of {cap} tokens was sent because the endpoint asks for one"
                ));
            }
        }
        if self.without_temperature {
            told.push("temperature was left out".to_owned());
        }
        match self.format {
            Format::AsSet => {}
            Format::JsonObject => told.push("response_format json_object was asked for".to_owned()),
            Format::LeftOut => told.push("response_format was left out".to_owned()),
        }
        if self.loose_schema && self.format == Format::AsSet {
            told.push("the schema of the answer was sent without strict".to_owned());
        }
        if self.one_message {
            told.push("the instructions were sent in the user's message".to_owned());
        }
        told
    }
}

/// A number below this is no cap that a server means, but a place or a count.
const SMALLEST_CEILING: u64 = 16;

/// Returns the largest number in `words` that stands alone and is below `limit`. A number inside a
/// name, such as a model's, does not stand alone.
fn largest_number_below(words: &str, limit: u64) -> Option<u32> {
    let part_of_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    words
        .split(|character: char| !part_of_name(character) && character != ',')
        .map(|word| word.trim_matches(['.', ',']).replace(',', ""))
        .filter_map(|word| word.parse::<u64>().ok())
        .filter(|number| *number >= SMALLEST_CEILING && *number < limit)
        .max()
        .and_then(|number| u32::try_from(number).ok())
}

#[cfg(test)]
mod tests;
