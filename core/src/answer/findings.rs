//! What a JSON value says as a review.
//!
//! A review is an object with `issues`, `line_comments` or both, or a bare list of findings. Where
//! a detail is odd the finding stays and the detail is read strictly: a severity that is no known
//! word, or that an issue does not state, is `error`; a line that cannot be one is 0.

use std::collections::BTreeSet;

use super::json::Json;
use super::{Asked, NotUnderstood, Record, RecordKind};
use crate::finding::Severity;
use crate::rules::{Catalog, Rule};

type Fields = [(String, Json)];

/// Returns what a value says, or nothing where it is not meant as a review.
///
/// An empty list says nothing by itself: whether it is an answer depends on what stands around it.
pub(super) fn records(
    value: &Json,
    catalog: &Catalog,
    asked: Asked<'_>,
) -> Option<Result<Vec<Record>, NotUnderstood>> {
    let mut reader = Reader {
        catalog,
        asked,
        records: Vec::new(),
        said: BTreeSet::new(),
    };
    let has = |fields, name| Json::field(fields, name).is_some();
    let read = match value {
        Json::Object(fields) if has(fields, "issues") || has(fields, "line_comments") => {
            reader.review(fields)
        }
        Json::List(values) if values.iter().any(is_finding) => reader.issues(values),
        _ => return None,
    };
    Some(read.map(|()| reader.records))
}

/// Returns whether a review only shows the form of one: every rule that it cites is a blank to fill
/// in, such as `<id>` or `...`.
pub(super) fn is_template(records: &[Record]) -> bool {
    let is_blank = |id: &str| {
        (id.starts_with('<') && id.ends_with('>')) || id.chars().all(|c| matches!(c, '.' | '…'))
    };
    !records.is_empty()
        && records.iter().all(|record| {
            matches!(&record.kind, RecordKind::UnknownRule { rule_id, .. } if is_blank(rule_id))
        })
}

fn named<'a>(fields: &'a Fields, name: &'a str) -> impl Iterator<Item = &'a Json> {
    fields
        .iter()
        .filter(move |(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// Returns whether an element of a bare list is a finding and no other object of some program.
fn is_finding(value: &Json) -> bool {
    let Json::Object(fields) = value else {
        return false;
    };
    let has = |name| Json::field(fields, name).is_some();
    has("rule_id") || (has("message") && (has("file") || has("line")))
}

struct Reader<'a> {
    catalog: &'a Catalog,
    asked: Asked<'a>,
    records: Vec<Record>,
    /// What was said so far: path, line and message without letter case and blanks.
    said: BTreeSet<(String, u32, String)>,
}

impl Reader<'_> {
    fn review(&mut self, fields: &Fields) -> Result<(), NotUnderstood> {
        let mut has_list = false;
        for value in named(fields, "issues") {
            has_list |= read_list(value, |values| self.issues(values))?;
        }
        for value in named(fields, "line_comments") {
            has_list |= read_list(value, |values| self.comments(values))?;
        }
        // Empty lists beside findings under another name are no clean review.
        let elsewhere = |(_, value): &(String, Json)| matches!(value, Json::List(values) if values.iter().any(is_finding));
        let is_lost = self.records.is_empty() && fields.iter().any(elsewhere);
        if has_list && !is_lost {
            Ok(())
        } else {
            Err(NotUnderstood::ValidationFailed)
        }
    }

    fn issues(&mut self, values: &[Json]) -> Result<(), NotUnderstood> {
        for value in values {
            let Json::Object(fields) = value else {
                return Err(NotUnderstood::ValidationFailed);
            };
            let path = written(fields, &["file", "path"])
                .or_else(|| self.asked.only.map(str::to_owned))
                .ok_or(NotUnderstood::ValidationFailed)?;
            let line = line(fields);
            let message = written(fields, &["message", "body"]).unwrap_or_default();
            self.said.insert(said(&self.asked, &path, line, &message));
            let kind = self.cited(fields, message, Severity::Error);
            self.push(Some(path), line, kind);
        }
        Ok(())
    }

    fn comments(&mut self, values: &[Json]) -> Result<(), NotUnderstood> {
        for value in values {
            let Json::Object(fields) = value else {
                return Err(NotUnderstood::ValidationFailed);
            };
            let path = written(fields, &["path", "file"]);
            let line = line(fields);
            let kind = match (&path, written(fields, &["body", "message"])) {
                (None, message) => RecordKind::CommentWithoutPath {
                    message: message.unwrap_or_default(),
                },
                (Some(_), None) => RecordKind::CommentEmpty,
                (Some(path), Some(message)) => {
                    if self.said.insert(said(&self.asked, path, line, &message)) {
                        self.cited(fields, message, Severity::Warning)
                    } else {
                        RecordKind::CommentReported { message }
                    }
                }
            };
            self.push(path, line, kind);
        }
        Ok(())
    }

    fn push(&mut self, path: Option<String>, line: u32, kind: RecordKind) {
        self.records.push(Record { path, line, kind });
    }

    /// Returns what becomes of a message by the rule that it cites.
    fn cited(&self, fields: &Fields, message: String, unstated: Severity) -> RecordKind {
        let cited = written(fields, &["rule_id"]);
        let cited = cited
            .as_deref()
            .map(|id| {
                id.trim_matches(|character: char| character.is_whitespace() || character == '`')
            })
            .filter(|id| !id.is_empty());
        let Some(id) = cited else {
            return RecordKind::NoRule { message };
        };
        let Some(rule) = self.rule(id) else {
            return RecordKind::UnknownRule {
                rule_id: id.to_owned(),
                message,
            };
        };
        RecordKind::Finding {
            severity: severity(fields, unstated),
            rule_id: rule.id.clone(),
            message: if message.is_empty() {
                rule.title.clone()
            } else {
                message
            },
            suggestion: written(fields, &["suggestion"]),
        }
    }

    fn rule(&self, id: &str) -> Option<&Rule> {
        self.catalog
            .get(id)
            .or_else(|| self.catalog.get(&id.to_ascii_lowercase()))
    }
}

/// Reads a list. Null is as good as missing, anything else is no review.
fn read_list(
    value: &Json,
    read: impl FnOnce(&[Json]) -> Result<(), NotUnderstood>,
) -> Result<bool, NotUnderstood> {
    match value {
        Json::List(values) => read(values).map(|()| true),
        Json::Null => Ok(false),
        _ => Err(NotUnderstood::ValidationFailed),
    }
}

/// Returns the text of the first of these fields that has one.
fn written(fields: &Fields, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| match Json::field(fields, name)? {
            Json::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            _ => None,
        })
}

fn line(fields: &Fields) -> u32 {
    let number = match Json::field(fields, "line") {
        Some(Json::Number(number)) => Some(*number),
        Some(Json::Text(text)) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    // A whole number is displayed without a point, so what is negative, absurd or between two
    // lines is no u32.
    number
        .and_then(|number| number.to_string().parse().ok())
        .unwrap_or_default()
}

fn severity(fields: &Fields, unstated: Severity) -> Severity {
    match Json::field(fields, "severity") {
        None | Some(Json::Null) => unstated,
        Some(Json::Text(word)) => match word.trim().to_ascii_lowercase().as_str() {
            "" => unstated,
            "info" => Severity::Info,
            "warning" => Severity::Warning,
            _ => Severity::Error,
        },
        Some(_) => Severity::Error,
    }
}

fn said(asked: &Asked<'_>, path: &str, line: u32, message: &str) -> (String, u32, String) {
    let path = (asked.canonical)(path);
    let message = message
        .chars()
        .filter(|character| !character.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    (path, line, message)
}
