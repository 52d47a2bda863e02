"""Contradictions: found, explained by a chain, marked, and never seen where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.errors import ContradictionError, KnowledgeWarning
from colligate.knowledge import Compiled, Knowledge

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"documents": ["a12", "b7", "c3", "d4", "e5", "f6"]}


def reported(knowledge: Knowledge) -> Compiled:
    knowledge.contradictions = "report"
    with pytest.warns(KnowledgeWarning):
        return knowledge.compile(NAMES)


def test_the_chain_is_told_in_the_users_terms(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(
        "documents:\n  together:\n  - [a12, b7]\n  - [b7, c3]\n  - [d4, e5]\n  apart:\n  - [a12, c3]\n",
        encoding="utf-8",
    )
    with pytest.raises(ContradictionError) as caught:
        Knowledge.read(path).compile(NAMES)
    text = str(caught.value).replace(str(path), "k.yaml")
    assert text == (
        "1 contradiction in the knowledge:\n"
        "  a12 and c3 must be apart (k.yaml:7), but they are linked through "
        "a12–b7 (k.yaml:3), b7–c3 (k.yaml:4)\n"
        "Correct the knowledge, or set contradictions='report' to run despite contradictions."
    )


def test_the_shortest_chain_is_told_and_only_statements_involved_are_marked() -> None:
    knowledge = (
        Knowledge()
        .together(documents=[("a12", "b7"), ("b7", "c3"), ("c3", "d4"), ("a12", "d4"), ("e5", "f6")])
        .apart(documents=[("a12", "d4"), ("a12", "e5")])
    )
    compiled = reported(knowledge)
    (found,) = compiled.contradictions
    assert (found.claims, found.chain) == ((5,), (3,))
    assert compiled.contradicted[[3, 5]].all()
    assert not compiled.contradicted[[4, 6]].any()
    assert compiled.n_contradictions == 1


def test_the_pair_itself_may_be_told_both_ways() -> None:
    compiled = reported(Knowledge().together(documents=[("a12", "b7")]).apart(documents=[("b7", "a12")]))
    assert (
        "b7 and a12 must be apart (code), but they are linked through a12–b7 (code)"
        in compiled.contradictions[0].text
    )
    assert compiled.guidance["documents"].pairs.sign.tolist() == [-1, 1]


def test_two_labels_on_one_object() -> None:
    compiled = reported(Knowledge().label({"a12": "x", "b7": "y"}).label({"a12": "y"}))
    (found,) = compiled.contradictions
    assert (
        found.text
        == "a12 is labelled x (code) and a12 is labelled y (code); these statements contradict each other"
    )
    assert compiled.contradicted.tolist() == [True, False, True]
    labels = compiled.guidance["documents"].labels
    assert labels is not None
    assert labels.tolist()[:2] == [0, 1]


def test_two_labels_in_one_component() -> None:
    compiled = reported(Knowledge().label({"a12": "x", "c3": "y"}).together(documents=[("a12", "b7", "c3")]))
    (found,) = compiled.contradictions
    assert found.text == (
        "a12 is labelled x (code) and c3 is labelled y (code), but they are linked through "
        "a12 is in group 'a12, b7, c3' (code), c3 is in group 'a12, b7, c3' (code)"
    )
    assert compiled.contradicted.tolist() == [True, True, True, False, True]


def test_apart_objects_of_one_label() -> None:
    compiled = reported(Knowledge().label({"a12": "x", "b7": "x"}).apart(documents=[("a12", "b7")]))
    assert compiled.contradictions[0].chain == (0, 1)


def test_groups_that_are_apart_must_not_meet() -> None:
    groups = {"n": ["a12", "b7"], "s": ["c3", "d4"]}
    knowledge = Knowledge().groups(documents=groups, apart=1.0).together(documents=[("b7", "c3")])
    (found,) = reported(knowledge).contradictions
    assert found.claims == (1, 2)
    assert found.chain == (4,)


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_a_bridge_between_groups_that_are_apart_binds_them_not(together: float) -> None:
    groups = {"n": ["a12", "b7", "d4"], "s": ["b7", "c3", "e5"]}
    knowledge = Knowledge().groups(documents=groups, together=together, apart=1.0)
    assert knowledge.compile(NAMES).n_contradictions == 0
    (found,) = reported(knowledge.together(documents=[("d4", "e5")])).contradictions
    assert found.claims == (2, 5)
    assert found.chain == (6,)


def test_a_bridge_may_be_said_to_be_with_one_of_its_groups() -> None:
    groups = {"n": ["a12", "b7"], "s": ["b7", "c3"]}
    knowledge = Knowledge().groups(documents=groups, apart=1.0).together(documents=[("a12", "b7")])
    assert knowledge.compile(NAMES).n_contradictions == 0
    (found,) = reported(knowledge.together(documents=[("b7", "c3")])).contradictions
    assert found.chain == (4, 5)


MEMBERSHIPS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=1, unique=True)


@settings(max_examples=100, deadline=None)
@given(MEMBERSHIPS, st.sampled_from([0.0, 1.0]))
def test_groups_alone_contradict_nothing(memberships: list[tuple[int, int]], together: float) -> None:
    groups: dict[str, list[int]] = {}
    for member, group in memberships:
        groups.setdefault(str(group), []).append(member)
    knowledge = Knowledge().groups(documents=groups, together=together, apart=1.0)
    assert knowledge.compile({"documents": range(8)}).n_contradictions == 0


@settings(max_examples=100, deadline=None)
@given(MEMBERSHIPS, st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1]))
def test_a_link_contradicts_groups_only_through_members_of_one_group(
    memberships: list[tuple[int, int]], pair: tuple[int, int]
) -> None:
    groups: dict[str, list[int]] = {}
    for member, group in memberships:
        groups.setdefault(str(group), []).append(member)
    of = [[group for member, group in memberships if member == end] for end in pair]
    knowledge = Knowledge(contradictions="report").groups(documents=groups, apart=1.0)
    knowledge.together(documents=[pair])
    if len(of[0]) == len(of[1]) == 1 and of[0] != of[1]:
        with pytest.warns(KnowledgeWarning):
            assert knowledge.compile({"documents": range(8)}).n_contradictions == 1
    else:
        assert knowledge.compile({"documents": range(8)}).n_contradictions == 0


def test_many_that_are_all_apart_must_not_meet() -> None:
    names = [f"n{i}" for i in range(12)]
    knowledge = Knowledge().apart(documents=[names]).together(documents=[("n3", "n7")])
    with pytest.raises(
        ContradictionError, match=r"n3 is in group n3 .* and n7 is in group n7 .*through n3–n7"
    ):
        knowledge.compile({"documents": names})


def test_an_outsider_with_a_label_or_beside_one() -> None:
    compiled = reported(Knowledge().outside(["a12"]).label({"a12": "x"}))
    assert "a12 is outside every cluster (code) and a12 is labelled x" in compiled.contradictions[0].text
    knowledge = Knowledge().outside(["a12"]).label({"b7": "x"}).together(documents=[("a12", "b7")])
    assert "but they are linked through a12–b7" in reported(knowledge).contradictions[0].text


@pytest.mark.parametrize(
    "knowledge",
    [
        Knowledge().category("x", documents=["a12"]).category("y", documents=["a12"]),
        Knowledge().outside(["a12", "b7"]).together(documents=[("a12", "b7")]),
        Knowledge().groups(documents={"n": ["a12", "b7"], "s": ["b7", "c3"]}),
        Knowledge().label({"a12": "x", "b7": "y"}).apart(documents=[("a12", "b7")]),
        Knowledge()
        .groups(documents={"n": ["a12", "b7"], "s": ["c3"]}, apart=1)
        .together(documents=[("a12", "b7")]),
    ],
)
def test_what_can_hold_is_no_contradiction(knowledge: Knowledge) -> None:
    compiled = knowledge.compile(NAMES)
    assert compiled.n_contradictions == 0
    assert not compiled.contradicted.any()


def test_few_are_told_and_all_are_counted_and_marked() -> None:
    n = 60
    chain = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    ends = np.column_stack([np.arange(0, n // 2), np.arange(n // 2, n)])
    knowledge = Knowledge(contradictions="report").together(documents=chain).apart(documents=ends)
    with pytest.warns(KnowledgeWarning, match="30 contradictions(.|\n)*and 22 more(.|\n)*and 10 more"):
        compiled = knowledge.compile({"documents": range(n)})
    assert compiled.n_contradictions == 30
    assert len(compiled.contradictions) == 20
    assert compiled.contradicted.all()


PAIRS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1]), max_size=10
)


def roots(size: int, together: list[tuple[int, int]]) -> list[int]:
    root = list(range(size))
    for a, b in together:
        old, new = root[a], root[b]
        root = [new if value == old else value for value in root]
    return root


@settings(max_examples=100, deadline=None)
@given(PAIRS, PAIRS)
def test_agrees_with_plain_union_find(together: list[tuple[int, int]], apart: list[tuple[int, int]]) -> None:
    knowledge = Knowledge(contradictions="report")
    if together:
        knowledge.together(documents=together)
    if apart:
        knowledge.apart(documents=apart)
    root = roots(8, together)
    broken = [pair for pair in apart if root[pair[0]] == root[pair[1]]]
    if not broken:
        assert knowledge.compile({"documents": range(8)}).n_contradictions == 0
        return
    with pytest.warns(KnowledgeWarning):
        compiled = knowledge.compile({"documents": range(8)})
    assert compiled.n_contradictions == len(broken)
    for found in compiled.contradictions:
        joined = roots(8, [together[number] for number in found.chain])
        a, b = apart[found.claims[0] - len(together)]
        assert joined[a] == joined[b]
    marked = [pair for number, pair in enumerate(together) if compiled.contradicted[number]]
    root = roots(8, marked)
    assert all(root[a] == root[b] for a, b in broken)
    apart_marks = compiled.contradicted[len(together) :]
    assert [pair for pair, mark in zip(apart, apart_marks, strict=True) if mark] == broken
