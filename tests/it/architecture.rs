//! Who may know whom, and what is linked.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::process::Command;

use aurumcode as _;
use aurumcode_core::provider::Registry;

use crate::support::project;

const CORE: &str = "aurumcode-core";
const HTTP: &str = "aurumcode-provider-http";
/// What tests alone are built with.
const CONFORMANCE: &str = "aurumcode-provider-conformance";
const PROVIDERS: [&str; 7] = [
    "aurumcode-provider-anthropic",
    "aurumcode-provider-command",
    "aurumcode-provider-fixture",
    HTTP,
    "aurumcode-provider-limite",
    "aurumcode-provider-openai-compatible",
    "aurumcode-provider-retry",
];

/// Returns the names of everything that a package needs to be built into a program.
fn dependencies(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--offline", "--edges=normal"])
        .args(["--prefix=none", "--format={p}", "--package", package])
        .current_dir(project())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_core_is_small() {
    let found = dependencies(CORE);
    assert!(found.contains("serde"), "{found:?}");
    for heavy in [
        "git2",
        "libgit2-sys",
        "reqwest",
        "hyper",
        "clap",
        "tokio",
        "rustls",
    ] {
        assert!(!found.contains(heavy), "{CORE} reaches {heavy}");
    }
}

#[test]
fn everything_points_to_the_core() {
    let ours = |package: &str| -> BTreeSet<String> {
        dependencies(package)
            .into_iter()
            .filter(|name| name.starts_with("aurumcode") && name != package)
            .collect()
    };
    assert_eq!(ours(CORE), BTreeSet::new());
    for provider in PROVIDERS {
        let found = ours(provider);
        assert!(found.contains(CORE), "{provider}: {found:?}");
        for other in found {
            assert!(other == CORE || other == HTTP, "{provider} reaches {other}");
        }
    }
    let of_program = ours("aurumcode");
    assert!(!of_program.contains(CONFORMANCE), "{of_program:?}");
    assert!(
        PROVIDERS
            .iter()
            .all(|provider| of_program.contains(*provider))
    );
}

#[test]
fn every_crate_under_providers_is_watched_here() {
    let mut folders: Vec<String> = fs::read_dir(project().join("providers"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|folder| format!("aurumcode-provider-{folder}"))
        .collect();
    folders.retain(|folder| folder != CONFORMANCE);
    folders.sort();
    assert_eq!(folders, PROVIDERS);
}

/// A crate that nothing names is not linked, and nothing else would say so.
#[test]
fn the_program_links_the_stock_providers() {
    let registry = Registry::linked().unwrap();
    let sources = registry
        .sources()
        .iter()
        .map(|entry| (entry.name, entry.origin.package));
    let layers = registry
        .layers()
        .iter()
        .map(|entry| (entry.name, entry.origin.package));
    assert_eq!(
        sources.chain(layers).collect::<Vec<_>>(),
        [
            ("fixture", "aurumcode-provider-fixture"),
            ("openai-compatible", "aurumcode-provider-openai-compatible"),
            ("command", "aurumcode-provider-command"),
            ("anthropic", "aurumcode-provider-anthropic"),
            ("retry", "aurumcode-provider-retry"),
            ("limite", "aurumcode-provider-limite"),
        ]
    );
}

/// A file that is no module of this program is a test that never runs.
#[test]
fn every_file_here_is_a_module() {
    let main = include_str!("main.rs");
    for entry in fs::read_dir(project().join("tests/it")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.strip_suffix(".rs").unwrap_or(&name);
        // A name that begins with a dot is what the snapshot tool leaves after a failure.
        assert!(
            module == "main"
                || name.starts_with('.')
                || main.contains(&format!("\nmod {module};\n")),
            "tests/it/{name} is no module of tests/it/main.rs"
        );
    }
}
