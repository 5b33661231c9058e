//! The lines of the security pass.

use aurumcode_core::rules::{SecurityFinding, SecurityPass};

/// Returns the section of the security pass: an empty line, its heading, and what it found.
pub(crate) fn security_section(findings: &[SecurityFinding]) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        "Security findings (standards/security-review):".to_owned(),
    ];
    if findings.is_empty() {
        lines.push("No security findings.".to_owned());
    }
    lines.extend(findings.iter().map(line));
    lines
}

/// Returns the line of a finding.
pub(crate) fn line(finding: &SecurityFinding) -> String {
    let SecurityFinding {
        file,
        line,
        rule_id,
        severity,
        title,
        description: _,
        standard: _,
    } = finding;
    let words = words(finding);
    format!("{file}:{line}: [{severity}] {words} (rule {rule_id}: {title})")
}

/// Returns what was found, and which part of the standard is about it.
pub(crate) fn words(finding: &SecurityFinding) -> String {
    let SecurityFinding {
        description,
        standard,
        ..
    } = finding;
    format!("{description} [standards/security-review {standard}]")
}

/// Returns the line that says what was looked for.
pub(crate) fn security_applied(pass: &SecurityPass) -> String {
    format!(
        "security pass applied {} of {} security rules ({}); 'aurumcode rules' prints the whole \
         catalog",
        pass.applied().len(),
        pass.known(),
        pass.applied().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use aurumcode_core::finding::Severity;

    use super::*;

    #[test]
    fn the_section_names_the_place_the_standard_and_the_rule() {
        let finding = SecurityFinding {
            file: "a.py".to_owned(),
            line: 3,
            rule_id: "security/sql-injection".to_owned(),
            severity: Severity::Error,
            title: "SQL Injection Vulnerability".to_owned(),
            description: "Potential SQL injection vulnerability detected".to_owned(),
            standard: "SCR-001".to_owned(),
        };
        assert_eq!(
            security_section(&[finding]),
            [
                "",
                "Security findings (standards/security-review):",
                "a.py:3: [error] Potential SQL injection vulnerability detected \
                 [standards/security-review SCR-001] \
                 (rule security/sql-injection: SQL Injection Vulnerability)",
            ]
        );
        assert_eq!(
            security_section(&[]),
            [
                "",
                "Security findings (standards/security-review):",
                "No security findings."
            ]
        );
    }
}
