from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.errors import KnowledgeError
from colligate.studio.actions import find_requestable
from colligate.studio.knowledge import find_number, knowledge_text, number_sources
from colligate.studio.knowledge_file import import_text, read_text, refuse_new_paths
from colligate.studio.project import Entry
from colligate.studio.project.journal import TEXT


@pytest.fixture
def told(tmp_path):
    """The sentences of the knowledge file that some statements make."""

    def sentences(*said):
        entries = [
            Entry(seq, str(seq), "2026-01-01T00:00:00+00:00", "me", "", kind, body)
            for seq, (kind, body) in enumerate(said, start=1)
        ]
        text = knowledge_text(entries, tmp_path, "documents", "words")
        return [statement.sentence for statement in read_text(text, tmp_path)]

    return sentences


def label(document, group, *exemplars):
    return "label", {"document": document, "group": 0, "label": group, "exemplars": list(exemplars)}


def test_a_document_is_labelled_with_those_that_stand_for_its_group(told):
    assert told(label("a", "north", "x", "y")) == [
        "document x is labelled north",
        "document y is labelled north",
        "document a is labelled north",
    ]


def test_the_last_word_on_a_document_stands(told):
    assert told(label("a", "north"), label("a", "south")) == ["document a is labelled south"]
    assert told(label("a", "north"), ("outside", {"document": "a"})) == [
        "document a is outside every cluster"
    ]
    assert told(("outside", {"document": "a"}), label("a", "north")) == ["document a is labelled north"]


def test_what_a_person_said_of_a_document_is_not_overruled_where_it_stands_for_a_group(told):
    assert told(label("a", "north"), label("b", "south", "a")) == [
        "document a is labelled north",
        "document b is labelled south",
    ]


def test_the_size_of_a_group_follows_its_new_name(told):
    file = TEXT, {"text": "documents:\n  labels: {a: north}\ngroups:\n  north: {at_most: 5}\n"}
    name = "name", {"group": 0, "label": "north", "name": "the Arctic", "exemplars": []}
    assert told(file, name) == [
        "document a is labelled the Arctic",
        "group the Arctic has at most 5 documents",
    ]


def test_a_pair_said_apart_is_together_no_more(told):
    pair = {"type": "documents", "items": ["a", "b"]}
    turned = {"type": "documents", "items": ["b", "a"]}
    assert told(("together", pair), ("apart", turned)) == ["documents b and a belong apart"]


def test_statements_overrule_the_file_they_came_after(told):
    file = (
        "categories: {space: [orbit, moon]}\n"
        "documents:\n  labels: {a: north, b: north}\n  outside: [c]\n  together: [[d, e], [f, g]]\n"
    )
    found = told(
        (TEXT, {"text": file}),
        label("a", "south"),
        label("c", "south"),
        ("category", {"name": "sport", "word": "orbit"}),
        ("apart", {"type": "documents", "items": ["e", "d"]}),
    )
    assert sorted(found) == sorted(
        [
            "document b is labelled north",
            "document a is labelled south",
            "document c is labelled south",
            "word moon is in category space",
            "word orbit is in category sport",
            "documents f and g belong together",
            "documents e and d belong apart",
        ]
    )


def test_merging_makes_two_labels_one_in_the_file_too(told):
    merge = {"groups": [0, 1], "labels": ["north", "south"], "exemplars": [["x"], ["y"]]}
    found = told((TEXT, {"text": "documents: {labels: {b: south}}"}), label("a", "south"), ("merge", merge))
    assert found == [f"document {name} is labelled north" for name in "baxy"]


def test_naming_a_group_renames_its_label_and_can_be_turned_back(told):
    def name(new):
        return "name", {"group": 0, "name": new, "label": "group 1", "exemplars": ["x"]}

    assert told(label("a", "group 1"), name("Cats")) == [
        "document a is labelled Cats",
        "document x is labelled Cats",
    ]
    assert told(label("a", "group 1"), name("Cats"), name("group 1")) == [
        "document a is labelled group 1",
        "document x is labelled group 1",
    ]


def test_what_a_person_said_of_a_document_is_not_said_by_the_freezing_of_its_group(tmp_path):
    when, freeze = "2026-01-01T00:00:00+00:00", {"group": 0, "label": "north", "documents": ["a", "b"]}
    said = [label("a", "north"), ("freeze", freeze)]
    entries = [Entry(seq, str(seq), when, "", "", *one) for seq, one in enumerate(said, start=1)]
    found = read_text(knowledge_text(entries, tmp_path, "documents", "words"), tmp_path)
    numbers = {row.subject: find_number(row.note, number_sources(entries)) for row in found}
    assert numbers == {"a": 1, "b": 2}


def test_several_documents_are_labelled_or_outside_at_once(told):
    both = {"documents": ["a", "b"], "group": 0, "label": "north", "exemplars": ["x"]}
    assert told(("label", both)) == [f"document {name} is labelled north" for name in "xab"]
    outside = ("outside", {"documents": ["a", "b"]})
    assert told(("label", both), outside) == [
        "document x is labelled north",
        "document a is outside every cluster",
        "document b is outside every cluster",
    ]


