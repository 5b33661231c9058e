#!/usr/bin/env python3
"""Measures the security pass against labelled code that others wrote.

Fetches, into a temporary directory and never into the repository:

- bandit's source distribution: example files; the labels are the findings of bandit's own checks,
  whose counts its functional tests pin. A check that bandit itself rates low (a fixed command, say)
  is neither asked for nor held against anybody.
- eslint-plugin-security: the cases of its rule tests. A valid case of any rule must not be found.

and prints, per rule, precision and recall of the pass, of bandit and of semgrep (with the rules of
`semgrep.yml`), and every line that only the pass finds, to be looked at by a person.

Needs cargo, pip, and for the second corpus npm and node. Usage: measure.py [--keep DIRECTORY]
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Which of bandit's checks ask what a rule of the catalog asks.
BANDIT = {
    "sql-injection": {"B608", "B610", "B611"},
    "command-injection": {"B102", "B307", "B602", "B605", "B609"},
    "hardcoded-secret": {"B105", "B106", "B107"},
    "weak-crypto": {
        "B303", "B304", "B305", "B323", "B324", "B501", "B502", "B503", "B504", "B505", "B507",
    },
    "xss": {"B308", "B701", "B703", "B704"},
}

# Which of the plugin's rules ask what a rule of the catalog asks. The others only give code that
# must not be found.
ESLINT = {
    "detect-child-process": "command-injection",
    "detect-eval-with-expression": "command-injection",
}

CASES = r"""
const Module = require('module');
const fs = require('fs');
const path = require('path');
const [, , tests, output] = process.argv;
const cases = [];
class RuleTester {
  run(rule, _, { valid, invalid }) {
    for (const [label, list] of [['valid', valid], ['invalid', invalid]])
      for (const item of list)
        cases.push({ rule, label, code: typeof item === 'string' ? item : item.code,
                     messages: (item.errors || []).map((error) => error.message || '') });
  }
}
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === 'eslint') return { RuleTester, Linter: class {} };
  if (/\/rules\/[\w$-]*$/.test(name) || name.includes('${')) return {};
  return load.call(this, name, ...rest);
};
for (const file of fs.readdirSync(tests).sort())
  try { require(path.join(tests, file)); } catch (error) { console.error(file, error.message); }
