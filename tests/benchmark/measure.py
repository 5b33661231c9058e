"""Runs a command and says what it used: seconds of the clock, seconds of the processor, peak memory."""

import os
import statistics
import time
from typing import NamedTuple


class Usage(NamedTuple):
    wall: float
    processor: float
    megabytes: float
    code: int


def run(command, environment, output=os.devnull):
    """The peak is never below that of this process: the kernel counts what a child was before its exec."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, environment, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code)


def alternate(ours, git, runs):
    """Runs both in turn, so that what else the machine does meets both, and gives the medians."""
    results = ([], [])
    for _ in range(runs):
        for command, into in zip((ours, git), results):
            into.append(command())
    return tuple(middle(usages) for usages in results)


def middle(usages):
    """The median times, and the highest peak."""
    return Usage(
        statistics.median(usage.wall for usage in usages),
        statistics.median(usage.processor for usage in usages),
        max(usage.megabytes for usage in usages),
        max(usage.code for usage in usages),
    )
