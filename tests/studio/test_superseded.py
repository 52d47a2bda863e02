"""What a later statement overrules is told so, and what has the last word is judged."""

from __future__ import annotations

import pytest

from colligate.errors import KnowledgeError
from colligate.studio.knowledge import superseded
from colligate.studio.project import Entry
from colligate.studio.server.handlers.knowledge import describe_entries
from tests.studio.test_session import home


def entries(*said):
    return [Entry(seq, str(seq), "", "", "", kind, body) for seq, (kind, body) in enumerate(said, start=1)]


def label(*documents):
    return "label", {"documents": list(documents), "group": 0, "new": "", "moves": [], "names": {}}


def fates(session):
    """The verdict on every statement that stands, or by which one it was overruled."""
    found = describe_entries(session, session.project.journal.live())
    return [one["overruled"] or one["verdict"] for one in found]


def test_the_last_of_several_has_the_word():
    pair = {"type": "documents", "items": ["a", "b"]}
    outside = ("outside", {"document": "a"})
    assert superseded(entries(label("a"), label("a"), outside)) == {1: 3, 2: 3}
    assert superseded(entries(("together", pair), ("apart", {**pair, "items": ["b", "a"]}))) == {1: 2}
    assert superseded(entries(("together", pair), ("apart", {**pair, "items": ["a", "c"]}))) == {}


def test_one_of_many_is_overruled_when_all_of_it_is():
    assert superseded(entries(label("a", "b"), label("a"))) == {}
    assert superseded(entries(label("a", "b"), label("a"), label("b", "c"))) == {1: 3}


def test_the_name_of_a_group_that_was_merged_away_and_its_freezing_are_overruled():
    freeze = ("freeze", {"group": 1, "documents": ["a"], "names": {}})
    name = ("name", {"group": 1, "name": "Below", "names": {}})
    merge = ("merge", {"groups": [0, 1], "moves": [], "names": {}})
    assert superseded(entries(freeze, name, merge)) == {1: 3, 2: 3}


def test_the_freezing_of_a_group_is_overruled_by_its_thawing():
    freeze = ("freeze", {"group": 1, "documents": ["a"], "names": {}})
    assert superseded(entries(freeze, ("thaw", {"group": 1, "names": {}}))) == {1: 2}
    assert superseded(entries(freeze, ("thaw", {"group": 0, "names": {}}))) == {}


def test_labels_and_names_said_again_are_judged_by_the_last(watched, session):
    view = session.view(1)
    food, hockey, cars = (home(view, name) for name in ("f0", "h0", "c0"))
    said = [
        session.record("label", {"document": "s1", "group": group}, run=1) for group in (food, hockey, cars)
    ]
    names = [session.record("name", {"group": food, "name": name}, run=1) for name in ("Macs", "PCs")]
    assert watched.run(from_run=1)["status"] == "done"
    last, called = said[-1].seq, names[-1].seq
    assert fates(session) == [last, last, "kept", called, "kept"]


def test_a_name_is_judged_where_others_stand_for_the_group_already(watched, session):
    group = home(session.view(1), "c0")
    session.record("label", {"document": "c1", "group": group}, run=1)
    session.record("freeze", {"group": group}, run=1)
    session.record("name", {"group": group, "name": "On the road"}, run=1)
    assert watched.run(from_run=1)["status"] == "done"
    assert fates(session) == ["kept", "kept", "kept"]


def test_notes_of_another_project_are_not_taken_for_statements_of_this_one(watched, session):
    """The other project's statement is broken here, and has the number of one that is kept."""
    head = session.project.journal.head
    note = f"studio statement {head + 2}, 2026-01-01T00:00:00+00:00, Ada"
    text = f"documents: {{apart: [{{pair: [s0, s1], note: '{note}'}}]}}\n"
    session.replace_knowledge(text, head)
    said = session.record("apart", {"type": "documents", "items": ["s2", "h0"]}, run=1)
    assert said.seq == head + 2
    assert watched.run(from_run=1)["status"] == "done"
    audit = session.view().result.audit()
    assert [audit.statement(number).status for number in range(2)] == ["broken", "kept"]
    assert fates(session)[-1] == "kept"


def test_the_notes_of_another_project_are_not_told_as_statements_to_undo(session):
    head = session.project.journal.head
    note = f"studio statement {head + 1}, 2026-01-01T00:00:00+00:00"
    session.replace_knowledge(f"documents: {{together: [{{pair: [s0, s1], note: '{note}'}}]}}\n", head)
    link = {"type": "documents", "items": ["s1", "s2"]}
    second = session.record("together", link, run=1)
    with pytest.raises(KnowledgeError) as told:
        session.record("apart", {"type": "documents", "items": ["s0", "s2"]}, run=1)
    assert "s0–s1 (the knowledge file)" in str(told.value)
    assert f"undo statement {second.seq} first" in str(told.value)
