"""Names become positions, and every statement can still be found afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from colligate.errors import KnowledgeError, KnowledgeWarning, UnknownNameError
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from pathlib import Path

IDS = ["a12", "b7", "c3", "d4"]
WORDS = ["orbit", "nasa", "hockey", "Puck", "Polish", "polish"]
NAMES = {"documents": IDS, "words": WORDS}


def test_rows_keep_their_positions_and_codes() -> None:
    knowledge = (
        Knowledge()
        .category("space", words=["nasa", "orbit"])
        .category("sport", words=["hockey", "nasa"], strength=2)
        .together(documents=[("c3", "a12")])
        .label({"d4": "x", "b7": "y"})
        .outside(["c3"])
    )
    compiled = knowledge.compile(NAMES)
    assert compiled.subject_index.tolist() == [1, 0, 2, 1, 2, 3, 1, 2]
    assert compiled.object_index.tolist() == [-1, -1, -1, -1, 0, -1, -1, -1]
    assert compiled.code.tolist() == [0, 0, 1, 1, -1, 0, 1, -1]
    assert not compiled.unknown.any()
    assert not compiled.contradicted.any()
    documents, words = compiled.guidance["documents"], compiled.guidance["words"]
    assert documents.labels is not None
    assert documents.labels.tolist() == [-1, 1, -1, 0]
    assert documents.label_names == ("x", "y")
    assert documents.outsiders.tolist() == [2]
    assert documents.kinds == ("links", "labels", "outside")
    assert words.seeds is not None
    assert words.seeds.categories == ("space", "sport")
    assert words.seeds.matrix.toarray()[:3].tolist() == [[1, 0], [1, 2], [0, 2]]
    assert words.seeds.statement.tolist() == [1, 0, 3, 2]
    assert words.kinds == ("categories",)


def test_every_type_has_guidance_even_when_nothing_is_known() -> None:
    compiled = Knowledge().compile(NAMES)
    assert len(compiled) == 0
    assert all(guidance.is_empty for guidance in compiled.guidance.values())
    assert compiled.guidance["words"].size == len(WORDS)


def test_a_pair_told_twice_counts_once_with_its_greatest_strength() -> None:
    knowledge = Knowledge().together(
        documents=[("a12", "b7"), ("c3", "d4"), ("b7", "a12")], strength=[1, 1, 3]
    )
    pairs = knowledge.compile(NAMES).guidance["documents"].pairs
    assert list(zip(pairs.left, pairs.right, pairs.strength, pairs.statement, strict=True)) == [
        (0, 1, 3.0, 0),
        (2, 3, 1.0, 1),
    ]


def test_words_are_found_in_another_case_where_one_fits() -> None:
    compiled = Knowledge(unknown="error").category("x", words=["NASA", "puck", "Polish"]).compile(NAMES)
    assert compiled.subject_index.tolist() == [1, 3, 4]
    with pytest.raises(UnknownNameError, match="word 'POLISH'"):
        Knowledge().category("x", words=["POLISH"]).compile(NAMES)


def test_ids_are_found_as_written_only() -> None:
    with pytest.raises(UnknownNameError, match=r"document 'A12' \(code\); did you mean 'a12'"):
        Knowledge().outside(["A12"]).compile(NAMES)


def test_a_link_between_two_spellings_of_a_word_is_a_link_to_itself() -> None:
    with pytest.raises(KnowledgeError, match="code: NASA and nasa are the same word"):
        Knowledge().together(words=[("NASA", "nasa")]).compile(NAMES)


def test_unknown_names_stop_the_run_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "knowledge.yaml"
    path.write_text(
        "categories:\n  space: [orbit, orbti]\ndocuments:\n  together:\n  - [a12, zz]\n  - [q1, q2]\n",
        encoding="utf-8",
    )
    with pytest.raises(UnknownNameError) as caught:
        Knowledge.read(path).compile(NAMES)
    text = str(caught.value)
    assert text.startswith("3 statements use unknown names:")
    assert "word 'orbti'" in text
    assert "knowledge.yaml:2); did you mean 'orbit'?" in text
    assert re.search(r"document 'zz' \(.*knowledge\.yaml:5\)", text)
    assert re.search(r"document 'q1' and 'q2' \(.*knowledge\.yaml:6\)", text)
    assert text.endswith("set unknown='report' to run without these statements.")


def test_unknown_names_are_reported_marked_and_left_out() -> None:
    knowledge = (
        Knowledge(unknown="report")
        .together(documents=[("a12", "zz"), ("a12", "b7")])
        .groups(documents={"g": ["c3", "yy"], "h": ["xx"]})
        .category("lost", words=["nowhere"])
    )
    with pytest.warns(KnowledgeWarning, match="4 statements use unknown names"):
        compiled = knowledge.compile(NAMES)
    assert compiled.unknown.tolist() == [True, False, False, True, True, True]
    guidance = compiled.guidance["documents"]
    assert len(guidance.pairs) == 1
    assert guidance.groups[0].member.tolist() == [2]
    assert compiled.guidance["words"].seeds is None
    assert compiled.code.tolist() == [-1, -1, 0, -1, -1, -1]


def test_many_unknown_names_are_counted() -> None:
    with pytest.raises(UnknownNameError, match="and 15 more"):
        Knowledge().outside([f"none{i}" for i in range(25)]).compile(NAMES)


def test_an_unknown_type_is_named_with_the_types_there_are() -> None:
    with pytest.raises(
        UnknownNameError, match=r"type 'docments'; did you mean 'documents'.*documents, words"
    ):
        Knowledge().together(docments=[("a12", "b7")]).compile(NAMES)


def test_objects_without_names_are_known_by_position() -> None:
    names = {"documents": range(5)}
    compiled = Knowledge().together(documents=[("0", "4")]).outside([3]).compile(names)
    assert compiled.subject_index.tolist() == [0, 3]
    for wrong in ([5], [-1], ["05"], ["x"], ["9" * 30]):
        with pytest.raises(UnknownNameError, match="use their numbers, from 0 to 4"):
            Knowledge().outside(wrong).compile(names)


@pytest.mark.parametrize("pair", [np.array([[1, 2]]), [(1, 2)], [(np.int8(1), np.uint64(2))]])
def test_whole_numbers_are_positions_whatever_the_documents_are_called(pair) -> None:
    compiled = Knowledge().together(documents=pair).compile({"documents": ["1", "2", "3"]})
    assert (compiled.subject_index.tolist(), compiled.object_index.tolist()) == ([1], [2])


def test_text_is_a_name_even_if_it_spells_a_number() -> None:
    compiled = Knowledge().together(documents=[("1", "2")]).compile({"documents": ["1", "2", "3"]})
    assert (compiled.subject_index.tolist(), compiled.object_index.tolist()) == ([0], [1])


def test_positions_out_of_range_are_told_with_the_range() -> None:
    message = r"document '3' \(code\); a number is a position from 0 to 2"
    with pytest.raises(UnknownNameError, match=message):
        Knowledge().label({3: "x"}).compile({"documents": ["1", "2", "3"]})


def test_words_are_found_however_their_accents_are_written() -> None:
    for written in ("cafe\u0301", "CAFE\u0301", "Cafe\u0301"):
        compiled = Knowledge().category("x", words=[written]).compile({"words": ["caf\u00e9", "Cafe"]})
        assert compiled.subject_index.tolist() == [0]
    both = {"words": ["caf\u00e9", "Caf\u00e9"]}
    assert Knowledge().category("x", words=["Cafe\u0301"]).compile(both).subject_index.tolist() == [1]
    with pytest.raises(UnknownNameError, match="document"):
        Knowledge().outside(["cafe\u0301"]).compile({"documents": ["caf\u00e9"]})


def test_categories_contradict_neither_each_other_nor_links_apart() -> None:
    knowledge = (
        Knowledge()
        .category("space", words=["orbit", "nasa"])
        .category("agencies", words=["nasa", "hockey"])
        .apart(words=[("orbit", "nasa")])
    )
    assert knowledge.compile(NAMES).n_contradictions == 0


def test_hostile_names_stay_on_one_line() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Knowledge().outside(["\x1b[31mred\nfake line", "x" * 500]).compile(NAMES)
    lines = str(caught.value).splitlines()
    assert len(lines) == 4
    assert "\x1b" not in str(caught.value)
    assert max(map(len, lines)) < 120


def test_named_groups_of_one_name_are_one_group_unless_they_are_apart() -> None:
    knowledge = (
        Knowledge().groups(documents={"n": ["a12"]}).groups(documents={"s": ["c3"], "n": ["b7", "a12"]})
    )
    (links,) = knowledge.compile(NAMES).guidance["documents"].groups
    assert links.names == ("n", "s")
    assert (links.member.tolist(), links.group.tolist()) == ([0, 1, 2], [0, 0, 1])
    assert links.statement.tolist() == [0, 2, 1]
    apart = Knowledge().groups(documents={"n": ["a12"]}, apart=1).groups(documents={"n": ["b7"]}, apart=1)
    assert len(apart.compile(NAMES).guidance["documents"].groups) == 2


def test_many_links_keep_their_account() -> None:
    n = 200_000
    pairs = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    compiled = Knowledge().together(documents=pairs).compile({"documents": range(n)})
    guidance = compiled.guidance["documents"]
    assert len(compiled) == len(guidance.pairs) == n - 1
    assert np.array_equal(compiled.subject_index, pairs[:, 0])
    assert guidance.components().max() == 0


WHY = "Words may be missing because they are stop words or too rare (min_df; --min-df on the command line)."


def test_missing_words_are_explained_once_and_no_short_or_distant_word_is_offered() -> None:
    knowledge = Knowledge().category("space", words=["the", "than", "orbita"])
    with pytest.raises(UnknownNameError) as told:
        knowledge.compile({"words": ["th", "tank", "orbit"]})
    text = str(told.value)
    assert text.count(WHY) == 1
    assert re.findall("did you mean '(.*?)'", text) == ["orbit"]


def test_missing_documents_are_not_explained_by_stop_words() -> None:
    with pytest.raises(UnknownNameError) as told:
        Knowledge().together(documents=[("a12", "zz")]).compile(NAMES)
    assert WHY not in str(told.value)
