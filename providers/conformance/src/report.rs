//! What was tried and what did not hold. A case says what is expected and why, so that a failure
//! teaches.

use std::fmt::Write as _;

/// The outcome of a suite.
#[derive(Debug)]
pub(crate) struct Report {
    name: &'static str,
    held: Vec<&'static str>,
    not_applicable: Vec<String>,
    failed: Vec<(&'static str, &'static str, String)>,
}

impl Report {
    /// Begins a report about the provider of this name.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            held: Vec::new(),
            not_applicable: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// Takes a case's outcome. `expected` is a whole sentence; an error says what came instead.
    pub(crate) fn case(
        &mut self,
        title: &'static str,
        expected: &'static str,
        outcome: Result<(), String>,
    ) {
        match outcome {
            Ok(()) => self.held.push(title),
            Err(found) => self.failed.push((title, expected, found)),
        }
    }

    /// Notes what the backend cannot play.
    pub(crate) fn cannot_play(&mut self, what: impl Into<String>) {
        self.not_applicable.push(what.into());
    }

    /// Returns whether everything held so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.failed.is_empty()
    }

    /// Ends the test: silently when everything held, otherwise with all that did not.
    #[expect(
        clippy::print_stdout,
        reason = "this is how a test fails, and how it tells what it tried"
    )]
    pub(crate) fn conclude(self) {
        let text = self.text();
        assert!(self.is_clean(), "{text}");
        println!("{text}");
    }

    fn text(&self) -> String {
        let mut text = format!(
            "`{}`: {} case(s) hold, {} do not\n",
            self.name,
            self.held.len(),
            self.failed.len()
        );
        for title in &self.held {
            let _ = writeln!(text, "  holds: {title}");
        }
        for what in &self.not_applicable {
            let _ = writeln!(text, "  not tried, the backend cannot play it: {what}");
        }
        for (title, expected, found) in &self.failed {
            let _ = write!(
                text,
                "\n  DOES NOT HOLD: {title}\n    expected: {expected}\n    found: {found}\n"
            );
        }
        text
    }
}

/// Joins complaints into one outcome.
pub(crate) fn none_of(complaints: impl IntoIterator<Item = String>) -> Result<(), String> {
    let complaints: Vec<String> = complaints.into_iter().collect();
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n           "))
    }
}
