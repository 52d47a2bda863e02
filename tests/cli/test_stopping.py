"""A run that is stopped, in whatever way, can be gone on with and gives the same groups."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time

import pytest

from colligate.cli.job import catch_interrupts

from .conftest import write_docs

pytestmark = pytest.mark.slow

RESTARTS = 60


def arguments(docs, out, *extra):
    return [
        *("cluster", str(docs), "-k", "3", "--restarts", str(RESTARTS), "--checkpoint-interval", "0"),
        *("--out", str(out), *extra),
    ]


def started(docs, out):
    """Start a run in a process of its own, and come back when its first checkpoint is there."""
    command = [sys.executable, "-m", "colligate", *arguments(docs, out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (out / "checkpoint.npz").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    return process


def outcome(out):
    with (out / "documents.csv").open(encoding="utf-8", newline="") as stream:
        labels = [row["cluster"] for row in csv.DictReader(stream)]
    return labels, json.loads((out / "run.json").read_text(encoding="utf-8"))["trace"]


@pytest.fixture(scope="module")
def undisturbed(call, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    assert call(*arguments(write_docs(folder), folder / "whole")).exit_code == 0
    return outcome(folder / "whole")


def test_killed_and_resumed(call, docs, tmp_path, undisturbed):
    out = tmp_path / "out"
    process = started(docs, out)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not (out / "run.json").exists()
    done = call(*arguments(docs, out, "--resume", "--seed", "1"))
    assert done.exit_code == 3
    assert "belongs to a run with other documents" in done.stderr
    assert "remove the checkpoint and start again" in done.stderr
    done = call(*arguments(docs, out, "--resume"))
    assert done.exit_code == 0, done.output
    assert outcome(out) == undisturbed


def test_a_second_run_keeps_out_while_the_first_goes(call, docs, tmp_path, undisturbed):
    out = tmp_path / "out"
    process = started(docs, out)
    process.send_signal(signal.SIGSTOP)
    for extra in ("--overwrite", "--resume"):
        done = call(*arguments(docs, out, extra))
        assert done.exit_code == 3
        assert f"in use by another run (process {process.pid} on" in done.stderr
    process.send_signal(signal.SIGCONT)
    _, told = process.communicate()
    assert process.returncode == 0, told
    assert outcome(out) == undisturbed


def test_stopped_by_ctrl_c_and_resumed(call, docs, tmp_path, undisturbed):
    out = tmp_path / "out"
    process = started(docs, out)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130, told
    assert [path.name for path in out.iterdir()] == ["checkpoint.npz"]
    assert "\nstopped: the run is saved in" in told
    assert told.rstrip().endswith("--resume")
    assert "Traceback" not in told
    done = call(*arguments(docs, out, "--resume"))
    assert done.exit_code == 0, done.output
    assert outcome(out) == undisturbed


def test_the_second_ctrl_c_stops_at_once():
    with catch_interrupts() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_writing_keeps_the_run(call, docs, tmp_path, monkeypatch):
    def write(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("colligate.cli.job.write_page", write)
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "out")
    assert done.exit_code == 130
    assert "the run is saved in" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["checkpoint.npz"]


def test_ctrl_c_while_reading(call, docs, tmp_path, monkeypatch):
    def read(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("colligate.network.inputs.read_input", read)
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "out")
    assert done.exit_code == 130
    assert done.stderr == "stopped: nothing was written\n"
    assert not (tmp_path / "out").exists()
