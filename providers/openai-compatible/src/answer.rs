//! What an answer says: its text, why it ended, what it cost. Every odd shape has its own outcome,
//! and none of them is a review without findings.

use std::time::SystemTime;

use aurumcode_core::provider::{
    Billing, Completion, ErrorKind, Finish, ModelId, ProviderError, Usage,
};
use aurumcode_provider_http::header::CONTENT_TYPE;
use aurumcode_provider_http::{Asked, Refusal, Reply, classify, excerpt};
use serde_json::Value;

use crate::stream;

/// What was read of an answer before it is judged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Draft {
    pub(crate) text: String,
    /// The model's words of refusal.
    pub(crate) refusal: String,
    /// The endpoint's word for why the answer ended.
    pub(crate) finish: Option<String>,
    pub(crate) calls_tool: bool,
    pub(crate) usage: Option<Usage>,
    pub(crate) served_by: Option<String>,
    /// Whether there was a choice at all.
    pub(crate) has_choice: bool,
    /// An error that stands where the answer should be.
    pub(crate) error: Option<Value>,
}

/// Reads the body of a success.
pub(crate) fn read(
    reply: &Reply,
    asked: &Asked<'_>,
    now: SystemTime,
) -> Result<Completion, ProviderError> {
    let draft = if is_stream(reply) {
        stream::read(&reply.text())
            .ok_or_else(|| asked.no_answer(reply, "an event stream that cannot be read"))?
    } else {
        Draft::from_value(&asked.json(reply)?)
    };
    let known = draft.has_choice || draft.error.is_some();
    draft.judge(asked, now).map_err(|error| {
        if known {
            error
        } else {
            asked
                .no_answer(reply, "JSON that holds no choices")
                .billed(error.billing)
        }
    })
}

fn is_stream(reply: &Reply) -> bool {
    let kind = reply.headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let text = reply.text();
    kind.trim_start()
        .to_ascii_lowercase()
        .starts_with("text/event-stream")
        || ["data:", "event:", "id:", "retry:", ":"]
            .iter()
            .any(|lead| text.starts_with(lead))
}

impl Draft {
    fn from_value(root: &Value) -> Self {
        let mut draft = Self::default();
        draft.take(root);
        if let Some(choice) = choice(root) {
            draft.finish = word(choice.get("finish_reason"));
        }
        draft
    }

