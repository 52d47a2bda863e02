"""An action is one class: a new one works everywhere without a change to other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from colligate.errors import KnowledgeError, NotFoundError
from colligate.studio import actions
from colligate.studio.actions.state import ProjectState
from colligate.studio.group_names import display_names
from colligate.studio.server.endpoint import Call
from colligate.studio.server.handlers.documents import get_document
from colligate.studio.server.handlers.knowledge import describe_entries, post_statements
from tests.studio.test_session import home

MORE = Path(__file__).parent / "more_actions"


@pytest.fixture
def more_actions(monkeypatch):
    """One more action lies in the package."""
    monkeypatch.setattr(actions, "__path__", [*actions.__path__, str(MORE)])
    actions.list_actions.cache_clear()
    yield
    actions.list_actions.cache_clear()


def state(session, document, group):
    body = {"document": document, "group": group}
    return post_statements(session, Call({}, body={"kind": "example", "body": body, "run": 1}))


def test_the_actions_of_the_studio():
    assert list(actions.list_actions()) == [
        "apart",
        "category",
        "freeze",
        "knowledge",
        "label",
        "merge",
        "name",
        "outside",
        "split",
        "thaw",
        "together",
    ]
    with pytest.raises(KnowledgeError, match="kinds: apart, category, freeze, label, merge"):
        actions.find_requestable("knowledge")


def test_a_request_of_a_new_action_is_checked(more_actions, session):
    with pytest.raises(KnowledgeError, match=r"example needs the field 'group'"):
        session.record("example", {"document": "s1"}, run=1)
    with pytest.raises(KnowledgeError, match="example has no field 'into'"):
        session.record("example", {"document": "s1", "group": 0, "into": 2}, run=1)
    with pytest.raises(KnowledgeError, match="'nobody' is not among the documents"):
        session.record("example", {"document": "nobody", "group": 0}, run=1)
    with pytest.raises(NotFoundError, match="no group 77"):
        session.record("example", {"document": "s1", "group": 77}, run=1)


def test_a_new_action_is_completed_compiled_described_superseded_and_replayed(more_actions, session):
    view = session.view(1)
    hockey = home(view, "h0")
    name = display_names(session.project, view)[hockey].name
    first, second = state(session, "s1", hockey), state(session, "s2", hockey)
    assert first["sentence"] == f"s1 is the best example of {name}"
    text = session.project.knowledge()
    assert "s1" in text
    assert f"studio statement {first['seq']}" in text
    described = describe_entries(session, session.project.journal.live())
    assert [entry["overruled"] for entry in described] == [second["seq"], 0]
    groups = ProjectState(session.project, view).groups
    assert groups.labels[view.row_of["s2"]] == hockey
    document = get_document(session, Call({"run": 1, "document": view.row_of["s2"]}))
    assert [entry["seq"] for entry in document["statements"]] == [second["seq"]]
    session.record("name", {"group": hockey, "name": "On ice"}, run=1)
    assert state(session, "s3", hockey)["sentence"] == "s3 is the best example of On ice"


def test_a_new_action_is_judged_by_the_next_run_and_undone(more_actions, session, watched):
    entry = state(session, "h1", home(session.view(1), "h0"))
    assert watched.run(from_run=1)["status"] == "done"
    assert describe_entries(session, session.project.journal.live())[0]["verdict"] == "kept"
    session.undo(entry["id"])
    assert session.project.knowledge() == ""
