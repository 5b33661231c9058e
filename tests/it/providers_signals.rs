//! ctrl-C and SIGTERM while a program is at work for a call: it ends with everything that it
//! started, and nothing stays behind.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Outcome, Repository, World};

/// Far more than anything here takes, and far less than the program would.
const LIMIT: Duration = Duration::from_mins(1);

/// Reads a line, which says that somebody is there, and then to the end, which comes when nobody
/// is there any more.
fn listen(pipe: PathBuf) -> mpsc::Receiver<String> {
    let (said, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(File::open(pipe).unwrap());
        let (mut line, mut rest) = (String::new(), String::new());
        pipe.read_line(&mut line).unwrap();
        said.send(line).unwrap();
        pipe.read_to_string(&mut rest).unwrap();
        said.send(rest).unwrap();
    });
    heard
}

/// Sends a signal while the program and what it has started hold the pipe, and something lies in
/// the directory in which they run.
fn ended_by(signal: Signal, arguments: &[&str]) -> Outcome {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    let pipe = world.path("pipe");
    let made = world.command("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let script = "exec 3>\"$0\"; mkdir kept; (echo started >&3; exec sleep 600) & wait";
    let command = json!(["sh", "-c", script, pipe]);
    world.set("AURUMCODE_COMMAND", command.to_string());

    let heard = listen(pipe);
    let mut child = world.aurumcode(arguments);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    assert_eq!(heard.recv_timeout(LIMIT).unwrap(), "started\n");
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
    let (end, ended) = mpsc::channel();
    thread::spawn(move || end.send(child.wait_with_output()));
    let output = ended.recv_timeout(LIMIT).unwrap().unwrap();
    assert_eq!(heard.recv_timeout(LIMIT).unwrap(), "", "nobody holds it");
    assert_eq!(world.names("tmp"), [""; 0]);
    Outcome::new(&output, &world.path(""))
}

#[test]
fn a_signal_ends_the_program_and_what_it_started() {
    for arguments in [&["review", "--base", "base"][..], &["providers", "check"]] {
        for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
            let outcome = ended_by(signal, arguments);
            assert_eq!(outcome, Outcome::expected(code, "", ""), "{arguments:?}");
        }
    }
}
