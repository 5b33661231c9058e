//! The source with real programs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aurumcode_core::provider::{BuildContext, CallNumber, Environment, Note, Prompt};

use super::*;

struct NoWorld;

#[async_trait]
impl Run for NoWorld {
    fn note(&self, _note: Note) {}
    fn random(&self) -> u64 {
        0
    }
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    async fn sleep(&self, _duration: Duration) {}
}

fn source(command: &[&str], more: &[(&str, &str)]) -> Arc<dyn Provider> {
    let command = serde_json::to_string(command).unwrap();
    let variables = [(COMMAND, command.as_str()), ("PATH", "/usr/bin:/bin")];
    let environment = Environment::new(variables.iter().chain(more).copied());
    crate::build(&BuildContext {
        environment: &environment,
        flags: &BTreeMap::new(),
        model: None,
    })
    .unwrap()
}

async fn ask(source: &Arc<dyn Provider>) -> Result<Completion, ProviderError> {
    let request = Request {
        prompt: Prompt {
            instructions: "do".into(),
            material: "this".to_owned(),
        },
        answer_schema: Arc::default(),
        output_cap: None,
        call: CallNumber { number: 1, of: 1 },
    };
    source.complete(&request, &NoWorld).await
}

async fn printed(command: &[&str], more: &[(&str, &str)]) -> String {
    ask(&source(command, more)).await.unwrap().text
}

async fn error(command: &[&str], more: &[(&str, &str)]) -> ProviderError {
    ask(&source(command, more)).await.unwrap_err()
}

/// Waits until a process is gone or dead.
async fn gone(pid: &str) {
    let is_alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    tokio::time::timeout(Duration::from_secs(20), async {
        while is_alive() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("the process is still there");
}

#[tokio::test]
async fn the_prompt_is_read_and_the_answer_is_printed() {
    assert_eq!(printed(&["cat"], &[]).await, "do\nthis");
    // A program that reads nothing may answer too.
    assert_eq!(printed(&["echo", "yes"], &[]).await, "yes\n");
}

#[tokio::test]
async fn no_shell_reads_the_arguments() {
    assert_eq!(
        printed(&["echo", "$HOME", ";", "echo", "`id`"], &[]).await,
        "$HOME ; echo `id`\n"
    );
}

#[tokio::test]
async fn the_directory_is_empty_and_the_environment_is_what_is_named() {
    let seen = [
        ("LLM_API_KEY", "hush"),
        ("OLLAMA_HOST", "here"),
        (PASSED, "OLLAMA_HOST"),
    ];
    assert_eq!(
        printed(&["env"], &seen).await,
        "OLLAMA_HOST=here\nPATH=/usr/bin:/bin\n"
    );
    assert_eq!(
        printed(&["sh", "-c", "ls -A | wc -l"], &[]).await.trim(),
        "0"
    );
}

#[tokio::test]
async fn what_a_program_leaves_behind_is_killed_and_does_not_hold_the_call() {
    let pid = printed(&["sh", "-c", "sleep 1000 & echo $!"], &[]).await;
    gone(pid.trim()).await;
}

#[tokio::test]
async fn a_failure_says_what_the_program_says_last_without_secrets() {
    let secret = ["quiet", "willow"].join("-");
    let script = "i=0; while [ $i -lt 300 ]; do echo word $i >&2; i=$((i+1)); done; \
                  echo the key $MY_TOKEN is refused >&2; exit 7";
    let more = [("MY_TOKEN", secret.as_str()), (PASSED, "MY_TOKEN")];
    let error = error(&["sh", "-c", script], &more).await;
    assert_eq!(error.kind, ErrorKind::Rejected);
    assert!(
        error
            .message
            .starts_with("the program sh ended with exit status 7; it says: …"),
        "{error}"
    );
    assert!(
        error
            .message
            .ends_with("word 299 the key [REDACTED] is refused"),
        "{error}"
    );
    let echoed = printed(&["sh", "-c", "echo $MY_TOKEN"], &more).await;
    assert_eq!(echoed, "[REDACTED]\n");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_matter_of_setup() {
    let error = error(&["no-such-program-of-ours"], &[]).await;
    assert_eq!(
        error,
        ProviderError::new(
            ErrorKind::Setup,
            "the program no-such-program-of-ours cannot be started (No such file or directory (os error 2)): check AURUMCODE_COMMAND, and PATH where it names no directory",
        )
    );
}

#[test]
fn the_identity_is_stated_only_with_a_model() {
    let identity = |command: &[&str], more: &[(&str, &str)]| source(command, more).identity();
    assert!(!identity(&["cat"], &[]).is_stated());
    let model = (crate::settings::MODEL, "m");
    assert!(identity(&["cat"], &[model]).is_stated());
    assert_ne!(
        identity(&["cat", "ab", "c"], &[model]),
        identity(&["cat", "a", "bc"], &[model])
    );
    let passed = |value| {
        let more = [model, ("OLLAMA_HOST", value), (PASSED, "OLLAMA_HOST")];
        identity(&["cat"], &more)
    };
    assert_ne!(passed("one"), passed("other"));
    let key = |value| {
        let more = [model, ("API_KEY", value), (PASSED, "API_KEY")];
        identity(&["cat"], &more)
    };
    assert_eq!(key("one"), key("other"));
}
