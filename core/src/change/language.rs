//! The language of a file, by its name.

/// A programming, configuration or markup language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(&'static str);

/// File name endings (after the last dot, in lower case) and the language they stand for.
const EXTENSIONS: &[(&str, &str)] = &[
    ("bash", "shell"),
    ("c", "c"),
    ("cc", "cpp"),
    ("cfg", "ini"),
    ("cjs", "javascript"),
    ("clj", "clojure"),
    ("cnf", "ini"),
    ("conf", "ini"),
    ("cpp", "cpp"),
    ("cs", "csharp"),
    ("cshtml", "html"),
    ("css", "css"),
    ("cts", "typescript"),
    ("cxx", "cpp"),
    ("dart", "dart"),
    ("ejs", "html"),
    ("env", "env"),
    ("erb", "html"),
    ("erl", "erlang"),
    ("ex", "elixir"),
    ("exs", "elixir"),
    ("go", "go"),
    ("groovy", "groovy"),
    ("h", "c"),
    ("handlebars", "html"),
    ("hbs", "html"),
    ("hcl", "terraform"),
    ("hpp", "cpp"),
    ("hs", "haskell"),
    ("htm", "html"),
    ("html", "html"),
    ("ini", "ini"),
    ("j2", "html"),
    ("java", "java"),
    ("jinja", "html"),
    ("jinja2", "html"),
    ("js", "javascript"),
    ("json", "json"),
    ("jsp", "html"),
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
    ("rake", "ruby"),
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
    ("twig", "html"),
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

    /// Returns the language of the interpreter that the first line of a file names, if any.
    pub fn of_first_line(line: &[u8]) -> Option<Self> {
        let command = std::str::from_utf8(line.strip_prefix(b"#!")?).ok()?;
        let words = command.split_ascii_whitespace();
        let names = words.map(|word| word.rsplit('/').next().unwrap_or(word));
        // `env` and its options stand before the interpreter.
        let mut names = names.skip_while(|name| *name == "env" || name.starts_with('-'));
        let name = names.next()?;
        let name = name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.');
        Self::named(match name {
            "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" => "shell",
            "python" => "python",
            "node" | "deno" | "bun" => "javascript",
            "ruby" => "ruby",
            "php" => "php",
            "perl" => "perl",
            _ => return None,
        })
    }

    /// Returns the language of this name, such as `python`.
    pub fn named(name: &str) -> Option<Self> {
        let known = EXTENSIONS.iter().map(|(_, language)| *language);
        let mut known = known.chain(["dockerfile", "makefile"]);
        known.find(|known| *known == name).map(Self)
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

    #[test]
    fn the_first_line_decides_where_the_name_does_not() {
        let cases: &[(&[u8], Option<&str>)] = &[
            (b"#!/bin/sh", Some("shell")),
            (b"#!/usr/bin/env python3.11", Some("python")),
            (b"#!/usr/bin/env -S node --flag", Some("javascript")),
            (b"#!/usr/bin/awk -f", None),
            (b"#!", None),
            (b"text", None),
        ];
        for (line, language) in cases {
            assert_eq!(Language::of_first_line(line).map(Language::name), *language);
        }
    }
}
