"""The command of a run, and the progress of a run as the worker reports it."""

from __future__ import annotations

from typing import Any

import colligate as cg
from colligate.methods.loop import Progress, Run, Settings, _report
from colligate.studio.planning import format_command, make_order
from colligate.studio.project import Project
from colligate.studio.project import Settings as StudioSettings
from colligate.studio.project.runs import RunRecord
from colligate.studio.worker.meter import RunMeter


def test_the_events_of_the_loop_are_understood():
    told: list[Any] = []
    run = Run(state=None, history=(3.0, 2.5))  # type: ignore[arg-type]
    _report(Settings(0, 5, 10, 0.0, listener=told.append), Progress(0, (1.0,)), run)
    message = RunMeter().read(told[0])
    parts = ("stage", "restart", "restarts", "sweep", "objective")
    assert tuple(message[part] for part in parts) == ("clustering", 2, 5, 1, 2.5)


def test_the_command_of_a_run_has_the_options_the_documents_were_read_with(tmp_path):
    settings = StudioSettings(
        "my docs.csv", "", "chinc", 3, reading={"text": ["title", "body"], "kb": "base.nt"}
    )
    corpus = cg.Corpus.from_texts(["a cat", "a dog", "a cat dog"])
    project = Project.create(tmp_path / "project", corpus, settings)
    order = make_order(project, None, {"n_clusters": 2}, 1)
    record = RunRecord(1, order["method"], order["parameters"], 0, None, False, order["knowledge"])
    assert format_command(project, record) == (
        "colligate cluster 'my docs.csv' --method chinc --clusters 2 --seed 0 --text title --text body "
        "--kb base.nt --no-subtypes"
    )
    project.close()
