"""Known labels: runs are held against them, and no method is told."""

from __future__ import annotations

import json

import pytest

from colligate.cli.console import Watch
from colligate.cli.studio import create_project
from colligate.errors import StoreError
from colligate.progress import ignore_events
from colligate.studio.project import Project
from tests.studio.helpers import Serving, write_corpus

pytestmark = pytest.mark.slow

GIVEN = {
    "knowledge": None,
    "kb": None,
    "kb_type": None,
    "method": "citcc",
    "clusters": 4,
    "seed": 0,
    "text": ["text"],
    "id": "id",
    "encoding": None,
    "stop_words": None,
    "min_df": None,
    "max_df": 1.0,
    "ngrams": (1, 1),
    "token_pattern": None,
    "lowercase": True,
    "stem": None,
    "segmenter": None,
    "keep_markup": False,
    "fold_duplicates": False,
    "label": "topic",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("labels")
    docs = write_corpus(place / "docs.jsonl")
    rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
    rows[0]["topic"] = ""
    lines = [json.dumps({"topic": row["id"][0], **row}) for row in rows]
    docs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    project, asked = create_project(place / "project", {**GIVEN, "input": docs}, Watch(ignore_events))
    project.close()
    assert asked is None
    return place / "project"


def test_compare_holds_both_runs_against_them(folder):
    made = Serving(Project(folder))
    try:
        assert made.watched.run()["status"] == "done"
        assert made.watched.run(method="kmeans", n_clusters=3)["status"] == "done"
        first, second = made.client.get("/api/compare?runs=1,2")["metrics"]
        assert first["nmi"] > 0.9
        assert second["nmi"] < first["nmi"]
        assert not made.session.project.knowledge()
        view = made.session.view(1)
        assert view.result.compiled is None
    finally:
        made.close()


def test_a_project_without_labels_has_no_metrics(serving):
    assert serving.client.get("/api/compare?runs=1,1")["metrics"] is None


def test_damaged_labels_are_told_by_the_name_of_the_file(folder):
    whole = (folder / "labels.json").read_bytes()
    (folder / "labels.json").write_bytes(whole[:10])
    with pytest.raises(StoreError, match=r"labels\.json"):
        Project(folder)
    (folder / "labels.json").write_bytes(whole)
