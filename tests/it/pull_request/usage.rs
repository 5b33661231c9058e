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
    assert_snapshot!(said, @r#""#);
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
    assert_snapshot!(said, @r#""#);
}
