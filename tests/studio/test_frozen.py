"""A frozen group keeps its documents, and freezing changes no measure: it teaches nothing about documents."""

from __future__ import annotations

import numpy as np
import pytest

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.knowledge.statements import FROZEN_SUFFIX
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from colligate.studio.server.endpoint import Call
from colligate.studio.server.handlers.changes import get_changes
from colligate.studio.server.handlers.documents import get_document
from colligate.studio.server.handlers.groups import get_groups
from colligate.studio.server.handlers.knowledge import get_audit
from tests.studio.helpers import Watched, write_corpus


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A session by the usual method, with a second run that changed nothing."""
    folder = tmp_path_factory.mktemp("frozen")
    docs = write_corpus(folder / "docs.jsonl")
    settings = Settings(str(docs), hash_input(docs), DEFAULT_METHOD, 3)
    made = Watched(Project.create(folder / "docs.jsonl.studio", Corpus.read(docs), settings))
    assert made.run()["status"] == made.run()["status"] == "done"
    yield made
    made.session.close()


@pytest.fixture
def frozen(mixed):
    """The largest group, frozen, and the run after that."""
    session = mixed.session
    group = int(np.bincount(session.view(2).identities).argmax())
    session.record("freeze", {"group": group}, run=2)
    assert mixed.run(from_run=2)["status"] == "done"
    yield group
    session.undo()


def confidences(session, run):
    return {each["group"]: each["confidence"] for each in get_groups(session, Call({"run": run}))}


def test_freezing_changes_no_confidence(mixed, frozen):
    session = mixed.session
    after = session.view()
    assert np.array_equal(after.identities, session.view(2).identities)
    assert confidences(session, after.record.number) == pytest.approx(confidences(session, 2), abs=0.01)
    assert confidences(session, 2)[frozen] < 0.99


def test_documents_of_a_frozen_group_are_called_frozen(mixed, frozen):
    session, number = mixed.session, mixed.session.view().record.number
    size = int((session.view().identities == frozen).sum())
    audit = get_audit(session, Call({"run": number}, {"limit": "500"}))
    assert (sum(audit["frozen"].values()), sum(audit["exemplars"].values())) == (size, 0)
    assert {(row["frozen"], row["stands_in"]) for row in audit["rows"]} == {(True, False)}
    changes = get_changes(session, Call({"run": number}, {"from": "2"}))
    assert sum(changes["frozen"].values()) == size
    inside, outside = (int(np.flatnonzero(flags)[0]) for flags in _sides(session.view(), frozen))
    assert get_document(session, Call({"run": number, "document": inside}))["frozen"]
    assert not get_document(session, Call({"run": number, "document": outside}))["frozen"]


def test_the_knowledge_file_says_that_documents_are_frozen(mixed, frozen):
    text = mixed.session.project.knowledge()
    size = int((mixed.session.view().identities == frozen).sum())
    assert text.count(FROZEN_SUFFIX) == size
    assert "stands for its group" not in text


def _sides(view, group):
    return view.identities == group, view.identities != group
