//! What was said, as it is shown.

use super::paths::Paths;
use super::report::{Discarded, Unconverted};
use crate::answer::{Record, RecordKind};
use crate::finding::Finding;
use crate::redact::Redactor;
use crate::rules::Catalog;
use crate::text;

/// What is shown of the merged records.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) findings: Vec<Finding>,
    pub(super) discarded: Discarded,
    pub(super) unconverted: Unconverted,
}

/// Turns records into what is shown: findings sorted by file and line, each once, and the counts
/// of what was dropped.
pub(super) fn show(
    records: Vec<Record>,
    paths: &Paths,
    redactor: &Redactor,
    catalog: &Catalog,
) -> Shown {
    let clean = |text: &str| text::one_line(&redactor.text(text)).into_owned();
    let mut shown = Shown::default();
    for Record { path, line, kind } in records {
        match kind {
            // An entry is only as good as whoever can write the cache directory, so its findings
            // pass the same gate again as those of a fresh answer.
            RecordKind::Finding {
                severity,
                rule_id,
                message,
                suggestion,
            } if catalog.get(&rule_id).is_some() => {
                let said = path.unwrap_or_default();
                let (file, line) = match paths.find(&said) {
                    Some(index) => (clean(paths.shown(index)), paths.possible_line(index, line)),
                    None => (clean(&said), line),
                };
                let suggestion = suggestion.map(|text| redactor.text(&text).into_owned());
                let message = clean(&message);
                shown.findings.push(Finding {
                    file,
                    line,
                    severity,
                    message,
                    rule_id,
                    suggestion,
                });
            }
            RecordKind::NoRule { .. } => shown.discarded.without_rule += 1,
            RecordKind::Finding { rule_id, .. } | RecordKind::UnknownRule { rule_id, .. } => {
                shown.discarded.unknown_rule += 1;
                shown.discarded.unknown_ids.insert(clean(&rule_id));
            }
            RecordKind::CommentReported { .. } => shown.unconverted.reported += 1,
            RecordKind::CommentWithoutPath { .. } => shown.unconverted.without_path += 1,
            RecordKind::CommentEmpty => shown.unconverted.empty += 1,
        }
    }
    sort(&mut shown.findings);
    shown
}

fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|left, right| (&left.file, left.line).cmp(&(&right.file, right.line)));
    let mut printed = std::collections::BTreeSet::new();
    findings.retain(|finding| {
        let Finding {
            file,
            line,
            severity,
            message,
            rule_id,
            suggestion: _,
        } = finding;
        printed.insert((
            file.clone(),
            *line,
            *severity,
            message.clone(),
            rule_id.clone(),
        ))
    });
}
