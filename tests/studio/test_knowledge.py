from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.errors import KnowledgeError
from colligate.studio.actions import find_action, find_requestable
from colligate.studio.group_names import GroupNames
from colligate.studio.knowledge import find_number, knowledge_text, log_actions, number_sources
from colligate.studio.knowledge_file import import_text, paths_in, read_text, refuse_new_paths
from colligate.studio.project import Entry
from colligate.studio.project.journal import TEXT

WORDS = {0: "north", 1: "south", 2: "east"}


def make_entries(*statements):
    return [
        Entry(seq, str(seq), "2026-01-01T00:00:00+00:00", "me", "", kind, body)
        for seq, (kind, body) in enumerate(statements, start=1)
    ]


def write(entries, folder, claims=()):
    """Write the knowledge file of statements on groups that are known by the words north, south and east."""
    log = log_actions(entries)
    names = GroupNames(log, WORDS, dict(claims))
    return knowledge_text(log, names, folder, "documents", "words")


@pytest.fixture
def told(tmp_path):
    """The sentences of the knowledge file that some statements make."""

    def sentences(*statements, claims=()):
        text = write(make_entries(*statements), tmp_path, claims)
        return [statement.sentence for statement in read_text(text, tmp_path)]

    return sentences


def label(document, group, new=""):
    return "label", {"document": document, "group": group, "new": new, "moves": [], "names": {}}


def name(group, new):
    return "name", {"group": group, "name": new, "names": {}}


def merge(kept, gone):
    return "merge", {"groups": [kept, gone], "moves": [], "names": {}}


def category(word, group, new=""):
    return "category", {"word": word, "group": group, "new": new, "moves": [], "names": {}}


def freeze(group, *documents):
    return "freeze", {"group": group, "documents": list(documents), "names": {}}


def test_a_label_is_written_with_the_present_name_of_its_group(told):
    assert told(label("a", 0)) == ["document a is labelled north"]
    assert told(label("a", 0), name(0, "the Arctic")) == ["document a is labelled the Arctic"]


def test_the_last_word_on_a_document_stands(told):
    assert told(label("a", 0), label("a", 1)) == ["document a is labelled south"]
    assert told(label("a", 0), ("outside", {"document": "a"})) == ["document a is outside every cluster"]
    assert told(("outside", {"document": "a"}), label("a", 0)) == ["document a is labelled north"]


def test_a_renaming_moves_no_name_to_another_group(told):
    """The category was stated with the old name of the group on the page."""
    assert told(name(1, "the tropics"), category("palm", 1), label("b", 0)) == [
        "document b is labelled north",
        "word palm is in category the tropics",
    ]


def test_a_renaming_alone_leaves_the_file_as_the_user_wrote_it(tmp_path):
    text = "# mine\ndocuments: {labels: {a: north}}\n"
    entries = make_entries((TEXT, {"text": text}), name(0, "the Arctic"))
    assert write(entries, tmp_path, {"north": 0}) == text


def test_the_size_of_a_group_follows_its_new_name(told):
    file = TEXT, {"text": "documents:\n  labels: {a: north}\ngroups:\n  north: {at_most: 5}\n"}
    assert told(file, name(0, "the Arctic"), label("b", 1), claims={"north": 0}) == [
        "document a is labelled the Arctic",
        "document b is labelled south",
        "group the Arctic has at most 5 documents",
    ]


