//! The security pass: some rules of the catalog, applied to the added lines of a change without a
//! model.

use std::collections::{BTreeMap, VecDeque};
use std::sync::OnceLock;

use super::pattern::{Broken, Matcher};
use super::statement::Statement;
use super::syntax::{Reader, Spans, Syntax};
use super::{Catalog, CatalogError, Rule};
use crate::change::{Change, FileChange, Hunk, Language, Line, LineKind};
use crate::finding::Severity;
use crate::literals::{Finder, Literal};
use crate::{limits, parallel, redact};

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
    screens: BTreeMap<Language, OnceLock<Screen>>,
    /// The same for files whose language no pattern names.
    other: OnceLock<Screen>,
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
    /// Takes the matchers of the catalog's security rules. Each is compiled when it is first needed.
    pub fn new(catalog: &Catalog) -> Result<Self, CatalogError> {
        let security = || catalog.rules().iter().filter(|rule| rule.is_security());
        let (mut rules, mut matchers, mut secrets) = (Vec::new(), Vec::new(), None);
        for rule in security().filter(|rule| rule.has_matcher()) {
            if rule.secrets.is_some() {
                secrets = Some(rules.len());
            }
            for pattern in &rule.patterns {
                let matcher = Matcher::new(rules.len(), pattern, catalog.is_tested());
                matchers.push(matcher.map_err(|broken| named(rule, broken))?);
            }
            rules.push(Applied::new(rule)?);
        }
        let languages = matchers.iter().flat_map(|matcher| &matcher.languages);
        Ok(Self {
            applied: rules.iter().map(|rule| rule.id.clone()).collect(),
            known: security().count(),
            screens: languages
                .map(|language| (*language, OnceLock::new()))
                .collect(),
            other: OnceLock::new(),
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
        let of_files = parallel::map(&change.files, |file| self.file(file));
        let mut findings: Vec<_> = of_files.into_iter().flatten().collect();
        findings.sort();
        findings.dedup();
        findings
    }

    fn file(&self, file: &FileChange) -> Vec<SecurityFinding> {
        let language = language(file);
        let scan = Scan {
            pass: self,
            screen: self.screen(language),
            syntax: Syntax::of(language),
            language,
        };
        let (file_name, mut findings) = (file.path.display(), Vec::new());
        for hunk in &file.hunks {
            scan.hunk(hunk, &mut |line, rule| {
                findings.extend(self.finding(&file_name, line, rule));
            });
        }
        findings
    }

    /// Returns the screen of a language; those that no pattern names share one.
    fn screen(&self, language: Option<Language>) -> &Screen {
        let named = language.and_then(|language| self.screens.get_key_value(&language));
        let (language, screen) = match named {
            Some((language, screen)) => (Some(*language), screen),
            None => (None, &self.other),
        };
        screen.get_or_init(|| Screen::new(self, language))
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

/// What a literal that stands in a line calls for.
enum Asks {
    /// A look for secrets.
    Secrets,
    /// These matchers.
    Matchers(Vec<usize>),
}

/// The literals of the patterns for one language and those of secrets, looked for all at once.
struct Screen {
    finder: Finder,
    asks: Vec<Asks>,
}

/// What the literals of one line have called for.
#[derive(Default)]
struct Asked {
    secrets: bool,
    matchers: Vec<usize>,
}

impl Screen {
    fn new(pass: &SecurityPass, language: Option<Language>) -> Self {
        let applies = |matcher: &Matcher| {
            matcher.languages.is_empty()
                || language.is_some_and(|language| matcher.languages.contains(&language))
        };
        let mut by_literal: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, matcher) in pass.matchers.iter().enumerate() {
            for literal in matcher.literals.iter().filter(|_| applies(matcher)) {
                by_literal.entry(literal).or_default().push(index);
            }
        }
        let secrets = pass.secrets.map(|_| redact::literals());
        let secrets = secrets.into_iter().flatten();
        let (literals, asks): (Vec<_>, Vec<_>) = secrets
            .map(|literal| (literal, Asks::Secrets))
            .chain(by_literal.into_iter().map(|(text, matchers)| {
                let (text, any_case) = (text.as_bytes(), true);
                (Literal { text, any_case }, Asks::Matchers(matchers))
            }))
            .unzip();
        Self {
            finder: Finder::new(literals),
            asks,
        }
    }

    /// Takes in what the literals call for that stand at a place of the line.
    fn ask(&self, line: &[u8], place: usize, asked: &mut Asked) {
        for literal in self.finder.literals_at(line, place) {
            match self.asks.get(literal) {
                Some(Asks::Secrets) => asked.secrets = true,
                Some(Asks::Matchers(matchers)) if place < limits::SCREENED_LINE_BYTES => {
                    asked.matchers.extend(matchers);
                }
                _ => {}
            }
        }
    }
}

/// The pass over one file.
struct Scan<'a> {
    pass: &'a SecurityPass,
    screen: &'a Screen,
    syntax: &'static Syntax,
    language: Option<Language>,
}

impl Scan<'_> {
    /// Reports each added line and rule that finds it.
    ///
    /// Literals are looked for in all of the hunk at once. Comments and strings are read only up to
    /// a line that one stands in: most hunks have none, and their lines are looked at once.
    fn hunk(&self, hunk: &Hunk, report: &mut dyn FnMut(u32, usize)) {
        let screen = self.screen;
        let mut places = Vec::new();
        let text = hunk.text();
        screen.finder.each_place(text, |place| places.push(place));
        let mut places = places.into_iter().peekable();
        let (mut end, mut rest) = (0, None);
        for line in hunk.lines() {
            let start = end;
            end += line.content.len();
            let mut asked = Asked::default();
            while let Some(place) = places.next_if(|place| *place < end) {
                if line.kind == LineKind::Added {
                    screen.ask(line.content, place - start, &mut asked);
                }
            }
            let Some(number) = line.new_number else {
                continue;
            };
            if let Some(rule) = self.pass.secrets
                && asked.secrets
                && self.has_secret(line.content)
            {
                report(number, rule);
            }
            if !asked.matchers.is_empty() {
                asked.matchers.sort_unstable();
                asked.matchers.dedup();
                let rest = rest.get_or_insert_with(|| Rest::new(hunk, self.syntax));
                let content = line.content.get(..limits::SCREENED_LINE_BYTES);
                let content = content.unwrap_or(line.content);
                self.line(number, content, &asked.matchers, rest, report);
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
