//! The source holds to what every source has to hold to, with a model that is named and without.

// Always true here; it tells clippy that helper functions are test code too.
#![cfg(test)]

use std::path::PathBuf;
use std::time::Duration;

use aurumcode_core::async_trait;
use aurumcode_core::provider::{ErrorKind, Finish};
use aurumcode_provider_command as _;
use aurumcode_provider_conformance::{
    Backend, Script, Setting, Settings, SourceUnderTest, Stage, check_source,
};
use tempfile::TempDir;

struct Command {
    model: Option<&'static str>,
}

#[async_trait]
impl SourceUnderTest for Command {
    fn name(&self) -> &'static str {
        "command"
    }

    /// A program plays. It has one way to refuse, and whatever it prints is the answer.
    async fn stage(&self, script: &Script) -> Option<Stage> {
        let directory = TempDir::new().unwrap();
        let at = directory.path().display();
        // Other processes of the call are as much to be gone as the program itself.
        let play = match script {
            Script::Answer(answer) if answer.finish == Finish::Stop => {
                std::fs::write(directory.path().join("answer"), &answer.text).unwrap();
                format!("sleep 1000 & echo $! >>{at}/pids; cat {at}/answer")
            }
            Script::Fail(failure) => {
                std::fs::write(directory.path().join("words"), &failure.words).unwrap();
                match failure.kind {
                    ErrorKind::Rejected => format!("cat {at}/words >&2; exit 1"),
                    ErrorKind::Timeout => "exec sleep 1000".to_owned(),
                    ErrorKind::Transport => "kill -9 $$".to_owned(),
                    _ => return None,
                }
            }
            Script::Empty => String::new(),
            Script::Endless => "yes".to_owned(),
            Script::EndlessFailure => "yes >&2".to_owned(),
            Script::Silent => format!("sleep 1000 & echo $! >>{at}/pids; wait"),
            Script::Answer(_) | Script::Cut | Script::Foreign => return None,
        };
        let program = format!(
            "echo $$ >>{at}/pids; cat >{at}/prompt; cat {at}/prompt >>{at}/received; \
             echo >>{at}/received; {play}"
        );
        std::fs::write(directory.path().join("program"), program).unwrap();
        let mut command = vec![format!("/bin/sh"), format!("{at}/program")];
        let mut settings = Settings::new();
        if let Some(model) = self.model {
            command.push("{model}".to_owned());
            settings = settings.variable("AURUMCODE_COMMAND_MODEL", model);
        }
        let in_time = match script {
            Script::Fail(failure) if failure.kind == ErrorKind::Timeout => "0.5",
            Script::EndlessFailure => "1",
            _ => "60",
        };
        Some(Stage {
            settings: settings
                .variable(
                    "AURUMCODE_COMMAND",
                    serde_json::to_string(&command).unwrap(),
                )
                .variable("AURUMCODE_COMMAND_TIMEOUT", in_time),
            backend: Box::new(Program { directory }),
        })
    }

    fn sends_output_cap(&self) -> bool {
        false
    }

    fn changes(&self) -> Vec<Setting> {
        vec![
            Setting::variable("AURUMCODE_COMMAND", "other {model}"),
            Setting::variable("AURUMCODE_COMMAND", "other with {model}"),
            Setting::variable("AURUMCODE_COMMAND_MODEL", "another"),
            Setting::variable("AURUMCODE_COMMAND_ENV", "AURUMCODE_COMMAND_TIMEOUT"),
            Setting::model("third"),
        ]
    }

    fn keeps(&self) -> Vec<Setting> {
        vec![Setting::variable("AURUMCODE_COMMAND_TIMEOUT", "9")]
    }
}

/// What the program left in its directory.
struct Program {
    directory: TempDir,
}

impl Program {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The first process is the source's own child, which it also has to take out of the system's
    /// table; what that one started is dead when it has become somebody else's to take out.
    fn is_alive(&self) -> bool {
        let pids = std::fs::read_to_string(self.path("pids")).unwrap_or_default();
        pids.lines().enumerate().any(|(index, pid)| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            stat.is_ok_and(|stat| index == 0 || !stat.contains(") Z "))
        })
    }
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[async_trait]
impl Backend for Program {
    fn received(&self) -> Vec<String> {
        std::fs::read_to_string(self.path("received"))
            .into_iter()
            .collect()
    }

    async fn arrived(&self) {
        until(|| self.path("received").exists()).await;
    }

    async fn idle(&self) {
        until(|| !self.is_alive()).await;
    }

    fn taken(&self) -> u64 {
        0
    }
}

#[test]
fn it_conforms_with_a_model() {
    check_source(&Command {
        model: Some("of-the-test"),
    });
}

#[test]
fn it_conforms_without_a_model() {
    check_source(&Command { model: None });
}
