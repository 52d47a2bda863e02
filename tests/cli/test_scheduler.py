"""`colligate cluster --scheduler`: documents on a Dask cluster."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from colligate.cli.main import app

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


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


@pytest.mark.usefixtures("client")
def test_options_that_need_all_documents_here(documents, tmp_path):
    arguments = [str(documents), "-k", "2", "--scheduler", "local", "--out", str(tmp_path / "run")]
    outcome = CliRunner().invoke(app, ["cluster", *arguments, "--fold-duplicates"])
    assert outcome.exit_code == 2
    assert "--fold-duplicates needs all documents" in outcome.output.replace("\n", " ")
