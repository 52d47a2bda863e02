from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.errors import StoreError
from colligate.studio.project import ConflictError, Journal
from colligate.studio.project.journal import TEXT


@pytest.fixture
def journal(tmp_path):
    made = Journal(tmp_path / "journal.sqlite")
    yield made
    made.close()


class Model:
    """A journal as two lists: what stands, and what can be done again."""

    def __init__(self) -> None:
        self.live: list[int] = []
        self.undone: list[int] = []
        self.said = 0

    def say(self) -> None:
        self.live.append(self.said)
        self.said += 1
        self.undone = []

    def undo(self) -> None:
        if self.live:
            self.undone.append(self.live.pop())

    def redo(self) -> None:
        if self.undone:
            self.live = sorted([*self.live, self.undone.pop()])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["say", "undo", "redo", "reopen"]), max_size=25))
def test_saying_undoing_and_doing_again_is_as_two_lists(acts):
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "journal.sqlite"
        journal, model = Journal(path), Model()
        for act in acts:
            if act == "reopen":
                journal.close()
                journal = Journal(path)
            elif act == "say":
                journal.add("outside", {"document": str(model.said)})
                model.say()
            else:
                getattr(journal, act)()
                getattr(model, act)()
            assert [entry.body["document"] for entry in journal.live()] == list(map(str, model.live))
        assert len(journal.entries()) == model.said
        journal.close()


def test_every_act_has_a_number_and_nothing_is_deleted(journal):
    first = journal.add("outside", {"document": "a"}, who="me", why="because")
    journal.undo()
    journal.redo()
    assert journal.head == 3
    assert journal.entries() == [first]


def test_one_statement_can_be_taken_back_by_its_id(journal):
    first, second = (journal.add("outside", {"document": name}) for name in "ab")
    journal.undo(first.id)
    assert journal.live() == [second]
    assert journal.undo("no such id") is None


def test_a_statement_sent_twice_is_said_once(journal):
    first = journal.add("outside", {"document": "a"}, id="x")
    assert journal.add("outside", {"document": "a"}, id="x") == first
    assert len(journal.entries()) == 1


def test_a_file_replaces_what_was_said_until_it_is_undone(journal):
    before = journal.add("outside", {"document": "a"})
    journal.add(TEXT, {"text": ""})
    after = journal.add("outside", {"document": "b"})
    assert [entry.seq for entry in journal.live()] == [2, after.seq]
    journal.undo()
    journal.undo()
    assert journal.live() == [before]


def test_an_edit_of_a_text_that_is_out_of_date_is_refused_with_what_came_since(journal):
    seen = journal.head
    late = journal.add("outside", {"document": "a"})
    with pytest.raises(ConflictError, match="since you opened this text") as refused:
        journal.add(TEXT, {"text": ""}, after=seen)
    assert refused.value.since == [late]
    assert journal.live() == [late]


def test_a_second_studio_is_kept_out(journal, tmp_path):
    with pytest.raises(StoreError, match="another studio"):
        Journal(tmp_path / "journal.sqlite")


def test_a_damaged_or_newer_journal_is_refused(tmp_path):
    (tmp_path / "damaged").write_bytes(b"no database " * 500)
    with pytest.raises(StoreError, match="damaged"):
        Journal(tmp_path / "damaged")
    newer = Journal(tmp_path / "newer")
    newer.connection.execute("PRAGMA user_version=99")
    newer.close()
    with pytest.raises(StoreError, match="newer version of Colligate"):
        Journal(tmp_path / "newer")
