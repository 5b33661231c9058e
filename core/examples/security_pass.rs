//! Applies the security pass to whole files, as if all their lines were added.
//!
//! Reads paths from standard input, one a line, and prints `<path> TAB <line> TAB <rule>` for each
//! finding. `tests/security-pass/measure.py` counts with it.

use std::error::Error;
use std::io::{BufRead as _, Write as _, stdin, stdout};

use aurumcode_core::change::{Change, ChangeKind, FileChange, Hunk, LineKind, RepoPath};
use aurumcode_core::rules::{Catalog, SecurityPass};

fn main() -> Result<(), Box<dyn Error>> {
    let pass = SecurityPass::new(&Catalog::embedded()?)?;
    let mut output = stdout().lock();
    for path in stdin().lock().lines() {
        let path = path?;
        let content = std::fs::read(&path)?;
        let mut hunk = Hunk::new(0, 1);
        for line in content.split(|byte| *byte == b'\n') {
            hunk.push(LineKind::Added, line, true);
        }
        let file = FileChange {
            path: RepoPath::from(path.as_str()),
            old_path: None,
            kind: ChangeKind::Added,
            hunks: vec![hunk],
            line_count: None,
        };
        for finding in pass.run(&Change::new(vec![file], Vec::new())) {
            writeln!(output, "{path}\t{}\t{}", finding.line, finding.rule_id)?;
        }
    }
    Ok(())
}
