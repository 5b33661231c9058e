//! The lines of the findings.

use aurumcode_core::finding::Finding;
use aurumcode_core::rules::Catalog;

/// Returns the line of a finding.
pub(crate) fn line(finding: &Finding, catalog: &Catalog) -> String {
    let Finding {
        file,
        line,
        severity,
        message,
        rule_id,
        suggestion: _,
    } = finding;
    let title = catalog.get(rule_id).map_or("", |rule| rule.title.as_str());
    format!("{file}:{line}: [{severity}] {message} (rule {rule_id}: {title})")
}

/// Returns what the model found, or that it found nothing.
pub(crate) fn quality_block(findings: &[Finding], catalog: &Catalog) -> Vec<String> {
    if findings.is_empty() {
        return vec!["No issues found.".to_owned()];
    }
    findings
        .iter()
        .map(|finding| line(finding, catalog))
        .collect()
}

#[cfg(test)]
mod tests {
    use aurumcode_core::finding::Severity;

    use super::*;

    #[test]
    fn a_finding_is_one_line_with_its_rule() {
        let catalog = Catalog::embedded().unwrap();
        let finding = Finding {
            file: "a b.rs".to_owned(),
            line: 7,
            severity: Severity::Warning,
            message: "Never read.".to_owned(),
            rule_id: "quality/unused-variable".to_owned(),
            suggestion: None,
        };
        assert_eq!(
            quality_block(&[finding], &catalog),
            ["a b.rs:7: [warning] Never read. (rule quality/unused-variable: Unused Variable)"]
        );
        assert_eq!(quality_block(&[], &catalog), ["No issues found."]);
    }
}
