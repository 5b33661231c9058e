//! `review --pr` against a GitHub of the test's own.

mod hub;
mod publishing;
mod reading;
mod usage;

use serde_json::{Value, json};

/// A change of `app.py`: line 2 is added, the others are around it.
const DIFF: &str = "diff --git a/app.py b/app.py
index 1111111..2222222 100644
--- a/app.py
+++ b/app.py
@@ -1,3 +1,4 @@
 import os
+timeout = 1
 def f():
     pass
";

/// What every run has.
const REVIEW: [&str; 7] = [
    "review",
    "--pr",
    "7",
    "--repo",
    "o/r",
    "--publicar",
    "--na-linha",
];

fn issue(file: &str, line: u32, severity: &str, message: &str) -> Value {
    json!({
        "file": file, "line": line, "severity": severity,
        "rule_id": "quality/magic-numbers", "message": message,
    })
}

/// One finding on an added line, one on a line around it, one in a file that is not in the change.
fn three() -> [Value; 3] {
    [
        issue("app.py", 2, "error", "Name it."),
        issue("app.py", 3, "warning", "Say what it does."),
        issue("other.py", 5, "info", "Look here too."),
    ]
}
