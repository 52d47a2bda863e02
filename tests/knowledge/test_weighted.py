"""Knowledge weighed by where it came from."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.errors import KnowledgeError
from colligate.knowledge import Compiled, Knowledge, StatementRows, find_kind

if TYPE_CHECKING:
    from pathlib import Path


def several() -> Knowledge:
    return (
        Knowledge(unknown="report", contradictions="report")
        .category("space", words=["orbit", "nasa"], strength=2.0, source="glossary")
        .together(documents=[("a", "b"), ("b", "c")], strength=[1.0, 3.0], source="expert")
        .together(documents=[("a", "b", "c")], source="expert")
        .groups(people={"poets": ["Ada"], "players": ["Bob"]}, together=0.5, apart=0.25, source="sub-types")
        .groups(people={"x": ["Ada"], "y": ["Bob"]}, together=0, apart=1, source="sub-types")
        .label({"a": "x"})
    )


def told(knowledge: Knowledge) -> list[tuple]:
    return [(s.number, s.kind, s.type, s.subject, s.object, s.source, s.line, s.note) for s in knowledge]


def test_strengths_of_a_source_are_multiplied_and_all_else_stays() -> None:
    before = several()
    after = before.weighted({"sub-types": 0.5, "expert": 2.0})
    assert told(after) == told(before)
    assert after.statements.strength.tolist() == [2, 2, 2, 6, 2, 2, 2, 0.25, 0.25, 0, 0, 1]
    assert before.statements.strength.tolist() == [2, 2, 1, 3, 1, 1, 1, 0.5, 0.5, 0, 0, 1]
    assert (after.unknown, after.contradictions) == ("report", "report")


def test_groups_keep_the_ratio_of_their_strengths_together_and_apart() -> None:
    names = {"people": ["Ada", "Bob"], "documents": ["a", "b", "c"], "words": ["orbit", "nasa"]}
    groups = several().weighted({"sub-types": 4}).compile(names).guidance["people"].groups
    assert [(links.together, links.apart) for links in groups] == [(2, 1), (0, 4)]


def test_what_is_said_of_the_original_afterwards_is_not_said_of_the_copy() -> None:
    one = several()
    two = one.weighted({"expert": 2})
    one.label({"b": "y"})
    two.outside(["q"])
    assert [len(one), len(two)] == [13, 13]
    assert one.statements[-1].kind == "label"
    assert two.statements[-1].kind == "outside"


def test_a_file_is_a_source_and_its_lines_and_notes_survive(tmp_path: Path) -> None:
    path = tmp_path / "expert.yaml"
    path.write_text(
        "people:\n  together:\n  - {pair: [Ada, Bob], strength: 3, note: kin}\n  - [Bob, Eve]\n",
        encoding="utf-8",
    )
    found = Knowledge.read(path).weighted({str(path): 0.5})
    assert [(s.strength, s.line, s.note) for s in found] == [(1.5, 3, "kin"), (0.5, 4, "")]
    found.write(tmp_path / "again.yaml")
    assert [s.strength for s in Knowledge.read(tmp_path / "again.yaml")] == [1.5, 0.5]


def test_no_factors_change_nothing() -> None:
    assert told(several().weighted({})) == told(several())
    assert len(Knowledge().weighted({})) == 0


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ({"experts": 2}, "'experts'; the sources are: glossary, expert, sub-types, code"),
        ({"expert": 0}, r"weighted\(\{'expert': …\}\): a factor must be finite and greater than 0; got 0"),
        ({"expert": -1}, "greater than 0; got -1"),
        ({"expert": float("nan")}, "a factor must be finite"),
        ({"expert": float("inf")}, "a factor must be finite"),
        ({"expert": "much"}, "a factor must be .*; got much"),
        ({"expert": 1.7e308}, "at most 1e\\+09"),
        ({"expert": 1e9}, "too large or too small"),
        ({"sub-types": 5e-324}, "too large or too small"),
        ({"code": 2}, "'code': .* of the kind 'label', which have no strength"),
        ([("expert", 2)], r"weighted\(…\) needs a mapping from sources to factors"),
    ],
)
def test_what_cannot_be_weighed_is_refused(factors, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        several().weighted(factors)


def test_outsiders_have_no_strength() -> None:
    with pytest.raises(KnowledgeError, match="of the kind 'outside', which have no strength"):
        Knowledge().outside(["x1"]).weighted({"code": 2})


def test_nothing_known_has_no_sources() -> None:
    with pytest.raises(KnowledgeError, match="the sources are: none"):
        Knowledge().weighted({"x": 1})


def test_links_weigh_in_the_guidance_as_they_were_multiplied() -> None:
    knowledge = Knowledge().together(people=[("Ada", "Bob")], source="a").apart(people=[("Ada", "Eve")])
    guidance = knowledge.weighted({"a": 3}).compile({"people": ["Ada", "Bob", "Eve"]}).guidance["people"]
    gain, loss = guidance.gain_and_loss(np.array([[1, 0], [0, 1], [1, 0]]))
    np.testing.assert_array_equal((gain - loss)[0], [-1, 3])


MEMBERS = [f"d{at}" for at in range(6)]
TOLD = st.lists(
    st.tuples(
        st.sampled_from(["yago", "freebase", "code"]),
        st.dictionaries(st.sampled_from("123"), st.lists(st.sampled_from(MEMBERS), max_size=4), min_size=1),
        st.sampled_from([0.5, 1.0]),
        st.sampled_from([0.0, 0.0, 2.0]),
    ),
    min_size=1,
    max_size=5,
)


def of_groups(told: list[tuple]) -> Knowledge:
    knowledge = Knowledge(contradictions="report")
    for source, groups, together, apart in told:
        knowledge.groups(documents=groups, together=together, apart=apart, source=source)
    return knowledge


def linked(compiled: Compiled) -> dict[tuple[int, int, bool], int]:
    """How often each pair is linked, together and apart, by listing all that the groups imply."""
    found: dict[tuple[int, int, bool], int] = {}
    for links in compiled.guidance["documents"].groups:
        entries = list(zip(links.member.tolist(), links.group.tolist(), strict=True))
        for (i, g), (j, h) in permutations(entries, 2):
            if i != j and (links.together if g == h else links.apart):
                found[i, j, g == h] = found.get((i, j, g == h), 0) + 1
    return found


def judged(compiled: Compiled, labels: list[int]) -> list[bool]:
    case = StatementRows("group", np.array(labels), compiled, list(compiled.statements.placed()))
    return find_kind("group").judge(case).tolist()


def test_a_group_is_known_by_its_name_within_its_source() -> None:
    two = Knowledge().groups(documents={"1": ["d0", "d1"]}, source="yago")
    two.groups(documents={"1": ["d2", "d3"]}, source="freebase")
    for knowledge in (two, two.weighted({"yago": 0.5})):
        compiled = knowledge.compile({"documents": MEMBERS})
        assert sorted(pair[:2] for pair in linked(compiled)) == [(0, 1), (1, 0), (2, 3), (3, 2)]
        assert compiled.guidance["documents"].components().tolist() == [0, 0, 1, 1, 2, 3]
        assert judged(compiled, [0, 0, 1, 1, 0, 0]) == [True] * 4
    one = Knowledge().groups(documents={"1": ["d0", "d1"]}, source="yago")
    one.groups(documents={"1": ["d2"]}, source="yago")
    assert one.compile({"documents": MEMBERS}).guidance["documents"].components()[:3].tolist() == [0, 0, 0]


@pytest.mark.filterwarnings("ignore::colligate.errors.KnowledgeWarning")
@settings(max_examples=60, deadline=None)
@given(
    told=TOLD, factor=st.sampled_from([0.5, 2.0]), labels=st.lists(st.integers(-1, 2), min_size=6, max_size=6)
)
def test_weighing_a_source_never_changes_which_links_exist(told, factor: float, labels: list[int]) -> None:
    before = of_groups(told)
    sources = list(dict.fromkeys(before.statements.source.tolist()))
    assume(sources)
    weighed = before.weighted({sources[0]: factor})
    one, other = (each.compile({"documents": MEMBERS}) for each in (before, weighed))
    assert linked(one) == linked(other)
    assert one.n_contradictions == other.n_contradictions
    assert judged(one, labels) == judged(other, labels)


def test_groups_that_a_file_would_join_are_not_written(tmp_path: Path) -> None:
    told = Knowledge().groups(documents={"1": ["d0"]}, source="yago")
    told.groups(documents={"2": ["d1"]}, source="freebase").write(tmp_path / "k.yaml")
    told.groups(documents={"1": ["d2"]}, together=2, source="freebase").write(tmp_path / "k.yaml")
    with pytest.raises(KnowledgeError, match="sources yago and freebase both have a group '1' of documents"):
        told.groups(documents={"1": ["d3"]}, source="freebase").write(tmp_path / "no.yaml")
    assert not (tmp_path / "no.yaml").exists()
