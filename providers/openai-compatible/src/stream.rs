//! An event stream although none was asked for: some gateways stream whatever they are told.
//!
//! A stream that ends without saying why has been cut, whatever stands in it.

use serde_json::Value;

use crate::answer::{Draft, choice, word};

/// The finish of a stream that does not say why it ended.
const CUT: &str = "length";

/// Reads a whole event stream. Nothing comes back when it holds something that is no chunk, other
/// than at its very end, where a chunk may have been cut.
pub(crate) fn read(text: &str) -> Option<Draft> {
    let mut draft = Draft::default();
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut events = text.split("\n\n").peekable();
    while let Some(event) = events.next() {
        let data = data(event);
        let data = data.trim();
        if data.is_empty() {
            continue;
        }
        if data == "[DONE]" {
            break;
        }
        let Ok(chunk) = serde_json::from_str::<Value>(data) else {
            if events.peek().is_none() {
                break;
            }
            return None;
        };
        draft.take(&chunk);
        let finish = choice(&chunk).and_then(|choice| word(choice.get("finish_reason")));
        draft.finish = finish.or(draft.finish);
    }
    if draft.has_choice && draft.finish.is_none() {
        draft.finish = Some(CUT.to_owned());
    }
    Some(draft)
}

/// Joins the data of one event; comments and other fields say nothing about the answer.
fn data(event: &str) -> String {
    let lines = event.split('\n').filter_map(|line| {
        let value = line.strip_prefix("data:")?;
        Some(value.strip_prefix(' ').unwrap_or(value))
    });
    lines.collect::<Vec<_>>().join("\n")
}