    /// Takes what one JSON value holds, which is a whole answer or one chunk of it.
    pub(crate) fn take(&mut self, root: &Value) {
        self.usage = usage(root).or(self.usage);
        if let Some(model) = root.get("model").and_then(Value::as_str)
            && !model.is_empty()
        {
            self.served_by = Some(model.to_owned());
        }
        if let Some(error) = root.get("error")
            && !error.is_null()
        {
            self.error = Some(root.clone());
        }
        let Some(choice) = choice(root) else { return };
        self.has_choice = true;
        if let Some(error) = choice.get("error")
            && !error.is_null()
        {
            self.error = Some(choice.clone());
        }
        let message = ["message", "delta"]
            .into_iter()
            .filter_map(|name| choice.get(name))
            .find(|message| message.is_object())
            .unwrap_or(choice);
        self.content(message.get("content").or_else(|| choice.get("text")));
        if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
            self.refusal.push_str(refusal);
        }
        let tools = message.get("tool_calls").and_then(Value::as_array);
        self.calls_tool |= tools.is_some_and(|calls| !calls.is_empty())
            || message.get("function_call").is_some_and(Value::is_object);
    }

    /// Takes content, which is a text or an array of parts. What the model thought on its way is
    /// no part of the answer, even where it looks like one.
    fn content(&mut self, content: Option<&Value>) {
        match content {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => {
                for part in parts {
                    self.part(part);
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, part: &Value) {
        if let Value::String(text) = part {
            self.text.push_str(text);
            return;
        }
        let text = part.get("text");
        let text = text
            .and_then(Value::as_str)
            .or_else(|| text?.get("value")?.as_str());
        match part.get("type").and_then(Value::as_str) {
            None | Some("text" | "output_text") => self.text.push_str(text.unwrap_or_default()),
            Some("refusal") => {
                let words = part.get("refusal").and_then(Value::as_str).or(text);
                self.refusal.push_str(words.unwrap_or("refused"));
            }
            Some(_) => {}
        }
    }

    fn judge(self, asked: &Asked<'_>, now: SystemTime) -> Result<Completion, ProviderError> {
        let billing = self.usage.map_or(Billing::Unknown, Billing::Reported);
        let bad =
            |message: String| ProviderError::new(ErrorKind::BadResponse, message).billed(billing);
        let mut finish = match self.finish.as_deref() {
            Some(word) => finish(word),
            None => Ending::Known(Finish::Unstated),
        };
        if let Some(error) = &self.error {
            let refusal = Refusal::in_answer(error, now);
            if !refusal.is_content_filter() {
                return Err(classify(&refusal, asked).billed(billing));
            }
            finish = Ending::Known(Finish::Filtered);
        } else if !self.has_choice {
            return Err(bad("no choices".to_owned()));
        }
        if self.calls_tool {
            finish = Ending::ToolCall;
        }
        if !self.refusal.trim().is_empty() {
            finish = Ending::Known(Finish::Refused(excerpt(&self.refusal, asked.redactor)));
        }
        let finish = match finish {
            Ending::Known(finish) => finish,
            Ending::ToolCall => {
                return Err(bad(format!(
                    "the model at {} asked to call a tool instead of answering: name another model",
                    asked.endpoint
                )));
            }
            Ending::Broke => {
                return Err(ProviderError::new(
                    ErrorKind::Overloaded { retry_after: None },
                    format!("{} broke off its own answer", asked.endpoint),
                )
                .billed(billing));
            }
        };
        Ok(Completion {
            text: without_thoughts(&self.text).to_owned(),
            finish,
            usage: self.usage,
            served_by: self.served_by.map(ModelId::new),
            adaptations: Vec::new(),
        })
    }
}

/// Returns the first choice: the one with number 0, wherever it stands.
pub(crate) fn choice(root: &Value) -> Option<&Value> {
    let choices = root.get("choices")?.as_array()?;
    choices
        .iter()
        .find(|choice| choice.get("index").and_then(Value::as_u64) == Some(0))
        .or_else(|| choices.iter().find(|choice| choice.get("index").is_none()))
        .filter(|choice| choice.is_object())
}

/// Returns a word that is not empty.
pub(crate) fn word(value: Option<&Value>) -> Option<String> {
    let word = value?.as_str()?.trim();
    (!word.is_empty()).then(|| word.to_owned())
}

/// How an answer ended, by the endpoint's word.
enum Ending {
    Known(Finish),
    ToolCall,
    /// The endpoint failed on the way.
    Broke,
}

fn finish(word: &str) -> Ending {
    match word.to_lowercase().as_str() {
        "stop" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "complete" | "completed" => {
            Ending::Known(Finish::Stop)
        }
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "max_length"
        | "model_length"
        | "model_context_window_exceeded"
        | "abort"
        | "cancelled" => Ending::Known(Finish::Length),
        "content_filter"
        | "content_filtered"
        | "safety"
        | "recitation"
        | "blocklist"
        | "prohibited_content"
        | "spii"
        | "guardrail_intervened"
        | "sensitive" => Ending::Known(Finish::Filtered),
        "refusal" => Ending::Known(Finish::Refused(String::new())),
        "tool_calls" | "tool_use" | "function_call" => Ending::ToolCall,
        "error" | "insufficient_system_resource" => Ending::Broke,
        _ => Ending::Known(Finish::Unstated),
    }
}

/// Reads what was counted, under the names of either kind of API. Counts of nothing are no counts.
fn usage(root: &Value) -> Option<Usage> {
    let usage = ["/usage", "/x_groq/usage"]
        .into_iter()
        .filter_map(|place| root.pointer(place))
        .find(|usage| usage.is_object())?;
    let count = |names: [&str; 2]| {
        names
            .into_iter()
            .find_map(|name| usage.get(name).and_then(Value::as_u64))
    };
    let total = usage.get("total_tokens").and_then(Value::as_u64);
    let input = count(["prompt_tokens", "input_tokens"])?;
    let output = count(["completion_tokens", "output_tokens"]);
    let rest = total.map(|total| total.saturating_sub(input));
    // Some endpoints count what the model thought in the total alone; it is billed as well.
    let output_tokens = output.max(rest)?;
    (input > 0).then_some(Usage {
        input_tokens: input,
        output_tokens,
    })
}

/// Returns the answer behind the thoughts that some servers leave in the text.
fn without_thoughts(text: &str) -> &str {
    const MARKS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];
    let start = text.trim_start();
    for (open, close) in MARKS {
        if let Some(thoughts) = start.strip_prefix(open) {
            return match thoughts.split_once(close) {
                Some((_, answer)) => answer.trim_start(),
                // The answer was cut while the model was still thinking.
                None => "",
            };
        }
        // Some templates write the opening mark themselves, so that only the closing one is here.
        let closing = format!("\n{close}\n");
        if !start.starts_with(['{', '[', '`'])
            && let Some((_, answer)) = start.split_once(&closing)
        {
            return answer.trim_start();
        }
    }
    text
}

#[cfg(test)]
mod tests;
