"""`colligate cluster --scheduler`: documents on a Dask cluster."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from colligate.methods.itcc import ITCC
from colligate.shards import client as clients

pytest.importorskip("distributed")


@pytest.fixture
def documents(tmp_path):
    rows = [{"id": f"d{n}", "text": "orbit shuttle moon" if n % 2 else "hockey puck ice"} for n in range(40)]
    folder = tmp_path / "docs"
    folder.mkdir()
    for part in range(2):
        lines = "".join(json.dumps(row) + "\n" for row in rows[part * 20 : part * 20 + 20])
        (folder / f"{part}.jsonl").write_text(lines)
    return folder


@pytest.mark.usefixtures("client")
def test_outputs_in_partitions(documents, tmp_path):
    import pyarrow.parquet as pq

    out = tmp_path / "run"
    arguments = [str(documents), "-k", "2", "--method", "itcc", "--scheduler", "local", "--out", str(out)]
    outcome = CliRunner().invoke(app, ["cluster", *arguments])
    assert outcome.exit_code == 0, outcome.output
    parts = sorted((out / "documents.parquet").iterdir())
    assert [part.name for part in parts] == ["part-00000.parquet", "part-00001.parquet"]
    table = pq.read_table(parts[0])
    assert table["id"].to_pylist() == [f"d{n}" for n in range(20)]
    groups = table["cluster"].to_pylist()
    assert len({group for n, group in enumerate(groups) if n % 2}) == 1
    assert groups[0] != groups[1]
    assert (out / "report.html").is_file()
    assert (out / "clusters.csv").is_file()


def test_a_scheduler_that_is_not_there(documents, tmp_path, monkeypatch):
    monkeypatch.setattr(clients, "CONNECT_TIMEOUT", 1)
    arguments = [
        str(documents),
        "-k",
        "2",
        "--scheduler",
        "tcp://127.0.0.1:9",
        "--out",
        str(tmp_path / "run"),
    ]
    outcome = CliRunner().invoke(app, ["cluster", *arguments])
    assert outcome.exit_code == 1
    assert "there is no scheduler of Dask at 'tcp://127.0.0.1:9'" in " ".join(outcome.output.split())
    assert "Traceback" not in outcome.output
    assert not (tmp_path / "run").exists()


def test_workers_of_another_version(client, documents, tmp_path, monkeypatch):
    monkeypatch.setattr(clients, "__version__", "0.0.0")
    out = tmp_path / "run"
    arguments = [str(documents), "-k", "2", "--method", "itcc", "--out", str(out)]
    arguments += ["--scheduler", client.scheduler.address]
    outcome = CliRunner().invoke(app, ["cluster", *arguments])
    said = " ".join(outcome.output.split())
    assert outcome.exit_code == 1
    assert "and this is Colligate 0.0.0" in said
    assert "Traceback" not in said
    assert not out.exists()


def test_an_absent_extra(documents, tmp_path, monkeypatch):
    find_spec = clients.util.find_spec
    absent = {"dask", "distributed"}
    monkeypatch.setattr(clients.util, "find_spec", lambda name: None if name in absent else find_spec(name))
    arguments = [str(documents), "-k", "2", "--scheduler", "local", "--out", str(tmp_path / "run")]
    outcome = CliRunner().invoke(app, ["cluster", *arguments])
    said = " ".join(outcome.output.split())
    assert outcome.exit_code == 1
    assert 'pip install "colligate[distributed]"' in said
    assert "Traceback" not in said
    assert not (tmp_path / "run").exists()


def test_that_a_lost_scheduler_leaves_the_checkpoint(documents, tmp_path, monkeypatch):
    import distributed

    out = tmp_path / "run"
    arguments = [str(documents), "-k", "2", "--method", "itcc", "--restarts", "4", "--out", str(out)]
    arguments += ["--checkpoint-interval", "0"]
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    cluster = distributed.LocalCluster(**options)
    sweep, n_sweeps = ITCC.sweep, 0

    def stop_scheduler(self, problem, state):
        nonlocal n_sweeps
        n_sweeps += 1
        if n_sweeps == 4:
            cluster.close()
        return sweep(self, problem, state)

    monkeypatch.setattr(clients, "CONNECT_TIMEOUT", 2)
    monkeypatch.setattr(ITCC, "sweep", stop_scheduler)
    # the current client goes before those that are made later: that of other tests must not be it
    with distributed.Client(cluster, timeout=2):
        outcome = CliRunner().invoke(app, ["cluster", *arguments, "--scheduler", cluster.scheduler_address])
    said = " ".join(outcome.output.split())
    assert outcome.exit_code == 1
    assert "was lost in the middle of the work" in said
    assert "the run is saved in" in said
    assert "--resume" in said
    assert "Traceback" not in said
    assert (out / "checkpoint.npz").is_file()
    monkeypatch.setattr(ITCC, "sweep", sweep)
    with distributed.LocalCluster(**options) as restarted, distributed.Client(restarted):
        arguments += ["--resume", "--scheduler", restarted.scheduler_address]
        outcome = CliRunner().invoke(app, ["cluster", *arguments])
    assert outcome.exit_code == 0, outcome.output
    assert (out / "documents.parquet").is_dir()
    assert not (out / "checkpoint.npz").exists()


@pytest.mark.usefixtures("client")
def test_options_that_need_all_documents_here(documents, tmp_path):
    arguments = [str(documents), "-k", "2", "--scheduler", "local", "--out", str(tmp_path / "run")]
    outcome = CliRunner().invoke(app, ["cluster", *arguments, "--fold-duplicates"])
    assert outcome.exit_code == 2
    assert "--fold-duplicates needs all documents" in outcome.output.replace("\n", " ")