def test_splitting_a_frozen_group_thaws_it(told):
    freeze = ("freeze", {"group": 0, "label": "north", "documents": ["a", "b"]})
    split = ("split", {"group": 0, "into": 2, "labels": ["north", "north, part 2"], "seeds": [["a"], ["c"]]})
    assert told(freeze) == ["document a is labelled north", "document b is labelled north"]
    assert told(freeze, split) == [
        "document a is labelled north",
        "document c is labelled north, part 2",
    ]


def test_who_when_and_why_stand_in_the_file(tmp_path):
    entry = Entry(7, "x", "2026-01-01T00:00:00+00:00", "Ann", "it is: odd", "outside", {"document": "a"})
    text = knowledge_text([entry], tmp_path, "documents", "words")
    assert "studio statement 7, 2026-01-01T00:00:00+00:00, Ann: it is: odd" in text.replace("\n     ", "")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS.filter(str.strip))
def test_any_text_goes_into_the_file_and_comes_back(why, document):
    labelled = {"document": f"{document}!", "group": 0, "label": "north", "exemplars": []}
    entries = [
        Entry(1, "x", "2026-01-01T00:00:00+00:00", why, why, "outside", {"document": document}),
        Entry(2, "y", "2026-01-01T00:00:00+00:00", why, why, "label", labelled),
    ]
    with tempfile.TemporaryDirectory() as place:
        text = knowledge_text(entries, Path(place), "documents", "words")
        read = read_text(text, Path(place))
        found = {statement.kind: statement.subject for statement in read}
        numbers = [find_number(note, number_sources(entries)) for note in read.statements.note]
    assert found == {"outside": document, "label": f"{document}!"}
    assert sorted(numbers) == [1, 2]


def test_the_users_own_file_is_kept_as_it_is(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("# my notes\ndocuments: {labels: {a: north}}\n", encoding="utf-8")
    assert import_text(file, tmp_path) == file.read_text(encoding="utf-8")


def test_files_that_a_knowledge_file_names_are_found_from_anywhere(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "others.csv").write_text("id,text\n1,strange words here\n", encoding="utf-8")
    file = tmp_path / "sub" / "mine.yaml"
    file.write_text("documents: {outside: others.csv}\n", encoding="utf-8")
    text = import_text(file, tmp_path)
    assert str(tmp_path / "sub" / "others.csv") in text
    (tmp_path / "elsewhere").mkdir()
    assert len(read_text(text, tmp_path / "elsewhere")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "documents: {outside: /etc/passwd}",
        "documents: {outside: {path: /etc/passwd}}",
        "documents:\n  outside:\n  - a\n  - path: ../secret.csv",
        "people: {outside: x.csv}",
    ],
)
def test_a_page_may_name_no_files(text):
    with pytest.raises(KnowledgeError, match="cannot refer to files"):
        refuse_new_paths(text, ())


def test_a_page_may_name_the_files_that_were_named_before():
    refuse_new_paths("documents: {outside: /own.csv}", {"/own.csv"})
    refuse_new_paths("documents: {outside: [a, b], labels: {path: x}}", ())


def test_an_error_names_the_line_and_no_temporary_place(tmp_path):
    with pytest.raises(KnowledgeError, match=r"^knowledge\.yaml:2: "):
        read_text("documents:\n  labls: {a: b}\n", tmp_path)


@pytest.mark.parametrize("end", ["", "\n"])
def test_an_error_at_the_end_of_the_text_names_its_last_line(tmp_path, end):
    with pytest.raises(KnowledgeError, match=r"^knowledge\.yaml:3: "):
        read_text(f"documents:\n  labels:\n    a: [north{end}", tmp_path)


@pytest.mark.parametrize(
    ("kind", "body", "match"),
    [
        ("shout", {}, "no statement of the kind 'shout'"),
        ("label", {"document": "a"}, "label needs the field 'group'"),
        ("label", {"document": "a", "group": True}, "must be the number of a group; got True"),
        ("label", {"document": "a", "group": -1}, "must be the number of a group"),
        ("together", {"type": "documents", "items": ["a"]}, "two or more"),
        ("name", {"group": 0, "name": "a\x1b[31m"}, "printable"),
        ("name", {"group": 0, "name": "x" * 201}, "at most 200"),
        ("split", {"group": 0, "into": 9}, "from 2 to 8"),
        ("label", {"documents": [], "group": 0}, "a list of 1 to 1000 ids"),
        ("outside", {"documents": ["a"], "document": "b"}, "has no field 'document'"),
        ("outside", {"document": "a", "path": "/etc/passwd"}, "has no field 'path'"),
    ],
)
def test_what_is_not_whole_is_refused(kind, body, match):
    with pytest.raises(KnowledgeError, match=match):
        find_requestable(kind).parse(body)