fs.writeFileSync(output, JSON.stringify(cases));
"""


def run(*command, **options):
    """Runs a command; its output is text."""
    return subprocess.run(command, text=True, capture_output=True, **options)


def must(*command, **options):
    """Runs a command that must succeed and returns its output."""
    result = run(*command, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")
    return result.stdout


def tool(directory, name):
    return directory / "tools" / "bin" / name


def fetch(directory):
    """Fetches the corpora and the scanners."""
    if not tool(directory, "python").exists():
        venv.create(directory / "tools", with_pip=True)
    pip = [tool(directory, "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if not tool(directory, "semgrep").exists():
        must(*pip, "install", "bandit", "semgrep")
    if not list(directory.glob("bandit-*")):
        must(*pip, "download", "--no-deps", "--no-binary", ":all:", "-d", directory, "bandit")
        for archive in directory.glob("bandit-*.tar.gz"):
            tarfile.open(archive).extractall(directory, filter="data")
    if not (directory / "package").exists():
        must("npm", "pack", "--silent", "eslint-plugin-security", cwd=directory)
        for archive in directory.glob("eslint-plugin-security-*.tgz"):
            tarfile.open(archive).extractall(directory, filter="data")


def ours(files):
    """Returns what the pass finds, as (file, line, rule)."""
    output = must(
        "cargo", "run", "--quiet", "--release", "-p", "aurumcode-core", "--example", "security_pass",
        cwd=ROOT, input="".join(f"{file}\n" for file in files),
    )
    rows = (line.split("\t") for line in output.splitlines())
    return {(file, int(line), rule.removeprefix("security/")) for file, line, rule in rows}


def semgrep(directory, target):
    """Returns what semgrep finds with our rules, as (file, line, rule)."""
    output = must(
        tool(directory, "semgrep"), "--config", HERE / "semgrep.yml", "--json", "--quiet",
        "--metrics=off", "--disable-version-check", "--no-git-ignore", target,
        env={**os.environ, "PATH": f"{directory / 'tools' / 'bin'}:{os.environ['PATH']}"},
    )
    found = set()
    for result in json.loads(output)["results"]:
        rule = result["check_id"].rsplit(".", 1)[-1]
        found.add((result["path"], result["start"]["line"], rule))
    return found


def ratio(part, whole):
    return f"{part / whole:5.2f}" if whole else "    –"


class Table:
    """Counts, per rule and tool, what is right, what is wrong and what there was to find."""

    def __init__(self, title, tools):
        self.title, self.tools = title, tools
        self.rows = collections.defaultdict(dict)

    def count(self, rule, tool, right, wrong, labels):
        self.rows[rule][tool] = (right, wrong, labels)

    def show(self):
        print(f"\n{self.title}\n")
        names = "".join(f" | {name:^21}" for name in self.tools)
        parts = "".join(" | found  prec.  recall" for _ in self.tools)
        print(f"{'rule':<20} labels{names}\n{'':<27}{parts}")
        for rule, row in sorted(self.rows.items()):
            labels = max(labels for _, _, labels in row.values())
            line = f"{rule:<20} {labels:>6}"
            for name in self.tools:
                right, wrong, all_labels = row[name]
                found = right + wrong
                line += f" | {found:>5}  {ratio(right, found)}  {ratio(min(right, all_labels), all_labels)}"
            print(line)


def is_comment(file, line):
    """A secret in a comment is one for the pass; bandit does not look there."""
    return pathlib.Path(file).read_text(errors="replace").splitlines()[line - 1].lstrip().startswith("#")


def against_bandit(directory):
    examples = sorted(str(path) for path in directory.glob("bandit-*/examples/*.py"))
    report = run(tool(directory, "bandit"), "--format", "json", "--quiet", "--ignore-nosec", *examples)
    results = json.loads(report.stdout)["results"]
    skipped = {file for file in examples if "trojansource" in file}
    found = {"aurumcode": ours(examples), "semgrep": semgrep(directory, str(pathlib.Path(examples[0]).parent))}
    table = Table("bandit's examples (its own findings are the labels)", ["aurumcode", "bandit", "semgrep"])
    alone = []
    for rule, checks in BANDIT.items():
        # A label is a statement: any of its lines is right.
        labels, tolerated = [], set()
        for result in results:
            if result["test_id"] not in checks:
                continue
            lines = {(result["filename"], line) for line in result["line_range"]}
            lines.add((result["filename"], result["line_number"]))
            tolerated |= lines
            # The check for secrets is rated low as a whole.
            if result["issue_severity"] != "LOW" or rule == "hardcoded-secret":
                labels.append(lines)
        table.count(rule, "bandit", len(labels), 0, len(labels))
        for name, findings in found.items():
            places = {
                (file, line)
                for file, line, other in findings
                if other == rule and file not in skipped and not is_comment(file, line)
            }
            hit = sum(1 for lines in labels if lines & places)
            wrong = {place for place in places if place not in tolerated}
            table.count(rule, name, hit, len(wrong), len(labels))
            if name == "aurumcode":
                alone += [(rule, *place) for place in sorted(wrong)]
                missed = [min(lines) for lines in labels if not lines & places]
                alone += [(f"missed {rule}", *place) for place in sorted(missed)]
    table.show()
    return alone


def against_eslint(directory):
    script = directory / "cases.js"
    script.write_text(CASES)
    must("node", script, directory / "package" / "test" / "rules", directory / "cases.json")
    cases = json.loads((directory / "cases.json").read_text())
    folder = directory / "cases"
    folder.mkdir(exist_ok=True)
    for index, case in enumerate(cases):
        (folder / f"{index}.js").write_text(case["code"])
    files = [str(folder / f"{index}.js") for index in range(len(cases))]
    found = {"aurumcode": ours(files), "semgrep": semgrep(directory, str(folder))}
    table = Table("eslint-plugin-security's cases (a case is found or not)", ["aurumcode", "semgrep"])
    alone = []
    for rule in sorted(set(ESLINT.values())):
        # A bare `require` is not a command that is built.
        asked = [
            index
            for index, case in enumerate(cases)
            if case["label"] == "invalid" and ESLINT.get(case["rule"]) == rule
            and any("require(" not in message for message in case["messages"])
        ]
        valid = [index for index, case in enumerate(cases) if case["label"] == "valid"]
        for name, findings in found.items():
            hit = {int(pathlib.Path(file).stem) for file, _, other in findings if other == rule}
            table.count(rule, name, len(hit & set(asked)), len(hit & set(valid)), len(asked))
            if name == "aurumcode":
                alone += [(rule, files[index], 0) for index in sorted(hit & set(valid))]
                alone += [(f"missed {rule}", files[index], 0) for index in sorted(set(asked) - hit)]
    table.show()
    return alone


def show_alone(rows):
    """Prints each line that only the pass finds, and each label that it misses."""
    print("\nTo be looked at:")
    for kind, file, line in rows:
        lines = pathlib.Path(file).read_text(errors="replace").splitlines()
        text = lines[line - 1].strip() if line else " ⏎ ".join(part.strip() for part in lines if part.strip())
        print(f"  {kind}: {pathlib.Path(file).name}:{line}: {text[:160]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, help="keep what was fetched in this directory")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = (arguments.keep or pathlib.Path(temporary)).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        fetch(directory)
        show_alone(against_bandit(directory) + against_eslint(directory))


if __name__ == "__main__":
    main()
