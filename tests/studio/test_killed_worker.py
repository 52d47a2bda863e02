"""`kill -9` of the worker at random moments: its run is told to have failed, and nothing said is lost."""

from __future__ import annotations

import os
import random
import signal
import sys
import time

import numpy as np
import pytest

from colligate.studio.project import Project
from tests.studio.helpers import WAIT, Watched, make_project

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("STUDIO_KILLS", "20"))
"""STUDIO_KILLS=500 kills 500 times."""
LONGEST = 0.15
AT_WORK = 0.15
"""How often a kill waits until the worker is in the middle of its sweeps; most hit it while it gets ready."""


def wait_for_progress(watched):
    """Until the worker tells of a sweep, or is done."""
    deadline = time.monotonic() + WAIT
    while not any(kind in ("progress", "run") for kind, _ in watched.told):
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_no_statement_is_lost_with_the_worker_and_the_next_run_is_whole(tmp_path):
    watched, chance = Watched(make_project(tmp_path)), random.Random(0)
    session, said, ended = watched.session, [], []
    assert watched.run()["status"] == "done"
    try:
        for number in range(TIMES):
            watched.told.clear()
            job = session.request_run({"fresh": True, "n_clusters": 8})
            if chance.random() < AT_WORK:
                wait_for_progress(watched)
            time.sleep(chance.uniform(0.0, LONGEST))
            said.append(session.record("outside", {"document": f"c{number % 30}"}).id)
            if (pid := session.worker.pid) is not None:
                os.kill(pid, signal.SIGKILL)
            told = watched.ended()
            assert told["number"] == job.number
            ended.append(told["status"])
        assert set(ended) <= {"failed", "done"}
        assert "failed" in ended
        assert {entry.id for entry in session.project.journal.entries()} == set(said)
        assert watched.run(from_run=1)["status"] == "done"
        labels, folder = session.view().labels, session.project.folder
    finally:
        session.close()
    project = Project(folder)
    try:
        assert np.array_equal(project.result(project.latest()).labels["documents"], labels)
        assert {entry.id for entry in project.journal.entries()} == set(said)
        assert len(project.work.runs()) == 2 + ended.count("done")
    finally:
        project.close()


def test_a_run_without_a_thread_for_its_worker_fails_with_a_word(tmp_path, monkeypatch):
    watched = Watched(make_project(tmp_path))
    session = watched.session

    def refuse(_):
        raise RuntimeError("can't start new thread")

    try:
        with monkeypatch.context() as patch:
            patch.setattr("threading.Thread.start", refuse)
            session.worker.start()
            job = session.request_run({})
        assert (job.status, session.worker.pid) == ("failed", None)
        assert "cannot be started (can't start new thread); close other programs" in job.message
        assert watched.ended()["status"] == "failed"
        assert watched.run()["status"] == "done"
    finally:
        session.close()
