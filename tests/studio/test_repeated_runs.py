"""A run with nothing new that can move documents keeps groups and confidence, and can be repeated."""

from __future__ import annotations

import gzip
import json
import shlex
from importlib.resources import files

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.result import Result
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from colligate.studio.session_files import write_session
from tests.studio.helpers import Watched


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """A session on a part of the texts of the demo, after its first run."""
    folder = tmp_path_factory.mktemp("repeated")
    with gzip.open(files("colligate") / "demo" / "articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        posts = [json.loads(line) for line in lines][::4]
    path = folder / "posts.jsonl"
    path.write_text("".join(json.dumps(post) + "\n" for post in posts), encoding="utf-8")
    settings = Settings(str(path), hash_input(path), DEFAULT_METHOD, 5)
    watched = Watched(Project.create(folder / "posts.studio", Corpus.read(path), settings))
    assert watched.run()["status"] == "done"
    yield watched
    watched.session.close()


def cluster(watched, **request):
    assert watched.run(**request)["status"] == "done"
    return watched.session.view()


def change(before, after):
    """Return the largest change of a confidence; labels must be the same."""
    assert np.array_equal(before.identities, after.identities)
    return float(np.abs(before.result.confidence - after.result.confidence).max())


def group_of(view):
    return int(np.bincount(view.identities[view.identities >= 0]).argmax())


@pytest.mark.parametrize("fresh", [False, True], ids=["first run", "fresh start"])
def test_names_and_frozen_groups_change_no_confidence(studio, fresh):
    session = studio.session
    if fresh:
        first = session.view()
        session.record("label", {"document": first.ids([0])[0], "group": int(first.identities[0])})
    before = cluster(studio, fresh=True) if fresh else session.view()
    assert change(before, cluster(studio)) == 0
    group = group_of(before)
    session.record("name", {"group": group, "name": f"The largest {fresh}"})
    assert change(before, cluster(studio)) == 0
    session.record("freeze", {"group": group})
    frozen = cluster(studio)
    assert change(before, frozen) == 0
    assert frozen.result.audit().frozen_counts()["kept"] >= np.count_nonzero(before.identities == group) - 1
    session.record("thaw", {"group": group})
    assert change(before, cluster(studio)) == 0


def test_the_exported_files_of_a_repeated_run_make_its_groups_names_and_confidence(studio, tmp_path):
    session = studio.session
    before = cluster(studio, fresh=True)
    session.record("name", {"group": group_of(before), "name": "Many posts"})
    session.record("freeze", {"group": group_of(before)})
    view = cluster(studio)
    assert view.record.repeats == before.record.number
    folder = write_session(session.project, view.record, tmp_path / "session")
    command = shlex.split((folder / "command.txt").read_text(encoding="utf-8"))[1:]
    command = [str(folder / word) if (folder / word).is_file() else word for word in command]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    again = Result.load(tmp_path / "run" / "model")
    assert again.group_names == session.project.with_names(view.result, view.record).group_names
    assert "Many posts" in again.group_names
    assert again.group_numbers == view.record.identities
    assert np.array_equal(again.numbers_of(again.labels["documents"]), view.identities)
    assert np.allclose(again.confidence, view.result.confidence, atol=1e-6)


def test_a_statement_that_can_move_documents_is_not_repeated(studio):
    session = studio.session
    view = session.view()
    session.record("label", {"document": view.ids([3])[0], "group": int(view.identities[3])})
    assert cluster(studio).record.repeats is None
    session.undo()
    assert cluster(studio).record.repeats is None
    assert cluster(studio, knowledge="off").record.repeats is None
    assert cluster(studio).record.repeats is None
