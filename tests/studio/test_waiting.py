"""The benchmark of waiting follows a whole sitting: first groups, map, question, and clustering again."""

from __future__ import annotations

import pytest

from benchmarks.studio_waiting import measure
from colligate.studio.project import Project
from tests.studio.helpers import write_corpus


@pytest.mark.slow
def test_a_sitting_is_measured_from_the_command_to_the_corrected_groups(tmp_path):
    timings = measure(write_corpus(tmp_path / "docs.jsonl"), tmp_path / "project", None, is_cpu=False)
    assert list(timings) == ["address", "groups", "map", "question", "answers", "again"]
    assert 0 < timings["address"] <= timings["groups"] <= timings["map"]
    assert timings["again"] > 0
    project = Project(tmp_path / "project")
    try:
        (moved,) = project.journal.live()
        assert moved.kind == "label"
        assert [(run.number, run.parent) for run in project.work.runs()] == [(1, None), (2, 1)]
    finally:
        project.close()
