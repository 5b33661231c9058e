//! `--fail-on`: the verdict over everything that is printed.

use aurumcode_core::finding::Severity;

use crate::exit::ExitStatus;

/// The verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gate {
    /// The least severity that closes the gate; none leaves it open.
    pub(crate) threshold: Option<Severity>,
}

impl Gate {
    /// Returns the status and, where the gate is closed, why.
    pub(crate) fn verdict(
        self,
        severities: impl Iterator<Item = Severity>,
    ) -> (ExitStatus, Option<String>) {
        let Some(threshold) = self.threshold else {
            return (ExitStatus::Done, None);
        };
        match severities.filter(|severity| *severity >= threshold).count() {
            0 => (ExitStatus::Done, None),
            count => (
                ExitStatus::GateClosed,
                Some(format!(
                    "{count} finding(s) at severity {threshold} or above (--fail-on {threshold})"
                )),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_counts_what_is_at_the_level_or_above() {
        let severities = [Severity::Info, Severity::Error, Severity::Warning];
        let verdict = |threshold| Gate { threshold }.verdict(severities.into_iter());
        assert_eq!(verdict(None), (ExitStatus::Done, None));
        assert_eq!(
            verdict(Some(Severity::Warning)),
            (
                ExitStatus::GateClosed,
                Some("2 finding(s) at severity warning or above (--fail-on warning)".to_owned())
            )
        );
        let gate = Gate {
            threshold: Some(Severity::Error),
        };
        assert_eq!(
            gate.verdict([Severity::Warning].into_iter()),
            (ExitStatus::Done, None)
        );
    }
}
