//! The words about what was published on a pull request.

use crate::source::github::api::Trouble;

/// A finding that could not be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unpublished {
    /// `<file>:<line>`.
    pub(crate) place: String,
    /// Whether it was to stand on its line.
    pub(crate) inline: bool,
    /// Why it does not.
    pub(crate) cause: Trouble,
}

impl Unpublished {
    /// Returns what is said when it happens.
    pub(crate) fn when_it_happens(&self) -> String {
        let Self {
            place,
            inline,
            cause,
        } = self;
        if *inline {
            format!("publishing inline comment on {place}: {cause}")
        } else {
            format!("publishing general comment for {place}: {cause}")
        }
    }

    /// Returns its line in the list at the end.
    pub(crate) fn in_the_list(&self) -> String {
        let kind = if self.inline { "na linha" } else { "geral" };
        format!("  {} ({kind}): {}", self.place, self.cause)
    }
}

/// Returns the heading of that list.
pub(crate) fn unpublished(count: usize) -> String {
    format!("{count} comentario(s) falharam ao publicar:")
}

/// What stands behind the line of a finding that is now on its line.
pub(crate) const INLINE: &str = " -- publicado na linha";

/// What stands behind the line of a finding that is now below the pull request.
pub(crate) const GENERAL: &str = " -- publicado como comentario geral (fora das linhas alteradas)";

/// What stands behind the line of a finding that an earlier run published.
pub(crate) const KNOWN: &str = " -- ja estava no pull request";

/// Returns the line that counts what this run published.
pub(crate) fn published(number: u64, inline: usize, general: usize) -> String {
    let all = inline + general;
    format!(
        "{all} comentario(s) publicado(s) no pull request #{number} ({inline} na linha, \
         {general} geral)."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_said_twice() {
        let mut failed = Unpublished {
            place: "a.rs:3".to_owned(),
            inline: true,
            cause: Trouble::Refused {
                status: 500,
                words: "oops".to_owned(),
            },
        };
        assert_eq!(
            failed.when_it_happens(),
            "publishing inline comment on a.rs:3: HTTP 500: oops"
        );
        assert_eq!(failed.in_the_list(), "  a.rs:3 (na linha): HTTP 500: oops");
        failed.inline = false;
        assert_eq!(
            failed.when_it_happens(),
            "publishing general comment for a.rs:3: HTTP 500: oops"
        );
        assert_eq!(failed.in_the_list(), "  a.rs:3 (geral): HTTP 500: oops");
    }
}
