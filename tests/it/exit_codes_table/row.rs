//! The table of `docs/exit-codes.md`, and the check of one ending against its row.

use std::process::Output;

const PAGE: &str = include_str!("../../../docs/exit-codes.md");

/// One row: a way a review can end.
#[derive(Debug)]
pub(super) struct Row {
    code: i32,
    /// What is said, and whether on stdout instead of stderr.
    said: Option<(bool, String)>,
    pub(super) test: String,
}

/// Reads the rows of the table whose last column names tests.
pub(super) fn rows() -> Vec<Row> {
    let (_, table) = PAGE.split_once("| test |\n|---|---|---|---|\n").unwrap();
    table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .map(parse)
        .collect()
}

fn parse(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [_, code, said, test] = cells.as_slice() else {
        panic!("not four columns: {line}");
    };
    let on_stdout = said.starts_with("stdout:");
    Row {
        code: code.parse().unwrap(),
        said: quoted(said).map(|text| (on_stdout, text)),
        test: quoted(test).unwrap(),
    }
}

/// Returns what stands between backticks.
fn quoted(cell: &str) -> Option<String> {
    cell.split('`').nth(1).map(str::to_owned)
}

/// Asserts that a run ended as the row of `test` says, and that an ending with 1 or 2 left stdout
/// empty.
pub(super) fn assert_row(test: &str, output: &Output) {
    let rows = rows();
    let row = rows.iter().find(|row| row.test == test).unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let whole = format!("{row:?}\nstdout:\n{stdout}\nstderr:\n{stderr}");
    assert_eq!(output.status.code(), Some(row.code), "{whole}");
    if let Some((on_stdout, text)) = &row.said {
        let stream = if *on_stdout { &stdout } else { &stderr };
        assert!(stream.contains(text.as_str()), "{whole}");
    }
    if matches!(row.code, 1 | 2) {
        assert_eq!(stdout, "", "{whole}");
        assert_ne!(stderr, "", "{whole}");
    }
}
