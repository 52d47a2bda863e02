"""`kill -9` at random moments: what was acknowledged is there, and the journal opens."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

TIMES = 50
# one process is started and forks the writers, so that Python and its modules are loaded once
HARNESS = """
import os, random, signal, sys, time
from pathlib import Path
from colligate.studio.project import Journal

path, times = Path(sys.argv[1]), int(sys.argv[2])

def write(acknowledged):
    journal = Journal(path)
    number = len(journal.entries())
    while True:
        entry = journal.add("outside", {"document": str(number), "rest": "x" * random.randrange(2000)})
        os.write(acknowledged, f"{entry.seq} {number}\\n".encode())
        number += 1
        if number % 3 == 1:
            journal.undo()
            os.write(acknowledged, f"{entry.seq} undone\\n".encode())

random.seed(0)
said, undone = {}, set()
for round in range(times):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        random.seed(os.getpid())
        write(theirs)
    os.close(theirs)
    with os.fdopen(ours) as stream:
        # at any moment, and every other time at one when something was acknowledged
        lines = [stream.readline(), stream.readline()] if round % 2 else []
        time.sleep(random.uniform(0.0, 0.06))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for line in [*lines, *stream]:
            seq, what = line.split()
            undone.add(int(seq)) if what == "undone" else said.__setitem__(int(seq), what)
    journal = Journal(path)
    found = {entry.seq: entry for entry in journal.entries()}
    assert all(seq in found and found[seq].body["document"] == what for seq, what in said.items())
    assert all(found[seq].undone for seq in undone)
    assert [entry.body["document"] for entry in found.values()] == [str(n) for n in range(len(found))]
    journal.close()
print(len(said), len(undone))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_no_acknowledged_statement_is_lost(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HARNESS, str(tmp_path / "journal.sqlite"), str(TIMES)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    said, undone = map(int, done.stdout.split())
    assert said >= TIMES / 2
    assert undone > 0
