//! Where a run takes place, and what stays behind.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Repository, World};

/// Far more than anything here takes.
const LIMIT: Duration = Duration::from_mins(1);

#[test]
fn the_directory_flag_works_as_in_git() {
    let mut world = World::new();
    Repository::with_change(&world, &[("deep/down/a.txt", "one\n", "two\n")]);
    world.answer_issues(&[]);
    let inside = world.run(&["review", "--base", "base"]);
    assert_eq!(inside.code, Some(0), "{inside}");
    let elsewhere = |arguments: &[&str]| {
        let mut command = world.aurumcode(arguments);
        let output = command.current_dir(world.path("home")).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    for arguments in [
        &["-C", "../work", "review", "--base", "base"][..],
        &["review", "-C", "../work", "--base", "base"],
        &[
            "-C",
            "../work/deep",
            "review",
            "-C",
            "down",
            "-C=",
            "--base=base",
        ],
    ] {
        assert_eq!(elsewhere(arguments), (inside.code, inside.stdout.clone()));
    }
    let outcome = world.run(&["review", "-C", "no\nwhere", "--base", "base"]);
    insta::assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: cannot change to the directory "no\nwhere": No such file or directory (os error 2)
    "#);
}

#[test]
fn a_relative_cache_directory_counts_from_where_the_run_takes_place() {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.answer_issues(&[]);
    world.set("AURUMCODE_CACHE_DIR", "../cache/below");
    world.run(&["review", "--base", "base"]);
    assert_eq!(world.names("cache/below").len(), 1);
}

#[test]
fn a_bare_run_leaves_nothing_behind_however_it_ends() {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.answer_issues(&[]);
    let first = world.run(&["review", "--base", "base"]);
    assert_eq!(world.run(&["review", "--base", "base"]), first);
    assert_eq!(world.names("tmp"), [""; 0]);
    world.answer("nothing that is understood");
    assert_eq!(world.run(&["review", "--base", "base"]).code, Some(1));
    assert_eq!(world.names("tmp"), [""; 0]);
}

#[test]
fn a_run_that_a_signal_ends_leaves_nothing_behind() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut world = World::new();
        Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
        let endpoint = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = endpoint.local_addr().unwrap();
        world.set("LLM_BASE_URL", format!("http://{address}/v1"));
        let (arrived, arrival) = mpsc::channel();
        thread::spawn(move || arrived.send(endpoint.accept()));
        let child = world
            .aurumcode(&["review", "--base", "base"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The call has arrived: from here on the program does nothing but wait for an answer.
        let connection = arrival.recv_timeout(LIMIT).unwrap().unwrap();

        let name = format!("aurumcode-review-cache-{}", child.id());
        assert_eq!(world.names("tmp"), std::slice::from_ref(&name));
        let mode = fs::metadata(world.path("tmp").join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o700);

        let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(connection);
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(output.stdout, b"");
        assert_eq!(world.names("tmp"), [""; 0]);
    }
}
