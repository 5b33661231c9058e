//! What stderr says when only a part of a change was reviewed: nothing that was paid for is lost.

use aurumcode_core::review::{FailureCause, Review};
use aurumcode_core::rules::Catalog;

use super::findings;

/// Returns the lines about a review that is not complete: which files are missing and why, how
/// much was reviewed, and what was found there. When nothing was reviewed, the failure that ended
/// the run says it all, but for causes that lie in a file, which is then named.
pub(crate) fn incomplete(review: &Review, catalog: &Catalog) -> Vec<String> {
    let reviewed = review.reviewed();
    // A part of a file can have been reviewed when no file is whole.
    let something = reviewed > 0 || !review.findings.is_empty();
    let missing = review
        .failures
        .iter()
        .filter(|failure| something || lies_in_the_file(&failure.cause))
        .map(|failure| {
            format!(
                "not reviewed: {}: {}",
                failure.path.display(),
                failure.cause
            )
        });
    let share = something.then(|| {
        let files = review.files;
        format!("incomplete: {reviewed} of {files} file(s) reviewed")
    });
    let found = review
        .findings
        .iter()
        .map(|finding| findings::line(finding, catalog));
    missing.chain(share).chain(found).collect()
}

fn lies_in_the_file(cause: &FailureCause) -> bool {
    match cause {
        FailureCause::DoesNotFit | FailureCause::Cut { .. } => true,
        FailureCause::Call(_) | FailureCause::NotUnderstood(_) | FailureCause::NotStarted => false,
    }
}

#[cfg(test)]
mod tests {
    use aurumcode_core::answer::NotUnderstood;
    use aurumcode_core::finding::{Finding, Severity};
    use aurumcode_core::review::Failure;

    use super::*;

    #[test]
    fn what_was_reviewed_is_kept_and_what_was_not_is_named() {
        let catalog = Catalog::embedded().unwrap();
        let mut review = Review {
            findings: vec![Finding {
                file: "a".to_owned(),
                line: 1,
                severity: Severity::Info,
                message: "m".to_owned(),
                rule_id: "quality/dead-code".to_owned(),
                suggestion: None,
            }],
            files: 2,
            failures: vec![Failure {
                path: "b".into(),
                cause: FailureCause::NotUnderstood(NotUnderstood::Empty),
            }],
            ..Review::default()
        };
        assert_eq!(
            incomplete(&review, &catalog),
            [
                "not reviewed: b: could not understand the model's response (empty)",
                "incomplete: 1 of 2 file(s) reviewed",
                "a:1: [info] m (rule quality/dead-code: Dead Code)",
            ]
        );
        review.findings.clear();
        review.files = 1;
        assert_eq!(incomplete(&review, &catalog), [""; 0]);
        review.failures[0].cause = FailureCause::Cut { tokens: Some(9) };
        assert_eq!(
            incomplete(&review, &catalog),
            [
                "not reviewed: b: could not understand the model's response (truncated): \
                 the answer was cut at 9 tokens"
            ]
        );
    }
}
