//! What a rule looks for in a line: its data as the catalog has it, and its compiled form.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use serde::Deserialize;

use super::statement::Statement;
use crate::change::Language;
use crate::limits;

/// Lines that a rule must find and lines that it must not.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Each of these is found.
    pub positive: Vec<String>,
    /// None of these is found.
    pub negative: Vec<String>,
}

/// Where the match of a pattern may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In code: neither in a comment nor inside a string literal.
    #[default]
    Code,
    /// Anywhere but in a comment.
    Text,
}

/// One expression of a rule. It finds a line of one of the languages when the line holds one of
/// the literals, the expression and every further one match, and no exclusion does. Comments are
/// blanks to all of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The languages by name, or none for every file.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Text of which a line must hold one, in any letter case: the cheap first question.
    pub literals: Vec<String>,
    /// The expression whose match must begin at the right place.
    pub regex: String,
    /// Expressions that must match somewhere in the line too.
    #[serde(default)]
    pub also: Vec<String>,
    /// Expressions that must not match anywhere in the line.
    #[serde(default)]
    pub exclusions: Vec<String>,
    /// Where the match may begin.
    #[serde(default)]
    pub place: Place,
    /// Each of these is found.
    pub positive: Vec<String>,
    /// None of these is found.
    pub negative: Vec<String>,
}

/// How deep fragments may stand in fragments; deeper ones stay as they are and fail to compile.
const FRAGMENT_DEPTH: usize = 4;

impl Pattern {
    /// Puts the fragments where the expressions name them, as in `<<name>>`.
    pub(super) fn insert(&mut self, fragments: &BTreeMap<String, String>) {
        let expressions = std::iter::once(&mut self.regex)
            .chain(&mut self.also)
            .chain(&mut self.exclusions);
        for expression in expressions {
            for _ in 0..FRAGMENT_DEPTH {
                if !expression.contains("<<") {
                    break;
                }
                for (name, text) in fragments {
                    *expression = expression.replace(&format!("<<{name}>>"), text);
                }
            }
        }
    }
}

/// A pattern whose expressions are known to be sound.
pub(super) struct Matcher {
    /// The position of the rule among the applied ones.
    pub(super) rule: usize,
    /// The languages, or none for every file.
    pub(super) languages: Vec<Language>,
    /// As in [`Pattern::literals`].
    pub(super) literals: Vec<String>,
    place: Place,
    regex: Expression,
    also: Vec<Expression>,
    exclusions: Vec<Expression>,
}

/// Why a pattern is broken.
pub(super) enum Broken {
    /// It names this language, which no file can have.
    Language(String),
    /// Something else.
    Other(String),
}

impl Matcher {
    /// Takes the pattern of the rule at this position. Its expressions are checked unless the tests
    /// have done so.
    pub(super) fn new(rule: usize, pattern: &Pattern, tested: bool) -> Result<Self, Broken> {
        if pattern.literals.is_empty() || pattern.literals.iter().any(String::is_empty) {
            return Err(Broken::Other(
                "it needs literals that are not empty".to_owned(),
            ));
        }
        let languages = pattern
            .languages
            .iter()
            .map(|name| Language::named(name).ok_or_else(|| Broken::Language(name.clone())));
        let expression = |source: &String| Expression::new(source, tested);
        let all = |sources: &[String]| {
            sources
                .iter()
                .map(expression)
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            rule,
            languages: languages.collect::<Result<_, _>>()?,
            literals: pattern.literals.clone(),
            place: pattern.place,
            regex: expression(&pattern.regex)?,
            also: all(&pattern.also)?,
            exclusions: all(&pattern.exclusions)?,
        })
    }

    /// Returns whether the pattern finds the statement. The match begins in its first line.
    pub(super) fn finds(&self, statement: &Statement) -> bool {
        let text = statement.text.as_slice();
        let begins_well = |found: regex::bytes::Match<'_>| {
            found.start() <= statement.first
                && match self.place {
                    Place::Code => !statement.spans.in_text(found.start()),
                    Place::Text => true,
                }
        };
        let Some(regex) = self.regex.compiled() else {
            return false;
        };
        let mut places = regex.find_iter(text).take(limits::MATCHES_OF_A_LINE);
        places.any(begins_well)
            && self.also.iter().all(|regex| regex.is_match(text))
            && !self.exclusions.iter().any(|regex| regex.is_match(text))
    }
}

/// An expression over bytes: a line need not be UTF-8, and ASCII classes stay small. It is compiled
/// when a line first needs it: most changes need few, and compiling all takes longer than looking
/// at a change. One that the tests have not compiled is parsed at once, so that it is known when it
/// is broken.
struct Expression {
    source: String,
    /// Nothing inside when it parses and is too large to compile.
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    fn new(source: &str, tested: bool) -> Result<Self, Broken> {
        if !tested {
            ParserBuilder::new()
                .unicode(false)
                .utf8(false)
                .build()
                .parse(source)
                .map_err(|error| Broken::Other(error.to_string()))?;
        }
        Ok(Self {
            source: source.to_owned(),
            compiled: OnceLock::new(),
        })
    }

    fn compiled(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.source).unicode(false).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }

    fn is_match(&self, text: &[u8]) -> bool {
        self.compiled().is_some_and(|regex| regex.is_match(text))
    }
}
