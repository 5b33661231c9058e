//! The security pass: some rules of the catalog, applied to the added lines of a change without a
//! model.

use std::collections::{BTreeMap, VecDeque};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::pattern::{Broken, Matcher};
use super::statement::Statement;
use super::syntax::{Reader, Spans, Syntax};
use super::{Catalog, CatalogError, Rule};
use crate::change::{Change, FileChange, Hunk, Language, Line, LineKind};
use crate::finding::Severity;
use crate::{limits, redact};

/// One finding of the security pass. It names the place and never the text that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecurityFinding {
    /// The file, as it is printed.
    pub file: String,
    /// The line in the new file, from 1.
    pub line: u32,
    /// The rule's id.
    pub rule_id: String,
    /// The rule's severity.
    pub severity: Severity,
    /// The rule's title.
    pub title: String,
    /// What was found, in the rule's words.
    pub description: String,
    /// The part of the security review standard, such as `SCR-001`.
    pub standard: String,
}

/// The rules that have matchers.
pub struct SecurityPass {
    rules: Vec<Applied>,
    applied: Vec<String>,
    known: usize,
    matchers: Vec<Matcher>,
    /// The rule that applies the redaction's shapes of secrets.
    secrets: Option<usize>,
    /// What to ask a line first, by language, made when the language first occurs.
    screens: BTreeMap<Option<Language>, OnceLock<Screen>>,
}

/// What a finding of a rule says.
struct Applied {
    id: String,
    title: String,
    severity: Severity,
    description: String,
    standard: String,
}

impl SecurityPass {
    /// Checks the matchers of the catalog's security rules. Each is compiled when it is first needed.
    pub fn new(catalog: &Catalog) -> Result<Self, CatalogError> {
        let security = || catalog.rules().iter().filter(|rule| rule.is_security());
        let (mut rules, mut matchers, mut secrets) = (Vec::new(), Vec::new(), None);
        for rule in security().filter(|rule| rule.has_matcher()) {
            if rule.secrets.is_some() {
                secrets = Some(rules.len());
            }
            for pattern in &rule.patterns {
                let matcher = Matcher::new(rules.len(), pattern);
                matchers.push(matcher.map_err(|broken| named(rule, broken))?);
            }
            rules.push(Applied::new(rule)?);
        }
        let languages = matchers.iter().flat_map(|matcher| &matcher.languages);
        let languages = languages.copied().map(Some).chain([None]);
        Ok(Self {
            applied: rules.iter().map(|rule| rule.id.clone()).collect(),
            known: security().count(),
            screens: languages
                .map(|language| (language, OnceLock::new()))
                .collect(),
            rules,
            matchers,
            secrets,
        })
    }

    /// Returns the ids of the rules that have matchers, sorted.
    pub fn applied(&self) -> &[String] {
        &self.applied
    }

    /// Returns how many security rules the catalog has.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Applies the rules to the added lines. The findings are sorted by file, line and rule; there
    /// is at most one for a rule and line.
    pub fn run(&self, change: &Change) -> Vec<SecurityFinding> {
        let mut findings = Vec::new();
        for file in &change.files {
            let language = language(file);
            let scan = Scan {
                pass: self,
                screen: self.screen(language),
                syntax: Syntax::of(language),
                language,
            };
            let file_name = file.path.display();
            for hunk in &file.hunks {
                scan.hunk(hunk, &mut |line, rule| {
                    findings.extend(self.finding(&file_name, line, rule));
                });
            }
        }
        findings.sort();
        findings.dedup();
        findings
    }

    /// Returns the screen of a language; one that no pattern names shares that of no language.
    fn screen(&self, language: Option<Language>) -> Option<&Screen> {
        let known = self.screens.get_key_value(&language);
        let (language, screen) = known.or_else(|| self.screens.get_key_value(&None))?;
        Some(screen.get_or_init(|| Screen::new(&self.matchers, *language)))
    }

    fn finding(&self, file: &str, line: u32, rule: usize) -> Option<SecurityFinding> {
        let rule = self.rules.get(rule)?;
        Some(SecurityFinding {
            file: file.to_owned(),
            line,
            rule_id: rule.id.clone(),
            severity: rule.severity,
            title: rule.title.clone(),
            description: rule.description.clone(),
            standard: rule.standard.clone(),
        })
    }
}

/// Says nothing but which rules it applies.
impl std::fmt::Debug for SecurityPass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SecurityPass")
            .field("applied", &self.applied)
            .finish_non_exhaustive()
    }
}

impl Applied {
    fn new(rule: &Rule) -> Result<Self, CatalogError> {
        let part = |text: &Option<String>, field| {
            text.clone().ok_or_else(|| CatalogError::Incomplete {
                rule: rule.id.clone(),
                field,
            })
        };
        Ok(Self {
            id: rule.id.clone(),
            title: rule.title.clone(),
            severity: rule.severity,
            description: part(&rule.detected, "detected")?,
            standard: part(&rule.standard, "standard")?,
        })
    }
}

fn named(rule: &Rule, broken: Broken) -> CatalogError {
    let rule = rule.id.clone();
    match broken {
        Broken::Language(language) => CatalogError::UnknownLanguage { rule, language },
        Broken::Other(cause) => CatalogError::Pattern { rule, cause },
    }
}

/// Returns the language by the file's name, or else by the interpreter that its first line names.
fn language(file: &FileChange) -> Option<Language> {
    file.language().or_else(|| {
        let first = file.lines().find(|line| line.new_number == Some(1))?;
        Language::of_first_line(first.content)
    })
}

