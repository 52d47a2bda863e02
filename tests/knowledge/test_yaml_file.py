"""The knowledge file: what it says, where it says it, and what it may not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.errors import EncodingError, KnowledgeError, KnowledgeWarning, UnknownNameError
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from pathlib import Path

FULL = """\
categories:
  space: [orbit, nasa, shuttle]
  sport:
    words: [hockey]
    people: [Gretzky]
    strength: 2
    note: from the almanac
documents:
  together: [[a12, b7], {pair: [b7, d1], strength: 3, note: same author}]
  apart:
    - [a12, c3]
  labels: {a12: space, c3: {label: sport, note: sure}}
  outside: [x1, x2]
  groups: {north: [a12, b7], south: [c3]}
words:
  together: [[algorithm, computation, computing]]
  apart: [[economy, basketball]]
people:
  together: [[Ada, Bob]]
"""


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "knowledge.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def told(knowledge: Knowledge) -> list[tuple]:
    return sorted((s.kind, s.type, s.subject, str(s.object), s.strength, s.note) for s in knowledge)


def test_every_part_is_read_with_its_line(tmp_path: Path) -> None:
    knowledge = Knowledge.read(written(tmp_path, FULL))
    found = {(s.kind, s.subject, s.object): (s.line, s.strength, s.note) for s in knowledge}
    assert found["category", "orbit", "space"] == (2, 1, "")
    assert found["category", "Gretzky", "sport"] == (5, 2, "from the almanac")
    assert found["together", "a12", "b7"] == (9, 1, "")
    assert found["together", "b7", "d1"] == (9, 3, "same author")
    assert found["apart", "a12", "c3"] == (11, 1, "")
    assert found["label", "c3", "sport"] == (12, 1, "sure")
    assert found["outside", "x2", None] == (13, 1, "")
    assert found["group", "c3", "south"] == (14, 1, "")
    assert found["group", "computing", "algorithm, computation, computing"] == (16, 1, "")
    assert found["together", "Ada", "Bob"] == (19, 1, "")
    assert knowledge.statements[0].where == f"{tmp_path / 'knowledge.yaml'}:2"


def test_a_file_written_reads_back_the_same(tmp_path: Path) -> None:
    knowledge = Knowledge.read(written(tmp_path, FULL))
    knowledge.write(tmp_path / "again.yaml")
    assert told(Knowledge.read(tmp_path / "again.yaml")) == told(knowledge)


def test_knowledge_from_code_survives_the_file(tmp_path: Path) -> None:
    many = [f"n{i}" for i in range(12)]
    knowledge = (
        Knowledge()
        .category("yes", words=["no", "007", "1e3", "~", "null", "2001-01-01", "a: b", "#x", "'", "é\u2028"])
        .category("yes", words=["on"], strength=0.5)
        .together(documents=[("a", "b"), ("a", "b", "c")], strength=[1, 2])
        .apart(documents=[tuple(many)], strength=2)
        .groups(documents={"x": ["a"], "y": ["b"]}, together=0, apart=2)
        .label({"a": "x", "b": "y"})
        .label({"a": "z"}, source="Anna, 3 May")
        .outside(["o1"])
        .outside(["o2"], source="Anna")
    )
    knowledge.write(tmp_path / "k.yaml")
    again = Knowledge.read(tmp_path / "k.yaml")
    without_note = [row[:-1] for row in told(knowledge)]
    assert [row[:-1] for row in told(again)] == without_note
    notes = {(s.kind, s.subject, s.object): s.note for s in again}
    assert notes["label", "a", "z"] == "Anna, 3 May"
    assert notes["outside", "o2", None] == "Anna"
    again.write(tmp_path / "k2.yaml")
    assert (tmp_path / "k2.yaml").read_text("utf-8") == (tmp_path / "k.yaml").read_text("utf-8")


def test_values_are_the_text_that_was_written(tmp_path: Path) -> None:
    text = "documents:\n  together: [[no, 1e3], [007, 2001-01-01], [true, 'null'], [0x1F, .5]]\n"
    knowledge = Knowledge.read(written(tmp_path, text))
    assert [(s.subject, s.object) for s in knowledge] == [
        ("no", "1e3"),
        ("007", "2001-01-01"),
        ("true", "null"),
        ("0x1F", ".5"),
    ]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "documents:\n", "documents:\n  together:\n"])
def test_an_empty_file_says_nothing(tmp_path: Path, text: str) -> None:
    with pytest.warns(KnowledgeWarning, match=r"knowledge\.yaml contains no statements"):
        assert len(Knowledge.read(written(tmp_path, text))) == 0


@pytest.mark.parametrize("name", ["works", "swordfish", "monuments", "word", "document", "category"])
def test_the_network_says_what_is_a_type_and_not_the_file(tmp_path: Path, name: str) -> None:
    knowledge = Knowledge.read(written(tmp_path, f"{name}:\n  together: [[a, b]]\n"))
    assert [statement.type for statement in knowledge] == [name]
    assert len(knowledge.compile({"words": ["x"], name: ["a", "b"]}).guidance[name].pairs) == 1


@pytest.mark.parametrize("unknown", ["error", "report"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "docments:\n  together: [[a, b]]\n",
            r":2: there is no type 'docments'; did you mean 'documents'",
        ),
        ("categories: {}\nwrods:\n  apart: [[a, b]]\n", r":3: .* 'wrods'; did you mean 'words'"),
        ("Documents:\n  labels: {a: x}\n", r":2: .* 'Documents'; did you mean 'documents'"),
        (
            "word:\n  together: [[a, b]]\n",
            r":2: .*did you mean 'words'\? The types are documents, words",
        ),
        ("docments:\n  outside: more.jsonl\n", r":2: .*did you mean 'documents'"),
        ("categories:\n  space: {wrods: [a]}\n", r":2: .*did you mean 'words'"),
    ],
)
def test_a_slip_of_a_type_stops_under_every_policy(
    tmp_path: Path, text: str, message: str, unknown: str
) -> None:
    (tmp_path / "more.jsonl").write_text('{"id": "m1", "text": "quite other things"}\n', encoding="utf-8")
    knowledge = Knowledge.read(written(tmp_path, text), unknown=unknown)
    with pytest.raises(UnknownNameError, match=rf"knowledge\.yaml{message}"):
        knowledge.compile({"documents": ["a", "b"], "words": ["a", "b"]})


def test_no_type_can_be_called_like_a_slip_of_a_section() -> None:
    with pytest.raises(
        KnowledgeError, match=r"a type cannot be called 'Categories', .*misspelling of the key 'categories'"
    ):
        Knowledge().together(Categories=[("a", "b")])


def test_statements_of_one_kind_come_back_in_their_order(tmp_path: Path) -> None:
    knowledge = Knowledge().together(documents=[("b", "c")]).label({"z": "x", "y": "x"})
    knowledge.together(documents=[("a", "b")])
    knowledge.write(tmp_path / "k.yaml")
    again = [(s.kind, s.subject) for s in Knowledge.read(tmp_path / "k.yaml")]
    assert again == [("together", "b"), ("together", "a"), ("label", "z"), ("label", "y")]


def test_positions_cannot_be_written(tmp_path: Path) -> None:
    knowledge = Knowledge().together(documents=np.array([[1, 2]]), source="Anna")
    with pytest.raises(KnowledgeError, match="Anna: documents given by position cannot be written"):
        knowledge.write(tmp_path / "k.yaml")
    assert list(tmp_path.iterdir()) == []


def test_outside_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text('{"id": "m1", "text": "quite other things"}\n', encoding="utf-8")
    knowledge = Knowledge.read(written(tmp_path, "documents:\n  outside: more.jsonl\n"))
    (statement,) = knowledge
    assert statement.sentence == "1 documents of more.jsonl are outside every cluster"
    assert statement.line == 2
    compiled = knowledge.compile({"documents": ["a"]})
    assert not compiled.unknown.any()
    assert compiled.outside_corpora[0].ids == ["m1"]
    assert len(compiled.guidance["documents"].outsiders) == 0
    (tmp_path / "deeper").mkdir()
    knowledge.write(tmp_path / "deeper" / "k.yaml")
    assert "../more.jsonl" in (tmp_path / "deeper" / "k.yaml").read_text("utf-8")
    assert len(Knowledge.read(tmp_path / "deeper" / "k.yaml")) == 1


def test_outside_documents_in_memory_cannot_be_written(tmp_path: Path) -> None:
    knowledge = Knowledge().outside(Corpus.from_texts(["some other text", "more other text"]))
    assert len(knowledge.compile({"documents": ["a"]}).outside_corpora) == 1
    with pytest.raises(KnowledgeError, match="a knowledge file cannot refer to them"):
        knowledge.write(tmp_path / "k.yaml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "documents:\n  togehter: [[a, b]]\n",
            r"knowledge.yaml:2: unknown key 'togehter' .*did you mean 'together'",
        ),
        ("categorys:\n  space: [a]\n", r":1: unknown key 'categorys' .*did you mean 'categories'"),
        (
            "documents:\n  hunches: []\n",
            r":2: unknown key 'hunches' in 'documents'. Allowed keys: groups,",
        ),
        (
            "documents:\n  together: [[a, b]]\n  together: []\n",
            r":3: together occurs twice .*first time on line 2",
        ),
        ("documents: {}\ndocuments: {}\n", ":2: documents occurs twice"),
        ("categories:\n  a: [x]\n  a: [y]\n", ":3: a occurs twice"),
        ("documents: 3\n", r":1: 'documents' must be a mapping \(key: value\); got a single value \(3\)"),
        ("- a\n", r":1: the knowledge file must be a mapping \(key: value\); got a list"),
        ("documents:\n  together: a\n", r":2: 'together' must be a list; got a single value \(a\)"),
        ("documents:\n  together:\n  - a\n  - b\n", r":3: a link must be a list; got a single value \(a\)"),
        ("documents:\n  together: [[a, [b]]]\n", ":2: an item of a link must be a single value; got a list"),
        ("documents:\n  together:\n  - [a, b]\n  - [c]\n", ":4: a link needs at least two members; got c"),
        ("documents:\n  apart:\n  - [a, a]\n", ":3: document a is linked to itself"),
        ("documents:\n  apart:\n  - [a, '']\n", ":3: an item of a link is empty"),
        (
            "documents:\n  apart:\n  - {pair: [a, b], strength: 0}\n",
            ":3: a strength must be finite and greater",
        ),
        ("documents:\n  apart:\n  - {pair: [a, b], strength: x}\n", ":3: a strength must be .* got x"),
        ("documents:\n  apart:\n  - {pair: [a, b], strenght: 1}\n", ":3: .*did you mean 'strength'"),
        (
            "documents:\n  apart:\n  - {strength: 1}\n",
            ":3: a link written as a mapping needs one of the keys 'pair'",
        ),
        ("documents:\n  labels: [a]\n", r":2: 'labels' must be a mapping \(key: value\); got a list"),
        ("documents:\n  labels: {a: {note: x}}\n", ":2: a label written as a mapping needs the key 'label'"),
        ("documents:\n  labels: {a: }\n", ":2: a label is empty"),
        (
            "documents:\n  together: [[a, null]]\n",
            ":2: an item of a link is empty: null means no value in YAML",
        ),
        ("documents:\n  outside: [a, ~]\n", ":2: an outsider is empty: ~ means no value in YAML"),
        ("documents:\n  labels:\n    NULL: x\n", ":3: a key of 'labels' is empty: NULL"),
        ("Categories:\n  together: [a]\n", r":1: unknown key 'Categories' .*did you mean 'categories'"),
        ("word:\n  space: [a]\n", r":1: unknown key 'word' .*did you mean 'words'"),
        ("word:\n  togehter: [[a, b]]\n", r":2: unknown key 'togehter' in 'word'; did you mean 'together'"),
        ("documentations:\n  space: [a]\n", r":1: unknown key .*did you mean 'documents'"),
        ("documents:\n  labels: {[a]: b}\n", ":2: a key of 'labels' must be a single value"),
        ("documents:\n  outside: missing.jsonl\n", ":2: the documents under 'outside' cannot be read"),
        ("documents:\n  outside: {note: x}\n", ":2: outsiders written as a mapping need"),
        (
            "documents:\n  groups: [{together: 1}]\n",
            ":2: an item of the list 'groups' needs the key 'members'",
        ),
        (
            "documents:\n  groups: [{members: {a: [b]}, together: 0}]\n",
            ":2: groups with together: 0 and apart: 0 have no effect",
        ),
        ("categories:\n  space: []\n", ":2: category space has no words"),
        ("categories:\n  space:\n", ":2: category space has no words"),
        ("categories:\n  space: {words: []}\n", ":2: category space has an empty list of words"),
        ("categories:\n  space: {strength: 2}\n", ":2: category space has no words"),
        ("categories:\n  space: orbit\n", ":2: category space must be a list; got a single value"),
        ("documents: [\n", ":1: this is not YAML"),
        ("a: b: c\n", ":1: this is not YAML: .*mapping values"),
        ("documents:\n  outside: [a\x07]\n", "knowledge.yaml:2: this is not YAML"),
        ("a: {}\n---\nb: {}\n", ":2: a second YAML document begins"),
        ("words:\n  apart: [&x [a, b], *x]\n", ":2: .*must not use YAML aliases"),
        ("words:\n  apart: &x [*x]\n", ":2: .*must not use YAML aliases"),
        ("words:\n  apart: " + "[" * 300_000, ":2: lists and mappings are nested too deeply"),
        ("words:\n  apart:\n  " + "- " * 300_000, ":3: lists and mappings are nested too deeply"),
    ],
)
def test_bad_files_are_refused_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge.read(written(tmp_path, text))


def test_nested_aliases_are_harmless(tmp_path: Path) -> None:
    lines = ["words:", "  apart:", "  - &a0 [x, y]"]
    lines += [f"  - &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(KnowledgeError, match=r":4: .*must not use YAML aliases"):
        Knowledge.read(written(tmp_path, "\n".join(lines)))


def test_python_tags_make_nothing(tmp_path: Path) -> None:
    text = "documents:\n  together: [[!!python/object/apply:os.getcwd [], b]]\n"
    with pytest.raises(KnowledgeError, match="must be a single value"):
        Knowledge.read(written(tmp_path, text))


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"there is no knowledge file .*absent\.yaml"):
        Knowledge.read(tmp_path / "absent.yaml")
    with pytest.raises(KnowledgeError, match="cannot read the knowledge file"):
        Knowledge.read(tmp_path)


def test_bytes_that_are_not_utf8_are_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=r"knowledge.yaml:2: this is not UTF-8"):
        Knowledge.read(written(tmp_path, "a: {}\n# caf\xe9\n".encode("latin-1")))


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfdocuments:\n  labels: {a: x}\n")
    assert np.array_equal(Knowledge.read(path).statements.type, ["documents"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("categories:\n\tspace: [orbit]\n", 2),
        ("categories:\n  größe:\n  \t- orbit\n", 3),
        ("categories:\r\n\tspace: [orbit]\r\n", 2),
    ],
)
def test_a_tab_is_called_a_tab(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(KnowledgeError, match=rf":{line}: the line is indented with a tab; YAML needs spaces"):
        Knowledge.read(written(tmp_path, text.encode()))


def test_a_tab_inside_a_line_is_not_taken_for_indentation(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=":1: this is not YAML"):
        Knowledge.read(written(tmp_path, "categories:\t@space\n"))


def test_a_path_that_no_file_can_have_is_refused_with_its_place(tmp_path):
    path = tmp_path / "knowledge.yaml"
    path.write_text('documents:\n  outside: "a\\0b.csv"\n', encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"yaml:2: .*no name of a file contains the character NUL"):
        Knowledge.read(path)
