//! The catalog's own examples, and what the security pass does with a change.

use super::*;
use crate::change::{Change, ChangeKind, FileChange, Hunk, LineKind, RepoPath};

/// Returns a change that adds a file of these lines.
fn added(path: &str, text: &str) -> Change {
    let mut hunk = Hunk::new(0, 1);
    for line in text.split('\n') {
        hunk.push(LineKind::Added, line.as_bytes(), true);
    }
    Change::new(vec![file(path, hunk)], Vec::new())
}

fn file(path: &str, hunk: Hunk) -> FileChange {
    FileChange {
        path: RepoPath::from(path),
        old_path: None,
        kind: ChangeKind::Modified,
        hunks: vec![hunk],
        line_count: None,
    }
}

/// Returns the name of a file in the language.
fn name_in(language: &str) -> &'static str {
    match language {
        "csharp" => "a.cs",
        "dockerfile" => "Dockerfile",
        "env" => ".env",
        "go" => "a.go",
        "html" => "a.html",
        "ini" => "a.conf",
        "java" => "a.java",
        "javascript" => "a.js",
        "json" => "a.json",
        "kotlin" => "a.kt",
        "makefile" => "Makefile",
        "php" => "a.php",
        "python" => "a.py",
        "ruby" => "a.rb",
        "rust" => "a.rs",
        "shell" => "a.sh",
        "sql" => "a.sql",
        "terraform" => "a.tf",
        "toml" => "a.toml",
        "typescript" => "a.ts",
        "yaml" => "a.yaml",
        other => panic!("no file name for {other}"),
    }
}

fn pass() -> SecurityPass {
    SecurityPass::new(&Catalog::embedded().expect("a catalog")).expect("a pass")
}

/// Returns the places that the pass finds, as `line rule`.
fn found(pass: &SecurityPass, change: &Change) -> Vec<String> {
    pass.run(change)
        .iter()
        .map(|finding| format!("{} {}", finding.line, finding.rule_id))
        .collect()
}

/// Lists every example on which the pass does not do what the catalog says.
fn wrong_examples(
    pass: &SecurityPass,
    rule: &str,
    paths: &[&str],
    positive: &[String],
    negative: &[String],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let labelled = positive.iter().map(|text| (text, true));
    for (text, expected) in labelled.chain(negative.iter().map(|text| (text, false))) {
        for path in paths {
            let findings = pass.run(&added(path, &assembled(text)));
            let hits = findings.iter().filter(|finding| finding.rule_id == rule);
            if (hits.count() == 1) != expected {
                wrong.push(format!(
                    "{rule} in {path}, found should be {expected}: {text}"
                ));
            }
        }
    }
    wrong
}

