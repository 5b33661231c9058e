//! The search for reviews in the text of an answer.
//!
//! Models put prose, fences and second thoughts around their JSON. So every JSON value of the text
//! is looked at, and two rules keep the result honest. What was meant as a review and cannot be
//! read makes the whole answer one that is not understood, whatever stands beside it; nothing is
//! recovered from the inside of broken JSON. And where a text holds several reviews, one for each
//! file or a draft and its revision, all that they say counts: a finding that is said too often is
//! seen by a person, one that is lost is not.

use super::json::{Fault, Json};
use super::{Asked, Merged, NotUnderstood, Record, findings, json};
use crate::limits;
use crate::rules::Catalog;

/// Reads the text of an answer.
///
/// A leading `<think>` block is no part of the answer, and neither is anything before a `</think>`
/// that stands outside of all JSON: some servers keep the tag that opens it to themselves.
pub fn read(text: &str, catalog: &Catalog, asked: Asked<'_>) -> Result<Vec<Record>, NotUnderstood> {
    if text.len() > limits::ANSWER_BYTES {
        return Err(NotUnderstood::ValidationFailed);
    }
    let text = text.trim_matches(json::is_blank);
    if text.is_empty() {
        return Err(NotUnderstood::Empty);
    }
    let text = without_thought(text).ok_or(NotUnderstood::NoJsonFound)?;
    let mut budget = limits::ANSWER_VALUES;
    let records = match whole_scalar(text, &mut budget) {
        // The JSON was encoded once more, as a string.
        Some(Json::Text(inner)) => search(
            inner.trim_matches(json::is_blank),
            catalog,
            asked,
            &mut budget,
        )?,
        Some(_) => return Err(NotUnderstood::ValidationFailed),
        None => search(text, catalog, asked, &mut budget)?,
    };
    if records.len() > limits::ANSWER_RECORDS {
        return Err(NotUnderstood::ValidationFailed);
    }
    Ok(records)
}

/// Drops a leading block of thought. One that never ends has no answer behind it.
fn without_thought(text: &str) -> Option<&str> {
    match text.strip_prefix("<think>") {
        Some(thought) => thought
            .split_once("</think>")
            .map(|(_, answer)| answer.trim_start_matches(json::is_blank)),
        None => Some(text),
    }
}

/// Reads a text that is one string, number or word of JSON and nothing else.
fn whole_scalar(text: &str, budget: &mut usize) -> Option<Json> {
    if text.starts_with(['{', '[']) {
        return None;
    }
    let reading = json::read(text, 0, budget);
    let is_whole = reading.end == text.len();
    reading.value.ok().filter(|_| is_whole)
}

/// What a search through a text has found so far.
#[derive(Default)]
struct Found {
    reviews: Vec<Vec<Record>>,
    /// The first thing that was meant as a review and is none.
    unreadable: Option<NotUnderstood>,
    /// What to say where there is no review at all.
    otherwise: Option<NotUnderstood>,
}

/// Reads all reviews of a text.
///
/// Each bracket that opens outside of the JSON before it is tried once. A try that fails goes on
/// where it failed, not behind its bracket, so that no byte is read twice and no inner piece of
/// broken JSON is taken for an answer.
fn search(
    text: &str,
    catalog: &Catalog,
    asked: Asked<'_>,
    budget: &mut usize,
) -> Result<Vec<Record>, NotUnderstood> {
    let mut found = Found::default();
    if without_fence(text).starts_with(['{', '[']) {
        found.otherwise = Some(NotUnderstood::InvalidJson);
    }
    let mut at = 0;
    while let Some((between, rest)) = next_bracket(text, at) {
        if between.contains("</think>") {
            found = Found::default();
        }
        let start = text.len() - rest.len();
        let reading = json::read(text, start, budget);
        at = reading.end;
        let claims_review = reading.claims_review;
        match reading.value {
            Ok(Json::List(values)) if values.is_empty() => {
                if is_alone(text, start, at) {
                    found.reviews.push(Vec::new());
                }
            }
            Ok(value) => found.value(&value, claims_review, catalog, asked),
            Err(fault) => found.fault(fault, claims_review, rest, at - start),
        }
    }
    if let Some(unreadable) = found.unreadable {
        return Err(unreadable);
    }
    if found.reviews.is_empty() {
        return Err(found.otherwise.unwrap_or(NotUnderstood::NoJsonFound));
    }
    Ok(merge(&found.reviews))
}

/// Returns what stands from `at` up to the next bracket, and the text from there on.
pub(super) fn next_bracket(text: &str, at: usize) -> Option<(&str, &str)> {
    let rest = text.get(at..)?;
    rest.split_at_checked(rest.find(['{', '['])?)
}

/// Returns the text behind a fence that opens at its start.
fn without_fence(text: &str) -> &str {
    text.strip_prefix("```").map_or(text, |fenced| {
        fenced
            .trim_start_matches(|character: char| character.is_ascii_alphabetic())
            .trim_start_matches(json::is_blank)
    })
}

/// Returns whether nothing but a fence stands around a value. Only then an empty list is an answer;
/// in a sentence or in code it may be anything.
fn is_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim();
    let behind = text.get(end..).unwrap_or_default().trim();
    let opens = ["", "```", "```json"]
        .iter()
        .any(|fence| before.eq_ignore_ascii_case(fence));
    opens && ["", "```"].contains(&behind)
}

impl Found {
    fn value(&mut self, value: &Json, claims_review: bool, catalog: &Catalog, asked: Asked<'_>) {
        match findings::records(value, catalog, asked) {
            Some(Ok(records)) if findings::is_template(&records) => {
                self.otherwise = Some(NotUnderstood::ValidationFailed);
            }
            Some(Ok(records)) => self.reviews.push(records),
            Some(Err(error)) => self.give_up(error),
            None if claims_review => self.give_up(NotUnderstood::ValidationFailed),
            None => {
                // Code that is quoted in a sentence is no answer under an unknown key, but an
                // answer that begins with a bracket was meant as JSON.
                let is_object = matches!(value, Json::Object(fields) if !fields.is_empty());
                if is_object || self.otherwise.is_some() {
                    self.otherwise = Some(NotUnderstood::ValidationFailed);
                }
            }
        }
    }

    fn fault(&mut self, fault: Fault, claims_review: bool, rest: &str, length: usize) {
        let has_string = || rest.get(..length).is_some_and(|read| read.contains('"'));
        match fault {
            Fault::Broken if claims_review => self.give_up(NotUnderstood::InvalidJson),
            // A stray bracket at the end is no answer that was cut.
            Fault::Cut if has_string() => self.give_up(NotUnderstood::InvalidJson),
            Fault::Bound => self.give_up(NotUnderstood::InvalidJson),
            Fault::Broken | Fault::Template | Fault::Cut => {
                if has_string() {
                    self.otherwise.get_or_insert(NotUnderstood::InvalidJson);
                }
            }
        }
    }

    fn give_up(&mut self, error: NotUnderstood) {
        self.unreadable.get_or_insert(error);
    }
}

/// Joins reviews, each record as often as the review that says it most often.
fn merge(reviews: &[Vec<Record>]) -> Vec<Record> {
    let mut merged = Merged::default();
    for review in reviews {
        merged.add(review);
    }
    merged.into_records()
}
