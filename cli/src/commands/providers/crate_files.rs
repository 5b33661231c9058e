//! The files of a new provider's crate, made from templates that are code themselves.
//!
//! A template is a whole crate by the name of `newcomer`. Only that name is replaced, so what is
//! read there is what somebody gets.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The folders of the crates that a new one is built on.
const CORE: &str = "core";
const CLI: &str = "cli";
const CONFORMANCE: &str = "providers/conformance";
const HTTP: &str = "providers/http";

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something that answers.
    Source,
    /// Something around whatever answers.
    Layer,
}

/// Where the crates of aurumcode come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// A directory with all of them.
    Checkout(PathBuf),
    /// A repository with all of them.
    Git(String),
}

impl Origin {
    /// Takes a repository's address as git does, which cargo does only when it is a URL.
    pub(super) fn git(address: &str) -> Option<Self> {
        if address.contains("://") {
            return Some(Self::Git(address.to_owned()));
        }
        let (host, path) = address.split_once(':')?;
        let is_host = host.contains('@') && !host.contains('/');
        is_host.then(|| Self::Git(format!("ssh://{host}/{}", path.trim_start_matches('/'))))
    }

    /// Takes a directory when it is a checkout.
    pub(super) fn checkout(directory: &Path) -> Option<Self> {
        [CORE, CLI, CONFORMANCE, HTTP]
            .iter()
            .all(|folder| directory.join(folder).join("Cargo.toml").is_file())
            .then(|| Self::Checkout(directory.to_owned()))
    }

    /// Returns the entry of a crate in a manifest.
    fn dependency(&self, folder: &str) -> String {
        match self {
            Self::Checkout(path) => format!(
                "{{ path = {} }}",
                toml_string(&path.join(folder).to_string_lossy())
            ),
            Self::Git(url) => format!("{{ git = {} }}", toml_string(url)),
        }
    }
}

/// Returns a text as TOML writes it.
fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A provider's name in all its forms.
#[derive(Debug)]
pub(super) struct Names {
    /// As users write it.
    name: String,
    /// As a part of an identifier.
    snake: String,
    /// As a part of a variable's name.
    upper: String,
}

impl Names {
    /// Takes a checked name.
    pub(super) fn new(name: &str) -> Self {
        let snake = name.replace('-', "_");
        Self {
            name: name.to_owned(),
            upper: snake.to_uppercase(),
            snake,
        }
    }

    /// Returns whether the crate would have the name of one that it is built on.
    pub(super) fn are_taken(&self) -> bool {
        [CONFORMANCE, HTTP].contains(&format!("providers/{}", self.name).as_str())
    }

    fn put_into(&self, template: &str) -> String {
        template
            .replace("provider_newcomer", &format!("provider_{}", self.snake))
            .replace("NEWCOMER", &self.upper)
            .replace("newcomer", &self.name)
    }
}

/// Returns the files with their paths in the crate, in path order.
pub(super) fn files(kind: Kind, names: &Names, origin: &Origin) -> Vec<(&'static str, String)> {
    let (library, conformance, guide, more) = match kind {
        Kind::Source => (
            include_str!("../../../template/source/lib.rs"),
            include_str!("../../../template/source/conformance.rs"),
            include_str!("../../../template/source/README.md"),
            format!(
                "aurumcode-provider-http = {}\nserde_json = \"1\"\n",
                origin.dependency(HTTP)
            ),
        ),
        Kind::Layer => (
            include_str!("../../../template/layer/lib.rs"),
            include_str!("../../../template/layer/conformance.rs"),
            include_str!("../../../template/layer/README.md"),
            String::new(),
        ),
    };
    let manifest = format!(
        "[package]\n\
         name = \"aurumcode-provider-{name}\"\n\
         version = \"0.1.0\"\n\
         edition = \"2024\"\n\
         rust-version = \"1.95\"\n\
         publish = false\n\
         \n\
         # The program of this crate, named as users will type it.\n\
         [[bin]]\n\
         name = \"aurumcode-{name}\"\n\
         path = \"src/main.rs\"\n\
         \n\
         [dependencies]\n\
         aurumcode = {cli}\n\
         aurumcode-core = {core}\n\
         {more}\n\
         [dev-dependencies]\n\
         aurumcode-provider-conformance = {conformance}\n\
         \n\
         [lints.rust]\n\
         unsafe_code = \"forbid\"\n\
         \n\
         # A workspace of its own, wherever the crate stands.\n\
         [workspace]\n",
        name = names.name,
        cli = origin.dependency(CLI),
        core = origin.dependency(CORE),
        conformance = origin.dependency(CONFORMANCE),
    );
    vec![
        (".gitignore", "/target\n".to_owned()),
        ("Cargo.toml", manifest),
        ("README.md", names.put_into(guide)),
        ("src/lib.rs", names.put_into(library)),
        (
            "src/main.rs",
            names.put_into(include_str!("../../../template/main.rs")),
        ),
        ("tests/conformance.rs", names.put_into(conformance)),
    ]
}