/// The literals of the patterns for one language, searched for all at once.
struct Screen {
    /// Nothing when it could not be built; then every pattern is asked.
    automaton: Option<AhoCorasick>,
    /// The matchers that need each literal.
    matchers: Vec<Vec<usize>>,
    /// All matchers for the language.
    all: Vec<usize>,
}

impl Screen {
    fn new(matchers: &[Matcher], language: Option<Language>) -> Self {
        let applies = |matcher: &Matcher| {
            matcher.languages.is_empty()
                || language.is_some_and(|language| matcher.languages.contains(&language))
        };
        let mut by_literal: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut all = Vec::new();
        for (index, matcher) in matchers.iter().enumerate() {
            if applies(matcher) {
                all.push(index);
                for literal in &matcher.literals {
                    let literal = literal.to_ascii_lowercase();
                    by_literal.entry(literal).or_default().push(index);
                }
            }
        }
        Self {
            automaton: AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .kind(Some(aho_corasick::AhoCorasickKind::DFA))
                .build(by_literal.keys())
                .ok(),
            matchers: by_literal.into_values().collect(),
            all,
        }
    }

    /// Puts the matchers that could find the line into `candidates`, sorted.
    fn candidates(&self, line: &[u8], candidates: &mut Vec<usize>) {
        candidates.clear();
        let Some(automaton) = &self.automaton else {
            candidates.extend(&self.all);
            return;
        };
        for found in automaton.find_overlapping_iter(line) {
            let matchers = self.matchers.get(found.pattern().as_usize());
            candidates.extend(matchers.into_iter().flatten());
        }
        candidates.sort_unstable();
        candidates.dedup();
    }
}

/// The pass over one file.
struct Scan<'a> {
    pass: &'a SecurityPass,
    screen: Option<&'a Screen>,
    syntax: &'static Syntax,
    language: Option<Language>,
}

impl Scan<'_> {
    /// Reports each added line and rule that finds it.
    ///
    /// Comments and strings are read only up to a line that a literal stands in: most hunks have
    /// none, and their lines are looked at once.
    fn hunk(&self, hunk: &Hunk, report: &mut dyn FnMut(u32, usize)) {
        let Some(screen) = self.screen else { return };
        let mut candidates = Vec::new();
        let mut rest = None;
        for line in hunk.lines().filter(|line| line.kind == LineKind::Added) {
            let Some(number) = line.new_number else {
                continue;
            };
            let content = line.content;
            if let Some(rule) = self.pass.secrets
                && self.has_secret(content)
            {
                report(number, rule);
            }
            let content = content
                .get(..limits::SCREENED_LINE_BYTES)
                .unwrap_or(content);
            screen.candidates(content, &mut candidates);
            if !candidates.is_empty() {
                let rest = rest.get_or_insert_with(|| Rest::new(hunk, self.syntax));
                self.line(number, content, &candidates, rest, report);
            }
        }
    }

    /// Returns whether a secret stands in the line; one in a comment is a secret as well.
    fn has_secret(&self, line: &[u8]) -> bool {
        let line = String::from_utf8_lossy(line);
        !redact::secrets_in_line(&line, self.language).is_empty()
    }

    /// Asks the candidates for one line; those that do not find the line alone are asked for the
    /// statement that begins in it.
    fn line(
        &self,
        number: u32,
        content: &[u8],
        candidates: &[usize],
        rest: &mut Rest<'_>,
        report: &mut dyn FnMut(u32, usize),
    ) {
        let Some(spans) = rest.read_to(number) else {
            return;
        };
        let mut statement = Statement::new(content, spans);
        let matchers = || {
            candidates
                .iter()
                .filter_map(|at| self.pass.matchers.get(*at))
        };
        let mut found: Vec<usize> = Vec::new();
        loop {
            for matcher in matchers() {
                let rule = matcher.rule;
                if found.contains(&rule) || rest.is_covered(number, rule) {
                    continue;
                }
                if matcher.finds(&statement) {
                    found.push(rule);
                    report(number, rule);
                    rest.cover(number, statement.more, rule);
                }
            }
            let is_whole = statement.more > 0 || !statement.extend(rest.reader, &rest.lines);
            if is_whole {
                return;
            }
        }
    }
}

/// The lines of a hunk's new side that were not read yet.
struct Rest<'a> {
    lines: VecDeque<Line<'a>>,
    reader: Reader,
    /// The last line of a statement that the rule has found, by rule.
    covered: BTreeMap<usize, u32>,
}

impl<'a> Rest<'a> {
    fn new(hunk: &'a Hunk, syntax: &'static Syntax) -> Self {
        let lines = hunk.lines().filter(|line| line.kind != LineKind::Removed);
        Self {
            lines: lines.collect(),
            reader: Reader::new(syntax),
            covered: BTreeMap::new(),
        }
    }

    /// Reads up to the line of this number and returns what it consists of.
    fn read_to(&mut self, number: u32) -> Option<Spans> {
        loop {
            let line = self.lines.pop_front()?;
            let spans = self.reader.line(line.content);
            if line.new_number == Some(number) {
                return Some(spans);
            }
        }
    }

    fn is_covered(&self, number: u32, rule: usize) -> bool {
        self.covered.get(&rule).is_some_and(|last| number <= *last)
    }

    /// Remembers that the statement from this line on is found, so that its other lines are not.
    fn cover(&mut self, number: u32, more: usize, rule: usize) {
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        self.covered.insert(rule, number.saturating_add(more));
    }
}
