//! What the variables of a run say about the program.

use std::ffi::OsString;
use std::time::Duration;

use aurumcode_core::provider::{
    BuildContext, Environment, Limits, ModelId, Unready, Variable, token_limits,
};
use aurumcode_core::text;

/// The variable that holds the program and its arguments.
pub(crate) const COMMAND: &str = "AURUMCODE_COMMAND";

/// The variable that names the model.
pub(crate) const MODEL: &str = "AURUMCODE_COMMAND_MODEL";

/// The variable that names what the program sees of the environment.
pub(crate) const PASSED: &str = "AURUMCODE_COMMAND_ENV";

/// The variable that limits the time.
pub(crate) const TIMEOUT: &str = "AURUMCODE_COMMAND_TIMEOUT";

/// What the program sees without being named: where programs are, and where the user's own settings
/// of the program are.
const ALWAYS_PASSED: [&str; 2] = ["HOME", "PATH"];

/// What stands for the model in the arguments.
const PLACEHOLDER: &str = "{model}";

/// How long a call may take unless the user says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);

/// The variables of its own.
pub(crate) const OWN: [Variable; 4] = [
    Variable {
        name: COMMAND,
        help: "a program that reads the prompt and prints the answer, with its arguments in quotes as in a shell or as a JSON array; {model} stands for the model; no shell runs it",
        secret: false,
    },
    Variable {
        name: MODEL,
        help: "the model that the program asks; without a name nothing is cached",
        secret: false,
    },
    Variable {
        name: PASSED,
        help: "the names of the variables that the program sees besides HOME and PATH, with commas between them",
        secret: false,
    },
    Variable {
        name: TIMEOUT,
        help: "how long one call of the program may take, in seconds (300)",
        secret: false,
    },
];

/// What the variables say.
pub(crate) struct Settings {
    /// The program and its arguments, the model in its place.
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// Which model answers, where the user says so.
    pub(crate) model: Option<ModelId>,
    /// What the program sees, in the order of the names.
    pub(crate) passed: Vec<(String, OsString)>,
    pub(crate) timeout: Duration,
    pub(crate) limits: Limits,
}

/// Neither arguments nor values: they may hold secrets.
impl std::fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("program", &self.program)
            .field("model", &self.model)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Settings {
    pub(crate) fn read(context: &BuildContext<'_>) -> Result<Self, Unready> {
        let environment = context.environment;
        let Some(command) = environment.trimmed(COMMAND) else {
            return Err(Unready::NotMine(format!(
                "set {COMMAND}=<program with its arguments>"
            )));
        };
        let stated = environment.trimmed(MODEL).map(ModelId::new);
        let words = words(&command)?;
        let has_place = words.iter().any(|word| word.contains(PLACEHOLDER));
        let model = match (context.model, stated) {
            (Some(asked), stated) => {
                if !has_place && stated.as_ref() != Some(asked) {
                    return Err(Unready::broken(format!(
                        "{COMMAND} cannot be told to ask the model {}: write {PLACEHOLDER} where the name belongs, or name the model that it asks with {MODEL}",
                        text::quoted(asked.as_str())
                    )));
                }
                Some(asked.clone())
            }
            (None, stated) => stated,
        };
        if has_place && model.is_none() {
            return Err(Unready::broken(format!(
                "{COMMAND} has a place for a model and none is named: set {MODEL} or give --modelo command:<model>"
            )));
        }
        let mut words = words.into_iter().map(|word| match &model {
            Some(model) => word.replace(PLACEHOLDER, model.as_str()),
            None => word,
        });
        let program = words.next().unwrap_or_default();
        if program.is_empty() {
            return Err(Unready::broken(format!("{COMMAND} names no program")));
        }
        if program.contains('/') && !program.starts_with('/') {
            return Err(Unready::broken(format!(
                "{COMMAND} names a program relative to a directory, and it runs in an empty one: give its whole path, or put it on PATH"
            )));
        }
        Ok(Self {
            program,
            arguments: words.collect(),
            model,
            passed: passed(environment),
            timeout: environment.seconds(TIMEOUT)?.unwrap_or(DEFAULT_TIMEOUT),
            limits: Limits {
                // A program takes no cap, so none is promised.
                output_tokens: None,
                ..token_limits(environment)?
            },
        })
    }
}

/// Splits a command. The value is not quoted in errors: it may hold a key.
fn words(command: &str) -> Result<Vec<String>, Unready> {
    if command.starts_with('[') {
        return serde_json::from_str(command).map_err(|_| {
            Unready::broken(format!(
                "{COMMAND} begins with [ and is no JSON array of strings"
            ))
        });
    }
    shlex::split(command)
        .ok_or_else(|| Unready::broken(format!("{COMMAND} has a quote that does not end")))
}

