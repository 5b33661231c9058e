//! The language of a file, by its name.

/// A programming, configuration or markup language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(&'static str);

/// File name endings (after the last dot, in lower case) and the language they stand for.
const EXTENSIONS: &[(&str, &str)] = &[
    ("bash", "shell"),
    ("c", "c"),
    ("cc", "cpp"),
    ("cjs", "javascript"),
    ("clj", "clojure"),
    ("cpp", "cpp"),
    ("cs", "csharp"),
    ("css", "css"),
    ("cts", "typescript"),
    ("cxx", "cpp"),
    ("dart", "dart"),
    ("env", "env"),
    ("erb", "html"),
    ("erl", "erlang"),
    ("ex", "elixir"),
    ("exs", "elixir"),
    ("go", "go"),
    ("groovy", "groovy"),
    ("h", "c"),
    ("hcl", "terraform"),
    ("hpp", "cpp"),
    ("hs", "haskell"),
    ("htm", "html"),
    ("html", "html"),
    ("ini", "ini"),
    ("java", "java"),
    ("js", "javascript"),
    ("json", "json"),
    ("jsx", "javascript"),
    ("kt", "kotlin"),
    ("kts", "kotlin"),
    ("lua", "lua"),
    ("m", "objective-c"),
    ("md", "markdown"),
    ("mjs", "javascript"),
    ("mts", "typescript"),
    ("php", "php"),
    ("phtml", "php"),
    ("pl", "perl"),
    ("pm", "perl"),
    ("properties", "ini"),
    ("ps1", "powershell"),
    ("py", "python"),
    ("pyi", "python"),
    ("r", "r"),
    ("rb", "ruby"),
    ("rs", "rust"),
    ("scala", "scala"),
    ("scss", "css"),
    ("sh", "shell"),
    ("sql", "sql"),
    ("svelte", "javascript"),
    ("swift", "swift"),
    ("tf", "terraform"),
    ("tfvars", "terraform"),
    ("toml", "toml"),
    ("ts", "typescript"),
    ("tsx", "typescript"),
    ("txt", "text"),
    ("vue", "javascript"),
    ("xml", "xml"),
    ("yaml", "yaml"),
    ("yml", "yaml"),
    ("zig", "zig"),
    ("zsh", "shell"),
];

impl Language {
    /// Returns the language that the last part of `path` suggests, if any.
    pub fn of_path(path: &[u8]) -> Option<Self> {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
        if name.starts_with("dockerfile") || name.ends_with(".dockerfile") {
            return Some(Self("dockerfile"));
        }
        if name == "makefile" {
            return Some(Self("makefile"));
        }
        if name == ".env" || name.starts_with(".env.") {
            return Some(Self("env"));
        }
        let (_, extension) = name.rsplit_once('.')?;
        let found = EXTENSIONS.iter().find(|(known, _)| *known == extension)?;
        Some(Self(found.1))
    }

    /// Returns the language's name in lower case, such as `python`.
    pub fn name(self) -> &'static str {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides() {
        let cases: &[(&[u8], Option<&str>)] = &[
            (b"src/main.rs", Some("rust")),
            (b"A/B.PY", Some("python")),
            (b"deploy/Dockerfile.prod", Some("dockerfile")),
            (b".env.local", Some("env")),
            (b"dir.rs/README", None),
            (b"\xff.rs", None),
            (b"", None),
        ];
        for (path, language) in cases {
            assert_eq!(Language::of_path(path).map(Language::name), *language);
        }
    }
}
