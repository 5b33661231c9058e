//! One run of the program: the prompt goes in, what it prints comes out, within ends of time and
//! size.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use aurumcode_core::limits::ANSWER_BYTES;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::group::Group;

/// How much of what the program says on its standard error is kept, from its end.
const ERROR_BYTES: usize = 64 * 1024;

/// What to run.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [String],
    pub(crate) environment: &'a [(String, OsString)],
    pub(crate) timeout: Duration,
}

/// What came of a program that ended by itself.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) status: ExitStatus,
    pub(crate) output: Vec<u8>,
    /// The end of its standard error.
    pub(crate) error: Vec<u8>,
}

/// Why nothing came of it.
#[derive(Debug)]
pub(crate) enum Failed {
    /// It could not be started.
    Start(io::Error),
    /// It did not end in time.
    Timeout,
    /// It printed more than an answer may have.
    TooMuch,
    /// The system failed.
    System(io::Error),
}

/// Runs the program. When the future is dropped, the program and all that it started are killed.
pub(crate) async fn run(program: &Program<'_>, prompt: &str) -> Result<Printed, Failed> {
    let mut command = Command::new(program.name);
    command
        .args(program.arguments)
        .env_clear()
        .envs(
            program
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (group, mut child) = Group::start(&mut command)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());

    let write = async {
        if let Some(mut stdin) = stdin {
            // A program that does not read all of the prompt may still answer.
            let _ = stdin.write_all(prompt.as_bytes()).await;
            let _ = stdin.shutdown().await;
        }
    };
    let talk = async {
        let ((), output, error) = tokio::join!(write, whole(stdout), tail(stderr));
        (output, error)
    };
    let ended = async {
        let status = child.wait().await;
        // What it left behind would keep the pipes open.
        group.kill();
        status
    };
    let both = async {
        tokio::pin!(talk, ended);
        tokio::select! {
            (output, error) = &mut talk => match output {
                Ok(Some(output)) => Ok((ended.await, output, error)),
                Ok(None) => Err(Failed::TooMuch),
                Err(error) => Err(Failed::System(error)),
            },
            status = &mut ended => match talk.await {
                (Ok(Some(output)), error) => Ok((status, output, error)),
                (Ok(None), _) => Err(Failed::TooMuch),
                (Err(error), _) => Err(Failed::System(error)),
            },
        }
    };
    let outcome = tokio::time::timeout(program.timeout, both).await;
    group.kill();
    // It was told to die above; this takes its entry out of the system's table. Only then does
    // nothing of it write into the directory any more.
    let _ = child.wait().await;
    drop(group);
    match outcome {
        Ok(Ok((Ok(status), output, error))) => Ok(Printed {
            status,
            output,
            error,
        }),
        Ok(Ok((Err(cause), ..))) => Err(Failed::System(cause)),
        Ok(Err(failed)) => Err(failed),
        Err(_) => Err(Failed::Timeout),
    }
}

/// Reads all of it, or nothing when it is longer than an answer may be.
async fn whole(stream: Option<impl AsyncRead + Unpin>) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut stream = stream.take(ANSWER_BYTES as u64 + 1);
        stream.read_to_end(&mut bytes).await?;
    }
    Ok((bytes.len() <= ANSWER_BYTES).then_some(bytes))
}

/// Reads all of it and keeps the end.
async fn tail(stream: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else {
        return kept;
    };
    let mut piece = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        kept.extend_from_slice(piece.get(..count).unwrap_or_default());
        if kept.len() > ERROR_BYTES {
            kept.drain(..kept.len() - ERROR_BYTES);
        }
    }
    kept
}