def test_a_stated_name_keeps_its_meaning_when_the_group_is_renamed(told):
    file = TEXT, {"text": "names: [north]\n"}
    assert told(file, name(0, "the Arctic"), label("b", 1), claims={"north": 0}) == [
        "a group is called the Arctic, which means north",
        "document b is labelled south",
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
        label("a", 1),
        label("c", 1),
        ("category", {"name": "sport", "word": "orbit", "new": ""}),
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


def test_what_is_about_a_merged_group_is_about_the_group_it_was_merged_into(told):
    file = TEXT, {"text": "documents: {labels: {b: south}}"}
    found = told(file, label("a", 1), category("palm", 1), merge(0, 1), claims={"south": 1})
    assert found == [
        "document b is labelled north",
        "document a is labelled north",
        "word palm is in category north",
    ]
    assert told(label("a", 1), merge(0, 1), merge(2, 0)) == ["document a is labelled east"]


def test_a_name_belongs_to_the_group_that_got_it_last(told):
    """The first group of the name is gone, so that the name was free."""
    assert told(name(0, "Cats"), name(1, "Cats"), label("a", 1), label("b", 0)) == [
        "document a is labelled Cats",
        "document b is labelled north",
    ]


def test_groups_with_the_same_words_have_different_names_in_the_file(told):
    assert told(name(1, "north"), label("a", 0), label("b", 1)) == [
        "document a is labelled north",
        "document b is labelled north (1)",
    ]


def test_a_new_group_has_its_name_in_the_file(told):
    assert told(label("a", 7, new="Penguins"), category("ice", 7)) == [
        "document a is labelled Penguins",
        "word ice is in category Penguins",
    ]


def test_what_a_person_said_of_a_document_is_not_said_by_the_freezing_of_its_group(tmp_path):
    entries = make_entries(label("a", 0), freeze(0, "a", "b"))
    found = read_text(write(entries, tmp_path), tmp_path)
    numbers = {row.subject: find_number(row.note, number_sources(entries)) for row in found}
    assert numbers == {"a": 1, "b": 2}


def test_several_documents_are_labelled_or_outside_at_once(told):
    both = "label", {"documents": ["a", "b"], "group": 0, "new": "", "moves": [], "names": {}}
    assert told(both) == [f"document {id} is labelled north" for id in "ab"]
    assert told(both, ("outside", {"documents": ["a", "b"]})) == [
        "document a is outside every cluster",
        "document b is outside every cluster",
    ]


@pytest.mark.parametrize(
    "reshaping",
    [
        ("thaw", {"group": 0, "names": {}}),
        ("split", {"group": 0, "into": 2, "moves": [], "names": {}}),
        merge(1, 0),
    ],
)
def test_a_group_that_is_thawed_split_or_merged_is_not_frozen_any_more(told, reshaping):
    assert told(freeze(0, "a", "b")) == ["document a is labelled north", "document b is labelled north"]
    assert told(freeze(0, "a", "b"), reshaping) == []
    assert len(told(freeze(2, "a", "b"), reshaping)) == 2


def test_labels_follow_their_documents_into_the_part_of_a_split(told):
    move = {"from": 0, "to": 7, "documents": ["b"]}
    split = "split", {"group": 0, "into": 2, "moves": [move], "names": {}}
    assert told(label("a", 0), label("b", 0), split) == [
        "document a is labelled north",
        "document b is labelled group 7",
    ]
    assert told(label("a", 0), label("b", 0), split, name(7, "far north")) == [
        "document a is labelled north",
        "document b is labelled far north",
    ]


def test_who_when_and_why_stand_in_the_file(tmp_path):
    entry = Entry(7, "x", "2026-01-01T00:00:00+00:00", "Ann", "it is: odd", "outside", {"document": "a"})
    text = write([entry], tmp_path)
    assert "studio statement 7, 2026-01-01T00:00:00+00:00, Ann: it is: odd" in text.replace("\n     ", "")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS.filter(str.strip))
def test_any_text_goes_into_the_file_and_comes_back(why, document):
    _, labelled = label(f"{document}!", 0)
    entries = [
        Entry(1, "x", "2026-01-01T00:00:00+00:00", why, why, "outside", {"document": document}),
        Entry(2, "y", "2026-01-01T00:00:00+00:00", why, why, "label", labelled),
    ]
    with tempfile.TemporaryDirectory() as place:
        text = write(entries, Path(place))
        read = read_text(text, Path(place))
        found = {statement.kind: statement.subject for statement in read}
        numbers = [find_number(note, number_sources(entries)) for note in read.statements.note]
    assert found == {"outside": document, "label": f"{document}!"}
    assert sorted(numbers) == [1, 2]


def test_the_lines_of_a_file_are_counted():
    assert find_action(TEXT).describe({"text": "a: 1\n"}) == "a knowledge file of 1 line"
    assert find_action(TEXT).describe({"text": "a: 1\nb: 2"}) == "a knowledge file of 2 lines"


def test_the_users_own_file_is_kept_as_it_is(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("# my notes\ndocuments: {labels: {a: north}}\n", encoding="utf-8")
    assert import_text(file, tmp_path) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["sub", "it's #1: a folder", "a folder with a long name " * 5 + "a"])
def test_files_that_a_knowledge_file_names_are_found_from_anywhere(tmp_path, folder):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "others.csv").write_text("id,text\n1,strange words here\n", encoding="utf-8")
    file = tmp_path / folder / "mine.yaml"
    file.write_text("documents: {outside: others.csv}\n", encoding="utf-8")
    text = import_text(file, tmp_path)
    assert [path for path, _ in paths_in(text)] == [str(tmp_path / folder / "others.csv")]
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
        ("label", {"document": "a", "group": 0, "name": "x"}, "label has no field 'group'"),
        ("label", {"document": "a", "name": ""}, "printable"),
        ("category", {"word": "a", "group": 0, "name": "x"}, "category has no field 'name'"),
        ("thaw", {}, "thaw needs the field 'group'"),
        ("label", {"document": "a", "group": True}, "must be the number of a group; got True"),
        ("label", {"document": "a", "group": -1}, "must be the number of a group"),
        ("together", {"type": "documents", "items": ["a"]}, "two or more"),
        ("name", {"group": 0, "name": "a\x1b[31m"}, "printable"),
        ("name", {"group": 0, "name": "x" * 201}, "at most 200"),
        ("split", {"group": 0, "into": 9}, "from 2 to 8"),
        ("label", {"documents": [], "group": 0}, "a list of 1 to 100,000 ids"),
        ("outside", {"documents": ["a"], "document": "b"}, "has no field 'document'"),
        ("outside", {"document": "a", "path": "/etc/passwd"}, "has no field 'path'"),
    ],
)
def test_what_is_not_whole_is_refused(kind, body, match):
    with pytest.raises(KnowledgeError, match=match):
        find_requestable(kind).parse(body)