#[test]
fn every_rule_finds_its_positive_examples_and_none_of_its_negative_ones() {
    let catalog = Catalog::embedded().expect("a catalog");
    let pass = pass();
    let mut wrong = Vec::new();
    for rule in catalog.rules() {
        for pattern in &rule.patterns {
            assert!(
                !pattern.positive.is_empty() && !pattern.negative.is_empty(),
                "{pattern:?}"
            );
            let mut paths: Vec<_> = pattern.languages.iter().map(|name| name_in(name)).collect();
            if paths.is_empty() {
                paths.push("a.txt");
            }
            let (positive, negative) = (&pattern.positive, &pattern.negative);
            wrong.extend(wrong_examples(&pass, &rule.id, &paths, positive, negative));
        }
        if let Some(Examples { positive, negative }) = &rule.secrets {
            wrong.extend(wrong_examples(
                &pass,
                &rule.id,
                &["a.txt"],
                positive,
                negative,
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expression_compiles_and_every_fragment_is_known() {
    let catalog = Catalog::embedded().expect("a catalog");
    for rule in catalog.rules() {
        for pattern in &rule.patterns {
            let parts = std::iter::once(&pattern.regex).chain(&pattern.also);
            for part in parts.chain(&pattern.exclusions) {
                assert!(!part.contains("<<"), "an unknown fragment in {part}");
                let mut builder = regex::bytes::RegexBuilder::new(part);
                builder
                    .unicode(false)
                    .build()
                    .expect("an expression that compiles");
            }
        }
    }
}

/// Puts that many characters in place of `{random:<n>}`, so that no example is a credential in the source.
fn assembled(text: &str) -> String {
    const CHARACTERS: &[u8] = b"q7Wz3KpXv9Rt5NbYd2Lm8GhFs4Jc6Ta1";
    let mut assembled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{random:") {
        let (count, after) = after.split_once('}').expect("a closed placeholder");
        let count: usize = count.parse().expect("a number");
        assembled.push_str(before);
        let characters = CHARACTERS.iter().cycle().take(count);
        assembled.extend(characters.map(|byte| char::from(*byte)));
        rest = after;
    }
    assembled + rest
}

#[test]
fn only_added_lines_count_with_their_new_numbers() {
    let bad = b"cursor.execute(f\"SELECT a FROM b WHERE c = '{d}'\")";
    let mut hunk = Hunk::new(10, 20);
    hunk.push(LineKind::Context, bad, true);
    hunk.push(LineKind::Removed, bad, true);
    hunk.push(LineKind::Added, b"x = 1", true);
    hunk.push(LineKind::Added, bad, true);
    let change = Change::new(vec![file("a.py", hunk)], Vec::new());
    assert_eq!(found(&pass(), &change), ["22 security/sql-injection"]);
}

#[test]
fn comments_and_strings_decide_over_lines() {
    let text = "/* a\nexec(`rm ${a}`)\n*/\nconst b = `\nexec(\"rm \" + a)\n`\nexec(`rm ${a}`) // b";
    assert_eq!(
        found(&pass(), &added("a.js", text)),
        ["7 security/command-injection"]
    );
}

#[test]
fn a_finding_says_what_the_catalog_says() {
    let findings = pass().run(&added("src/a.py", "os.system(\"ls \" + name)"));
    let expected = SecurityFinding {
        file: "src/a.py".to_owned(),
        line: 1,
        rule_id: "security/command-injection".to_owned(),
        severity: crate::finding::Severity::Error,
        title: "Command Injection".to_owned(),
        description: "Potential command injection vulnerability".to_owned(),
        standard: "SCR-001".to_owned(),
    };
    assert_eq!(findings, [expected]);
}

#[test]
fn a_script_without_an_ending_is_known_by_its_first_line() {
    let change = added(
        "bin/run",
        "#!/usr/bin/env python3\nos.system(\"ls \" + name)",
    );
    assert_eq!(found(&pass(), &change), ["2 security/command-injection"]);
}

#[test]
fn hostile_lines_do_no_harm() {
    let long = "execute(\"select ".repeat(100_000);
    let bytes: Vec<u8> = (0..=255).filter(|byte| *byte != b'\n').collect();
    let mut hunk = Hunk::new(0, u32::MAX - 1);
    hunk.push(LineKind::Added, long.as_bytes(), true);
    hunk.push(LineKind::Added, &bytes, true);
    hunk.push(LineKind::Added, b"eval \xff\xfe\\", true);
    hunk.push(LineKind::Added, b"\\", true);
    for language in [
        "a.py",
        "a.js",
        "a.rs",
        "a.sh",
        "a.sql",
        "a.html",
        "a",
        "\u{202e}.go",
    ] {
        let change = Change::new(vec![file(language, hunk.clone())], Vec::new());
        assert_eq!(found(&pass(), &change), Vec::<String>::new());
    }
}

#[test]
fn a_statement_over_lines_is_found_where_it_begins_and_once() {
    let text = "cursor.execute(\n    f\"SELECT a FROM b \"\n    f\"WHERE c = '{d}'\"\n)\n\
                subprocess.run(\n    command,\n    shell=True,\n)";
    assert_eq!(
        found(&pass(), &added("a.py", text)),
        ["1 security/sql-injection", "5 security/command-injection"]
    );
    let text = "String q = \"SELECT * \"\n    + \"FROM t WHERE id = \" + id;";
    assert_eq!(
        found(&pass(), &added("A.java", text)),
        ["1 security/sql-injection"]
    );
    let text = "if (exec(\"ls\")) {\n  run(\"a\" + b)\n}";
    assert_eq!(found(&pass(), &added("a.js", text)), Vec::<String>::new());
}

/// Words that sound like a made-up value do not make one: a placeholder is one as a whole.
#[test]
fn a_made_up_token_is_a_secret() {
    let line = |name: &str| assembled(&format!("{name}={{random:28}}"));
    let text = format!(
        "# Tokens.\n\n\n{}\n{}\n{}\nDEMO_TOKEN=<your-token>\nTEST_PASSWORD=changeme",
        line("DEMO_API_TOKEN"),
        line("FAKE_CLIENT_SECRET"),
        line("TEST_ACCESS_KEY"),
    );
    let expected = [4, 5, 6].map(|line| format!("{line} security/hardcoded-secret"));
    assert_eq!(
        found(&pass(), &added("config/demo-tokens.txt", &text)),
        expected
    );
}

mod broken {
    use super::*;

    fn error_of(rule: &str) -> String {
        let text = format!(
            "[[rule]]\nid = \"security/a\"\ntitle = \"A\"\nseverity = \"error\"\ndescription = \"d\"\n{rule}"
        );
        let catalog = match Catalog::parse(&text) {
            Ok(catalog) => catalog,
            Err(error) => return error.to_string(),
        };
        SecurityPass::new(&catalog)
            .expect_err("a broken rule")
            .to_string()
    }

    #[test]
    fn a_broken_rule_says_which_and_why() {
        let pattern = |language: &str, literal: &str, regex: &str| {
            format!(
                "standard = \"S\"\ndetected = \"D\"\n[[rule.pattern]]\nlanguages = [\"{language}\"]\n\
                 literals = [\"{literal}\"]\nregex = '{regex}'\npositive = []\nnegative = []\n"
            )
        };
        assert_eq!(
            error_of(&pattern("klingon", "a", "a")),
            "the rule `security/a` has a pattern for the unknown language `klingon`"
        );
        assert_eq!(
            error_of(&pattern("go", "", "a")),
            "the rule `security/a` has a pattern that cannot be used: it needs literals that are not empty"
        );
        assert!(
            error_of(&pattern("go", "a", "(a")).starts_with(
                "the rule `security/a` has a pattern that cannot be used: regex parse"
            )
        );
        let incomplete = pattern("go", "a", "a").replace("detected = \"D\"\n", "");
        assert_eq!(
            error_of(&incomplete),
            "the rule `security/a` has a matcher and no `detected`"
        );
        assert_eq!(
            error_of("unknown = 1"),
            "the rule catalog is malformed: unknown field `unknown`, expected one of `id`, `title`, \
             `severity`, `description`, `standard`, `detected`, `secrets`, `pattern`"
        );
    }
}

#[test]
fn the_pass_knows_what_it_applies() {
    let pass = pass();
    assert_eq!(pass.known(), 8);
    assert_eq!(
        pass.applied(),
        [
            "security/command-injection",
            "security/hardcoded-secret",
            "security/insecure-random",
            "security/path-traversal",
            "security/sql-injection",
            "security/weak-crypto",
            "security/xss",
        ]
    );
}
