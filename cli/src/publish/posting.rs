//! One finding on its way to a pull request: where it belongs, and the comment that it becomes.

use std::collections::BTreeMap;

use aurumcode_core::change::{Change, FileChange, LineKind};
use aurumcode_core::finding::{Finding, Severity};
use aurumcode_core::redact::Redactor;
use aurumcode_core::rules::{Catalog, SecurityFinding};
use aurumcode_core::text;

use super::marker::{Identity, Marker, Markers};
use super::{safe, suggestion};
use crate::output;

/// The most characters of a line of text in a comment; GitHub takes 65536 in all.
const MOST_CHARACTERS: usize = 32_000;

/// Where an inline comment stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The path as GitHub knows it.
    pub(super) path: String,
    /// The number of the added line.
    pub(super) line: u32,
}

/// A finding that is to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Posting {
    /// How serious it is.
    pub(crate) severity: Severity,
    /// Its line for people.
    pub(crate) line: String,
    /// `<file>:<line>`.
    pub(super) place: String,
    /// The added line that it is about, if it is about one.
    pub(super) anchor: Option<Anchor>,
    /// What an inline comment says.
    pub(super) inline_body: String,
    /// What a general comment says.
    pub(super) general_body: String,
    /// By what the comment is found again.
    pub(super) marker: Marker,
}

impl Posting {
    /// Returns whether it is about an added line.
    pub(crate) fn is_inline(&self) -> bool {
        self.anchor.is_some()
    }
}

/// What both kinds of findings have.
struct Raw<'a> {
    file: &'a str,
    number: u32,
    severity: Severity,
    message: String,
    rule_id: &'a str,
    suggestion: Option<&'a str>,
    line: String,
}

/// Puts all findings together, sorted by file and line.
pub(crate) fn gather(
    change: &Change,
    findings: &[Finding],
    security: &[SecurityFinding],
    catalog: &Catalog,
    redactor: &Redactor,
) -> Vec<Posting> {
    let quality = findings.iter().map(|finding| Raw {
        file: &finding.file,
        number: finding.line,
        severity: finding.severity,
        message: finding.message.clone(),
        rule_id: &finding.rule_id,
        suggestion: finding.suggestion.as_deref(),
        line: output::finding_line(finding, catalog),
    });
    let security = security.iter().map(|finding| Raw {
        file: &finding.file,
        number: finding.line,
        severity: finding.severity,
        message: output::security_words(finding),
        rule_id: &finding.rule_id,
        suggestion: None,
        line: output::security_line(finding),
    });
    let mut raw: Vec<Raw<'_>> = quality.chain(security).collect();
    raw.sort_by_key(|finding| (finding.file.as_bytes(), finding.number));
    let files = Files::new(change);
    let mut markers = Markers::default();
    raw.iter()
        .map(|finding| finding.posting(&files, catalog, redactor, &mut markers))
        .collect()
}

impl Raw<'_> {
    fn posting(
        &self,
        files: &Files<'_>,
        catalog: &Catalog,
        redactor: &Redactor,
        markers: &mut Markers,
    ) -> Posting {
        let found = files.line(self.file, self.number);
        let added = found
            .as_ref()
            .filter(|found| found.is_added)
            .and_then(|found| Some((path_text(found.file)?, found.content)));
        let anchor = added.as_ref().map(|(path, _)| Anchor {
            path: path.clone(),
            line: self.number,
        });
        let marker = markers.next(Identity {
            rule_id: self.rule_id,
            path: self.file,
            anchored: found.map_or(&[], |found| found.content),
            message: &self.message,
        });
        let shown = |words: &str| {
            let words = text::excerpt(&redactor.text(words), MOST_CHARACTERS);
            safe::line(&words)
        };
        let title = catalog
            .get(self.rule_id)
            .map_or("", |rule| rule.title.as_str());
        let inline = format!(
            "[{}] {} (rule {}: {title})",
            self.severity, self.message, self.rule_id
        );
        let body = |first: &str, anchored: Option<&[u8]>| {
            let suggested = self
                .suggestion
                .and_then(|suggested| suggestion::paragraph(&redactor.text(suggested), anchored));
            let marker = marker.written();
            let paragraphs = [Some(shown(first)), suggested, Some(marker)];
            let paragraphs: Vec<String> = paragraphs.into_iter().flatten().collect();
            paragraphs.join("\n\n")
        };
        Posting {
            severity: self.severity,
            place: format!("{}:{}", self.file, self.number),
            inline_body: body(&inline, added.as_ref().map(|(_, content)| *content)),
            general_body: body(&self.line, None),
            line: self.line.clone(),
            anchor,
            marker,
        }
    }
}

/// The files of the change, by the paths that findings name them with.
struct Files<'c>(BTreeMap<String, Vec<&'c FileChange>>);

/// A line that the change shows.
struct Shown<'c> {
    file: &'c FileChange,
    content: &'c [u8],
    is_added: bool,
}

impl<'c> Files<'c> {
    fn new(change: &'c Change) -> Self {
        let mut files: BTreeMap<String, Vec<&FileChange>> = BTreeMap::new();
        for file in &change.files {
            let path = file.path.display().into_owned();
            files.entry(path).or_default().push(file);
        }
        Self(files)
    }

    /// Returns the line of the new side with this number.
    fn line(&self, file: &str, number: u32) -> Option<Shown<'c>> {
        self.0.get(file)?.iter().find_map(|file| {
            let line = file.lines().find(|line| line.new_number == Some(number))?;
            Some(Shown {
                file,
                content: line.content,
                is_added: line.kind == LineKind::Added,
            })
        })
    }
}

/// Returns the path as JSON can hold it.
fn path_text(file: &FileChange) -> Option<String> {
    String::from_utf8(file.path.as_bytes().to_vec()).ok()
}