/// Returns what the program sees of the environment.
fn passed(environment: &Environment) -> Vec<(String, OsString)> {
    let given = environment.trimmed(PASSED).unwrap_or_default();
    let mut names: Vec<&str> = given
        .split([',', ' ', '\n'])
        .filter(|name| !name.is_empty())
        .chain(ALWAYS_PASSED)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), environment.raw(name)?.to_owned())))
        .collect()
}

/// Returns whether a variable that the program sees is there without being named.
pub(crate) fn is_always_passed(name: &str) -> bool {
    ALWAYS_PASSED.contains(&name)
}

/// Returns whether a variable's name says that its value is a secret.
pub(crate) fn names_a_secret(name: &str) -> bool {
    const WORDS: [&str; 6] = ["AUTH", "CREDENTIAL", "KEY", "PASSWORD", "SECRET", "TOKEN"];
    let name = name.to_uppercase();
    WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn read(variables: &[(&str, &str)], model: Option<&str>) -> Result<Settings, String> {
        let environment = Environment::new(variables.iter().copied());
        let outcome = Settings::read(&BuildContext {
            environment: &environment,
            flags: &BTreeMap::new(),
            model: model.map(ModelId::new).as_ref(),
        });
        outcome.map_err(|unready| match unready {
            Unready::NotMine(text) => text,
            Unready::Broken(error) => error.message,
            Unready::Setup(error) => error.to_string(),
        })
    }

    fn command(command: &str) -> Result<Vec<String>, String> {
        read(&[(COMMAND, command)], None).map(|settings| {
            let mut words = vec![settings.program];
            words.extend(settings.arguments);
            words
        })
    }

    #[test]
    fn a_command_is_words_in_quotes_or_a_json_array_and_no_shell_reads_it() {
        assert_eq!(command("ollama run x").unwrap(), ["ollama", "run", "x"]);
        assert_eq!(
            command("llm -s 'two words' $HOME ;").unwrap(),
            ["llm", "-s", "two words", "$HOME", ";"]
        );
        assert_eq!(
            command(r#"["a b", "", "it's"]"#).unwrap(),
            ["a b", "", "it's"]
        );
        assert_eq!(
            command("llm 'hush").unwrap_err(),
            "AURUMCODE_COMMAND has a quote that does not end"
        );
        for wrong in ["[1]", "[\"a\"", "['a']"] {
            assert_eq!(
                command(wrong).unwrap_err(),
                "AURUMCODE_COMMAND begins with [ and is no JSON array of strings"
            );
        }
        for empty in ["''", "[]", "[\"\"]"] {
            assert_eq!(
                command(empty).unwrap_err(),
                "AURUMCODE_COMMAND names no program"
            );
        }
    }

    #[test]
    fn a_program_is_on_the_path_or_named_by_its_whole_path() {
        assert_eq!(command("/bin/cat").unwrap(), ["/bin/cat"]);
        assert_eq!(
            command("./cat").unwrap_err(),
            "AURUMCODE_COMMAND names a program relative to a directory, and it runs in an empty one: give its whole path, or put it on PATH"
        );
    }

    #[test]
    fn the_model_goes_into_its_place_and_cannot_be_ignored() {
        let with_place = [(COMMAND, "ollama run {model}"), (MODEL, "a")];
        assert_eq!(read(&with_place, None).unwrap().arguments, ["run", "a"]);
        assert_eq!(
            read(&with_place, Some("b")).unwrap().arguments,
            ["run", "b"]
        );
        let without = [(COMMAND, "claude -p"), (MODEL, "a")];
        assert_eq!(
            read(&without, Some("a")).unwrap().model,
            Some(ModelId::new("a"))
        );
        assert_eq!(
            read(&without, Some("b")).unwrap_err(),
            "AURUMCODE_COMMAND cannot be told to ask the model \"b\": write {model} where the name belongs, or name the model that it asks with AURUMCODE_COMMAND_MODEL"
        );
        assert_eq!(
            read(&[(COMMAND, "x {model}")], None).unwrap_err(),
            "AURUMCODE_COMMAND has a place for a model and none is named: set AURUMCODE_COMMAND_MODEL or give --modelo command:<model>"
        );
    }

    #[test]
    fn a_program_sees_what_is_named_and_nothing_else() {
        let settings = read(
            &[
                (COMMAND, "x"),
                (PASSED, "B, A,MISSING,,PATH"),
                ("A", "1"),
                ("B", "2"),
                ("HIDDEN", "3"),
                ("PATH", "/bin"),
            ],
            None,
        );
        let names: Vec<_> = settings
            .unwrap()
            .passed
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["A", "B", "PATH"]);
    }

    #[test]
    fn a_time_limit_is_a_number_of_seconds() {
        let timeout = |value| read(&[(COMMAND, "x"), (TIMEOUT, value)], None);
        assert_eq!(timeout("0.5").unwrap().timeout, Duration::from_millis(500));
        assert_eq!(
            timeout("soon").unwrap_err(),
            "AURUMCODE_COMMAND_TIMEOUT must be a number of seconds above 0 and at most 86400 (got \"soon\")"
        );
    }
}
