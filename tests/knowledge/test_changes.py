"""Changes to groups: built in code, read from the knowledge file, and refused where they are wrong."""

from __future__ import annotations

import pytest

import colligate as cg
from colligate.errors import KnowledgeError
from colligate.knowledge.changes import Change, find_group

TEXT = """\
changes:
- rename: {group: 3, to: UK party politics}
- merge: [3, economy]
- split: {group: 4, into: 3}
- move: {documents: [a12, 007], to: 5}
- seed: {word: olympic, to: Athletics}
documents: {together: [[a, b]]}
"""


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "knowledge.yaml"
        path.write_text(text, encoding="utf-8")
        return cg.Knowledge.read(path)

    return read_text


def test_the_section_is_read_in_order_with_numbers_and_names(read):
    knowledge = read(TEXT)
    assert len(knowledge) == 1
    assert [change.act for change in knowledge.changes] == ["rename", "merge", "split", "move", "seed"]
    assert [change.groups for change in knowledge.changes] == [
        (3,),
        (3, "economy"),
        (4,),
        (5,),
        ("Athletics",),
    ]
    assert knowledge.changes[3].documents == ("a12", "007")
    assert knowledge.changes[2].into == 3
    assert [change.line for change in knowledge.changes] == [2, 3, 4, 5, 6]


def test_a_file_is_written_and_read_back(read, tmp_path):
    knowledge = read(TEXT)
    knowledge.write(tmp_path / "again.yaml")
    again = cg.Knowledge.read(tmp_path / "again.yaml")
    without_lines = [
        [(c.act, c.groups, c.documents, c.word, c.name, c.into) for c in k.changes]
        for k in (knowledge, again)
    ]
    assert without_lines[0] == without_lines[1]


def test_changes_are_kept_when_knowledge_is_joined():
    first, second = cg.Knowledge().change("merge", 1, 2), cg.Knowledge().change("split", 3)
    assert [change.act for change in (first + second).changes] == ["merge", "split"]
    assert bool(first)
    assert len(first) == 0


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("changes:\n- fuse: [1, 2]\n", r":2: unknown key 'fuse' in a change"),
        ("changes:\n- merge: [1]\n", r":2: the change 'merge' needs two or more groups"),
        ("changes:\n- split: {group: 1, into: many}\n", r":2: 'into' must be a whole number; got many"),
        ("changes:\n- split: {group: 1, into: 1}\n", r":2: a group can be split into 2 to 100 parts"),
        ("changes:\n- rename: {group: 1}\n", r":2: the change 'rename' needs 'to'"),
        ("changes:\n- move: {documents: [], to: 1}\n", r":2: the change 'move' needs 'documents'"),
        (
            "changes:\n- {merge: [1, 2], split: {group: 1}}\n",
            r":2: each item of 'changes' must have exactly one",
        ),
        ("changes: {merge: [1, 2]}\n", r":1: 'changes' must be a list"),
        ("chnages: []\n", "did you mean 'changes'"),
    ],
)
def test_a_wrong_change_is_refused_with_its_line(read, text, match):
    with pytest.raises(KnowledgeError, match=match):
        read(text)


@pytest.mark.parametrize(
    ("arguments", "details", "match"),
    [
        (("fuse", 1), {}, "use one of rename, move, merge, split, seed"),
        (("merge", 1, -2), {}, "the change 'merge' has a wrong group"),
        (("merge", 1, True), {}, "has a wrong group"),
        (("move", 1), {}, "'move' needs 'documents'"),
        (("rename", 1, 2), {"name": "x"}, "'rename' needs one group"),
        (("rename", 1), {"name": 5}, "'name' of the change 'rename' must be text; got 5"),
        (("seed", 1), {"word": 5}, "'word' of the change 'seed' must be text; got 5"),
        (("move", 1), {"documents": None}, "must be a list of ids; got None"),
        (("move", 1), {"documents": "d1"}, "must be a list of ids; got 'd1'"),
        (("move", 1), {"documents": [3]}, "'documents' of the change 'move' must be text; got 3"),
        (("split", 1), {"into": "x"}, "'into' of the change 'split' must be a number; got 'x'"),
        (("split", 1), {"into": 2.5}, "must be a number; got 2.5"),
    ],
)
def test_a_wrong_change_is_refused_in_code(arguments, details, match):
    with pytest.raises(KnowledgeError, match=match):
        cg.Knowledge().change(*arguments, **details)


def test_a_group_is_found_by_number_or_name():
    assert find_group(7, [3, 7], ["a", "b"]) == find_group("b", [3, 7], ["a", "b"]) == 7
    assert find_group("c", [3, 7], ["a", "b"]) is None
    assert find_group(5, [3, 7], ["a", "b"]) is None


def test_a_type_cannot_have_the_name_of_the_section():
    with pytest.raises(KnowledgeError, match="a type cannot be called 'changes'"):
        cg.Knowledge().label({"a": "x"}, type="changes")


def test_a_change_has_its_parts():
    assert Change("split", (1,)).into == 2
