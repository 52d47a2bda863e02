"""A run whose files are damaged: the last readable one is shown, nothing said is lost, and it goes on."""

from __future__ import annotations

import numpy as np
import pytest

from colligate.errors import NotFoundError
from colligate.studio.project import Project
from tests.studio.helpers import Serving, Watched, copy_project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_runs(finished, tmp_path_factory):
    """A project of two runs, closed, with a statement after each."""
    first = Watched(Project(copy_project(finished, tmp_path_factory.mktemp("two_runs"))))
    first.session.record("outside", {"document": "c3"})
    assert first.run()["status"] == "done"
    first.session.record("apart", {"type": "documents", "items": ["s0", "h0"]})
    first.session.close()
    return first.session.project.folder


@pytest.fixture
def folder(two_runs, tmp_path):
    """A copy of that project, which a test may damage."""
    return copy_project(two_runs, tmp_path)


@pytest.fixture
def served(folder):
    """Serve the project after something was done to it."""
    made = []

    def serve(*damaged):
        for path in damaged:
            (folder / path).write_bytes(b"half of it")
        made.append(Serving(Project(folder)))
        return made[-1]

    yield serve
    for one in made:
        one.close()


@pytest.mark.parametrize("part", ["runs/2/run.json", "runs/2/arrays.npz"])
def test_the_last_readable_run_is_shown_and_the_damage_told(served, part):
    client = served(part).client
    project = client.get("/api/project")
    assert project["current"] == 1
    assert [one["run"] for one in project["damaged"]] == [2]
    assert part.rpartition("/")[2] in project["damaged"][0]["what"]
    assert len(client.get("/api/runs/1/groups")) == 4
    assert client.ask("GET", "/api/runs/2/groups")[0] == 404
    said = client.get("/api/statements")
    assert [(one["kind"], one["status"], one["verdict"]) for one in said] == [
        ("outside", "live", ""),
        ("apart", "live", ""),
    ]
    assert client.ask("GET", "/api/runs/2/knowledge.yaml")[0] == 200


def test_clustering_again_goes_on_from_the_last_readable_run(served):
    serving = served("runs/2/arrays.npz")
    serving.session.record("label", {"document": "s1", "group": 0})
    assert serving.watched.run()["status"] == "done"
    view = serving.session.view()
    assert (view.record.number, view.record.parent, view.record.started) == (3, 1, True)
    assert set(view.record.identities) == set(serving.session.view(1).record.identities)
    assert serving.client.get("/api/project")["current"] == 3
    assert {one["verdict"] for one in serving.client.get("/api/statements")} <= {"kept", "broken"}


def test_a_run_whose_origin_is_damaged_is_shown_without_what_moved(served):
    client = served("runs/1/arrays.npz").client
    assert client.get("/api/project")["current"] == 2
    assert {(group["moved_in"], group["moved_out"]) for group in client.get("/api/runs/2/groups")} == {(0, 0)}
    assert client.ask("GET", "/api/runs/2/changes?from=1")[0] == 404


def test_where_no_run_can_be_read_a_new_one_has_groups_of_its_own(served):
    serving = served("runs/1/run.json", "runs/2/run.json")
    assert serving.client.get("/api/project")["current"] is None
    assert len(serving.client.get("/api/statements")) == 2
    with pytest.raises(NotFoundError, match="no run that can be read"):
        serving.session.view()
    assert serving.watched.run()["status"] == "done"
    assert min(serving.session.view().record.identities) > 3


def test_a_lost_map_is_made_again(served, folder):
    (folder / "maps" / "1.npz").unlink()
    serving = served("maps/2.npz")
    for run in (1, 2):
        status, _, content = serving.client.ask("GET", f"/api/runs/{run}/map")
        assert (status, len(content) > 120 * 11) == (200, True)
    assert serving.watched.run(fresh=True)["status"] == "done"


def test_a_run_damaged_while_it_is_shown_does_not_stop_the_next(served, folder):
    serving = served()
    before = serving.session.view()
    (folder / "runs" / "2" / "arrays.npz").write_bytes(b"half of it")
    (folder / "maps" / "2.npz").write_bytes(b"half of it")
    assert serving.watched.run(fresh=True)["status"] == "done"
    after = serving.session.view()
    assert after.record.number == 3
    assert np.unique(after.identities).size == np.unique(before.identities).size
