//! What stderr says about an answer beside its findings.

use std::collections::BTreeSet;

use aurumcode_core::review::{Discarded, Unconverted};

/// Returns the line about findings that cite no rule of the catalog, when there are any.
pub(crate) fn discarded(discarded: &Discarded) -> Option<String> {
    let Discarded {
        without_rule,
        unknown_rule,
        unknown_ids,
    } = discarded;
    counted(
        "finding(s) discarded",
        [
            (*without_rule, "with no rule_id".to_owned()),
            (
                *unknown_rule,
                format!("citing an unknown rule_id ({})", joined(unknown_ids)),
            ),
        ],
    )
}

/// Returns the line about line comments that became no finding, when there are any.
pub(crate) fn unconverted(unconverted: &Unconverted) -> Option<String> {
    let Unconverted {
        reported,
        without_path,
        empty,
    } = unconverted;
    counted(
        "line comment(s) not converted",
        [
            (*reported, "already reported as an issue".to_owned()),
            (*without_path, "with no path".to_owned()),
            (*empty, "with an empty body".to_owned()),
        ],
    )
}

/// Returns the line about files whose answer came from the cache, when there are any.
pub(crate) fn reused(files: usize) -> Option<String> {
    (files > 0).then(|| format!("reused {files} file(s) from cache (not resent to the model)"))
}

fn counted<const N: usize>(what: &str, parts: [(usize, String); N]) -> Option<String> {
    let total: usize = parts.iter().map(|(count, _)| count).sum();
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    (total > 0).then(|| format!("{total} {what}: {}", said.join(", ")))
}

fn joined(ids: &BTreeSet<String>) -> String {
    ids.iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_zero_are_left_out() {
        let mut dropped = Discarded::default();
        assert_eq!(discarded(&dropped), None);
        dropped.without_rule = 2;
        assert_eq!(
            discarded(&dropped).as_deref(),
            Some("2 finding(s) discarded: 2 with no rule_id")
        );
        dropped.unknown_rule = 3;
        dropped.unknown_ids = ["b/y", "a/x"].map(str::to_owned).into();
        assert_eq!(
            discarded(&dropped).as_deref(),
            Some(
                "5 finding(s) discarded: 2 with no rule_id, \
                 3 citing an unknown rule_id (a/x, b/y)"
            )
        );
        dropped.without_rule = 0;
        assert_eq!(
            discarded(&dropped).as_deref(),
            Some("3 finding(s) discarded: 3 citing an unknown rule_id (a/x, b/y)")
        );
    }

    #[test]
    fn comments_are_counted_by_reason() {
        let mut comments = Unconverted::default();
        assert_eq!(unconverted(&comments), None);
        comments.reported = 1;
        comments.empty = 2;
        assert_eq!(
            unconverted(&comments).as_deref(),
            Some(
                "3 line comment(s) not converted: \
                 1 already reported as an issue, 2 with an empty body"
            )
        );
        comments.without_path = 4;
        assert_eq!(
            unconverted(&comments).as_deref(),
            Some(
                "7 line comment(s) not converted: \
                 1 already reported as an issue, 4 with no path, 2 with an empty body"
            )
        );
    }
}
