//! What stays of an answer: a cache that holds no secret, and serves what it holds.

use aurumcode_core::cache::DirectoryStore;
use aurumcode_core::change::{Change, ChangeKind, FileChange, Hunk, LineKind, RepoPath};
use aurumcode_core::provider::{Provider as _, Stack};
use aurumcode_core::redact::Redactor;
use aurumcode_core::review::{CacheUse, Options, Review, Setup, review};
use aurumcode_core::rules::Catalog;
use serde_json::json;

use super::{Subject, plain_answer};
use crate::playing::patiently;
use crate::report::Report;
use crate::world::World;
use crate::{Answer, Script, Settings, secret};

const PATH: &str = "conformance.txt";

pub(super) async fn cases(subject: &Subject<'_>, report: &mut Report) {
    report.case(
        "what is kept holds no secret and is served",
        "the model repeats the key in a finding: no cache file and no finding holds it, because its variable is declared secret; a second review asks nobody when the identity is stated, and asks again, with nothing kept, when it is not",
        kept(subject).await,
    );
}

async fn kept(subject: &Subject<'_>) -> Result<(), String> {
    let text = json!({"issues": [{
        "file": PATH,
        "line": 1,
        "severity": "error",
        "rule_id": "security/hardcoded-secret",
        "message": format!("here stands {}", secret()),
    }]});
    let script = Script::Answer(Answer {
        text: text.to_string(),
        ..plain_answer()
    });
    let stage = subject
        .source
        .stage(&script)
        .await
        .ok_or("the backend cannot play a plain answer")?;
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let first = once(subject, &stage.settings, directory.path()).await?;
    let asked = stage.backend.received();
    let second = once(subject, &stage.settings, directory.path()).await?;
    let asked_again = stage.backend.received() != asked;

    let mut files = 0;
    for entry in std::fs::read_dir(directory.path()).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let content = std::fs::read(&path).map_err(|error| error.to_string())?;
        files += 1;
        if subject.betrays(&stage.settings, &String::from_utf8_lossy(&content)) {
            return Err(format!("{} holds the secret", path.display()));
        }
    }
    if subject.betrays(&stage.settings, &format!("{first:?}")) {
        return Err(format!("a finding holds the secret: {first:?}"));
    }
    if first.findings.is_empty() || first.findings != second.findings {
        return Err(format!(
            "the second review differs from the first: {first:?}, {second:?}"
        ));
    }
    let stated = subject.identity(&stage.settings)?.is_stated();
    match (stated, files, asked_again) {
        (true, 1, false) | (false, 0, true) => Ok(()),
        (true, ..) => Err(format!(
            "the identity is stated; {files} file(s) were kept, and the backend was {}asked again",
            if asked_again { "" } else { "not " }
        )),
        (false, ..) => Err(format!(
            "the identity is not stated; {files} file(s) were kept, and the backend was {}asked again",
            if asked_again { "" } else { "not " }
        )),
    }
}

/// Reviews one file, with the redaction that the program would make from the declared variables.
async fn once(
    subject: &Subject<'_>,
    settings: &Settings,
    cache: &std::path::Path,
) -> Result<Review, String> {
    let secrets = subject
        .declared()
        .variables()
        .filter(|variable| variable.secret)
        .filter_map(|variable| settings.variables.get(variable.name))
        .map(|value| value.to_string_lossy().into_owned());
    let redactor = Redactor::new(secrets);
    let catalog = Catalog::embedded().map_err(|error| error.to_string())?;
    let store = DirectoryStore::open(cache).map_err(|error| error.to_string())?;
    let stack = Stack::new(subject.registration.name, subject.ready(settings)?);
    let setup = Setup {
        stack: &stack,
        catalog: &catalog,
        redactor: &redactor,
        cache: CacheUse::On(&store),
        options: Options {
            concurrent_calls: 1,
        },
        watch: None,
    };
    let review = patiently(review(&change(), &setup, &World::default())).await?;
    if review.is_complete() {
        Ok(review)
    } else {
        Err(format!(
            "a review with {} failed: {review:?}",
            stack.label()
        ))
    }
}

fn change() -> Change {
    let mut hunk = Hunk::new(1, 1);
    hunk.push(LineKind::Added, b"a line", true);
    let file = FileChange {
        path: RepoPath::from(PATH),
        old_path: None,
        kind: ChangeKind::Added,
        hunks: vec![hunk],
        line_count: Some(1),
    };
    Change::new(vec![file], Vec::new())
}
