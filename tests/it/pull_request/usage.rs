//! What is wrong with the flags about a pull request is said in the published words and order.

use insta::assert_snapshot;

use crate::support::World;

fn refused(world: &World, flags: &[&str]) -> String {
    let outcome = world.run(&[&["review"], flags].concat());
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(2), ""),
        "{outcome}"
    );
    outcome.stderr
}

#[test]
fn the_first_failure_decides() {
    let mut said = String::new();
    for flags in [
        &["--pr", "0", "--fail-on", "x"][..],
        &["--pr", "0", "--repo", "o", "--fail-on", "x"],
        &["--pr", "0", "--repo", "o", "--fail-on", "x", "--na-linha"],
        &["--pr", "0", "--repo", "o", "--fail-on", "x", "--check"],
        &[
            "--pr",
            "0",
            "--repo",
            "o",
            "--fail-on",
            "x",
            "--check",
            "--publish",
        ],
        &["--pr", "+7", "--repo", "o/r", "--inline", "--publicar"],
        &["--pr", "", "--repo", "o/r", "--inline", "--publicar"],
        &[
            "--pr",
            "7",
            "--repo",
            "o\"",
            "--fail-on",
            "x",
            "--na-linha",
            "--publicar",
        ],
        &[
            "--pr",
            "7",
            "--repo",
            "o/r",
            "--fail-on",
            "x",
            "--na-linha",
            "--publicar",
        ],
        &["--publicar", "--na-linha"],
        &["--publicar", "--base", "x"],
    ] {
        said += &refused(&World::new(), flags);
    }
    assert_snapshot!(said, @r#"
    aurumcode review: --repo is required with --pr
    aurumcode review: --na-linha is required with --pr
    aurumcode review: --publicar is required with --pr
    aurumcode review: --publicar is required with --pr
    aurumcode review: --pr must be a positive pull request number
    aurumcode review: --pr must be a positive pull request number
    aurumcode review: --pr must be a positive pull request number
    aurumcode review: --repo: expected the form owner/repo, got "o\""
    aurumcode review: --fail-on: unknown level "x" (accepted: high|error, medium|warning, low|info)
    aurumcode review: --base is required
    aurumcode review: --publicar, --na-linha and --check are about a pull request: give --pr and --repo
    "#);
}

#[test]
fn a_setting_that_cannot_be_used_is_named() {
    let flags = ["--pr", "7", "--repo", "o/r", "--publicar", "--na-linha"];
    let mut world = World::new();
    world.set("AURUMCODE_GITHUB_API_URL", "github.example.com");
    let mut said = refused(&world, &flags);
    world.set("AURUMCODE_GITHUB_API_URL", "");
    world.set("AURUMCODE_GITHUB_PAUSE", "-1");
    said += &refused(&world, &flags);
    assert_snapshot!(said, @r#"
    aurumcode review: AURUMCODE_GITHUB_API_URL must be an http or https URL without credentials and query, such as https://github.example.com/api/v3 (got "github.example.com")
    aurumcode review: AURUMCODE_GITHUB_PAUSE must be a number of seconds from 0 to 60 (got "-1")
    "#);
}
