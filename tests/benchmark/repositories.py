"""Builds the repositories that the benchmark runs on.

Run as `repositories.py SHAPE DIRECTORY`. Each shape is a bare repository with two commits, `base` and
`main`, written through `git fast-import` and packed as a clone would be: the deltas of the import, which
are made for speed, are made again. The same call gives the same objects. Every changed line carries a
marker of its own, `before_<file>_<line>` or `after_<file>_<line>`, so that an endpoint can count what
arrived.
"""

import os
import subprocess
import sys

# Plain code: no line of it may be a finding of the security pass or a case for the redaction.
TEMPLATES = (
    "def combine(left, right):  # {m}",
    "    total = left.size + right.size  # {m}",
    "    if total > limit.maximum and not left.closed: {m} = True",
    '    message = "{m}: %d of %d" % (left.position, total)',
    "    for index, item in enumerate(left.items): {m}(index, item)",
    "    logger.info(message, extra={{'position': left.position}})  # {m}",
    "    result = [convert(item) for item in right.items if item.{m}]",
    "    return Merged(items=result, size=total, source={m})",
)


def line(marker, number):
    return TEMPLATES[number % len(TEMPLATES)].format(m=marker)


def text(file, count, changed, word):
    """`count` lines, of which those that `changed(number)` selects carry `word` in their marker."""
    return "".join(
        line(f"{word if changed(number) else 'same'}_{file:06}_{number:06}", number) + "\n" for number in range(count)
    ).encode()


def in_runs(length):
    """Selects every second run of `length` lines."""
    return lambda number: number // length % 2 == 0


def pairs(paths, count, changed):
    """Files that differ between the two commits in the lines that `changed` selects."""
    for file, path in enumerate(paths):
        yield path, text(file, count, changed, "before"), text(file, count, changed, "after")


def same(paths, count):
    """Files that are equal in both commits."""
    for file, path in enumerate(paths):
        content = text(900_000 + file, count, lambda number: False, "same")
        yield path, content, content


def files300():
    """300 of 400 files with 200 changed lines each."""
    names = [f"src/part{number % 20:02}/module{number:03}.py" for number in range(400)]
    yield from pairs(names[:300], 400, in_runs(20))
    yield from same(names[300:], 400)


def directories_one():
    """1000 directories with four files each, one file changed in all."""
    yield from pairs(["directory0500/changed.py"], 40, in_runs(5))
    yield from same([f"directory{d:04}/file{f}.py" for d in range(1000) for f in range(4)], 40)


def directories_each():
    """1000 directories with four files each, one of them changed."""
    yield from pairs([f"directory{d:04}/changed.py" for d in range(1000)], 40, in_runs(5))
    yield from same([f"directory{d:04}/file{f}.py" for d in range(1000) for f in range(3)], 40)


def rewritten():
    """One file with 4900 of 5000 lines rewritten."""
    yield from pairs(["src/rewritten.py"], 5000, lambda number: number % 50 != 0)


def small5000():
    """5000 changed files of three lines."""
    yield from pairs([f"src/part{n % 50:02}/small{n:04}.py" for n in range(5000)], 3, lambda number: number == 1)


def eight():
    """Eight files of one size, each of which fills more than half of a small model's window."""
    yield from pairs([f"src/batch{number}.py" for number in range(8)], 400, lambda number: True)


def megabytes(count):
    """`count` MB of diff in files of about 0.5 MB a side."""
    yield from pairs([f"src/large{number:03}.py" for number in range(count)], 7900, lambda number: True)


SHAPES = {
    "files300": files300,
    "directories-one": directories_one,
    "directories-each": directories_each,
    "rewritten": rewritten,
    "small5000": small5000,
    "eight": eight,
    **{f"mb{count}": (lambda count=count: megabytes(count)) for count in (10, 25, 50, 100)},
}


def build(shape, directory):
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": directory,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }

    def git(*arguments, **options):
        return subprocess.Popen(["git", *arguments], env=environment, **options)

    assert git("init", "--quiet", "--bare", "--initial-branch=main", directory).wait() == 0
    importer = git("-C", directory, "fast-import", "--quiet", stdin=subprocess.PIPE)
    write = importer.stdin.write
    commits = (b"", b"")
    for path, old, new in SHAPES[shape]():
        marks = []
        for content in (old, new):
            build.mark += 1
            marks.append(build.mark)
            write(b"blob\nmark :%d\ndata %d\n" % (build.mark, len(content)) + content + b"\n")
        entries = [b"M 100644 :%d %s\n" % (mark, path.encode()) for mark in marks]
        commits = (commits[0] + entries[0], commits[1] + (entries[1] if old != new else b""))
    for time, entries in enumerate(commits, 1_767_607_200):
        write(b"commit refs/heads/main\ncommitter benchmark <benchmark@example.invalid> %d +0000\n" % time)
        write(b"data 7\nchange\n\n" + entries + b"\n")
    importer.stdin.close()
    assert importer.wait() == 0
    assert git("-C", directory, "tag", "base", "main~1").wait() == 0
    assert git("-C", directory, "repack", "-adfq").wait() == 0


build.mark = 0

if __name__ == "__main__":
    build(*sys.argv[1:])
