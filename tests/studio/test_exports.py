"""A run as files for other programs."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

import colligate as cg
from colligate.methods.change_plan import ChangePlan
from colligate.result.notebook import format_notebook
from colligate.studio.project import Project, Settings
from colligate.studio.project.runs import RunRecord
from colligate.studio.server.handlers.exports import WRITERS
from colligate.studio.session_files import make_recipe
from tests.result.test_notebook import run_cells


@pytest.fixture
def client(serving):
    """A client; what a test said is taken back."""
    yield serving.client
    while serving.session.project.journal.live():
        serving.session.undo()


def export(client, format, run=1):
    status, headers, content = client.ask("GET", f"/api/runs/{run}/export?format={format}")
    assert status == 200, content
    assert headers["content-disposition"].startswith("attachment")
    assert "sandbox" in headers["content-security-policy"]
    return content


def rename(client, group, name):
    client.send(
        "POST", "/api/statements", {"kind": "name", "body": {"group": group, "name": name}}, expected=201
    )


def test_documents_have_the_numbers_and_names_of_the_page(client, serving):
    rename(client, 2, "Bakers")
    view = serving.session.view(1)
    rows = list(csv.DictReader(io.StringIO(export(client, "csv").decode())))
    assert [row["id"] for row in rows] == list(view.row_of)
    assert [int(row["cluster"]) for row in rows] == view.identities.tolist()
    assert {row["name"] for row in rows if row["cluster"] == "2"} == {"Bakers"}
    assert all(row["text"] for row in rows)
    table = pq.read_table(io.BytesIO(export(client, "parquet")))
    assert table["cluster"].to_pylist() == view.identities.tolist()
    book = load_workbook(io.BytesIO(export(client, "xlsx")))
    assert book["Documents"].max_row == len(rows) + 1
    groups = {row[0]: row[1] for row in book["Groups"].iter_rows(min_row=2, values_only=True)}
    assert groups == {group["group"]: group["name"] for group in client.get("/api/runs/1/groups")}


def test_every_file_has_a_name_that_says_what_it_is(client):
    names = {}
    for format in WRITERS:
        _, headers, _ = client.ask("GET", f"/api/runs/1/export?format={format}")
        names[format] = headers["content-disposition"].partition("filename=")[2].strip('"')
    project = client.get("/api/project")["name"]
    assert names == {
        "csv": f"{project}-run-1-documents.csv",
        "xlsx": f"{project}-run-1-documents.xlsx",
        "parquet": f"{project}-run-1-documents.parquet",
        "map-html": f"{project}-run-1-map.html",
        "map-svg": f"{project}-run-1-map.svg",
        "label-studio": f"{project}-run-1-label-studio.zip",
        "argilla": f"{project}-run-1-argilla.zip",
        "session": f"{project}-run-1-notebook.zip",
    }


def test_the_map_is_the_map_of_the_page(client, serving):
    rename(client, 2, "Bakers")
    page = export(client, "map-html").decode()
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.S)[0])
    names = {group["number"]: group["name"] for group in data["groups"]}
    assert names[2] == "Bakers"
    shown = client.get("/api/runs/1/groups")
    assert [group["number"] for group in data["groups"]] == [group["group"] for group in shown]
    status, _, content = client.ask("GET", "/api/runs/1/map")
    assert status == 200
    length = int(np.frombuffer(content[:4], "<u4")[0])
    n = json.loads(content[4 : 4 + length])["n"]
    x = np.frombuffer(content, "<f4", n, 4 + length)
    y = np.frombuffer(content, "<f4", n, 4 + length + x.nbytes)
    assert np.allclose(np.array(data["x"]) / data["scale"], np.clip(x, 0, 1), atol=1e-4)
    # the page of the studio has the origin at the top, a picture at the bottom
    assert np.allclose(1 - np.array(data["y"]) / data["scale"], np.clip(y, 0, 1), atol=1e-4)
    assert "Bakers" in export(client, "map-svg").decode()


def test_annotation_tools(client):
    tasks = zipfile.ZipFile(io.BytesIO(export(client, "label-studio")))
    assert sorted(tasks.namelist()) == ["config.xml", "tasks.json"]
    assert len(json.loads(tasks.read("tasks.json"))) == 120
    dataset = zipfile.ZipFile(io.BytesIO(export(client, "argilla")))
    files = {name for name in dataset.namelist() if not name.endswith("/")}
    assert files == {".argilla/dataset.json", ".argilla/settings.json", "records.json"}


def test_other_formats_and_runs_are_refused(client):
    status, _, content = client.ask("GET", "/api/runs/1/export?format=exe")
    assert status == 422
    assert "xlsx" in json.loads(content)["error"]["what"]
    assert client.ask("GET", "/api/runs/99/export?format=csv")[0] == 404


def test_a_notebook_reads_a_stored_network(tmp_path):
    network = cg.Network.from_matrix(np.eye(3))
    network.save(tmp_path / "net")
    project = Project.create(
        tmp_path / "net.studio", network, Settings(str(tmp_path / "net"), "", "colligate", 2)
    )
    recipe = make_recipe(project, RunRecord(1, "colligate", {}, 0, None, False, ""))
    project.close()
    assert "cg.Network.load(" in format_notebook(recipe)


def test_a_notebook_makes_the_groups_of_a_run_again(watched, tmp_path, monkeypatch):
    from colligate.studio.session_files import write_session

    session = watched.session
    first = session.view()
    ids = first.ids(first.by_membership[0][:3])
    for document in ids:
        session.record("label", {"document": document, "group": first.identity(1)}, run=first.record.number)
    more = first.ids(first.by_membership[0][3:5])
    session.record("label", {"documents": more, "group": first.identity(2)}, run=first.record.number)
    session.record("name", {"group": first.identity(1), "name": "Mine"})
    assert watched.run()["status"] == "done"
    view = session.view()
    assert view.record.started
    folder = write_session(session.project, view.record, tmp_path / "session")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("command.txt", "knowledge.yaml", "session.ipynb", "start.json"),
    ]
    result = run_cells(folder, monkeypatch)["result"]
    assert np.array_equal(result.labels["documents"], view.labels)
    assert result.group_numbers == tuple(view.record.identities)
    assert result.group_names == session.project.with_names(view.result, view.record).group_names
    # a group that only its words name has no name that the user gave, in this run and in those from it
    assert [name for name in result.given_names if name] == ["Mine"]
    start = ChangePlan(result, cg.Knowledge().outside([ids[0]])).start
    assert [name for name in start.names if name] == ["Mine"]
    fresh = write_session(session.project, first.record, tmp_path / "first")
    result = run_cells(fresh, monkeypatch)["result"]
    assert np.array_equal(result.labels["documents"], first.labels)
