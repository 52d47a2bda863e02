"""Knowledge about groups: how many documents a group has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.errors import ContradictionError, KnowledgeError, KnowledgeWarning, UnknownNameError
from colligate.knowledge import Grouping, GroupSizes, Knowledge
from colligate.knowledge.kinds.size import UNBOUNDED
from colligate.network import Network
from colligate.result import Result
from colligate.result.report_view import make_audit_view

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"documents": list("abcdef"), "words": ["orbit", "puck"]}
FILE = """\
categories:
  space: [orbit]
  hockey: [puck]
groups:
  space: {at_most: 4}
  hockey: {at_least: 1, at_most: 3, note: from last year}
  "*": {at_least: 1}
"""


def named() -> Knowledge:
    return Knowledge().category("space", words=["orbit"]).category("hockey", words=["puck"])


def three_groups(n_groups: int = 3) -> dict[str, Grouping]:
    return {"documents": Grouping(n_groups, np.ones(6, dtype=bool))}


def bounds(knowledge: Knowledge) -> GroupSizes:
    sizes = knowledge.compile(NAMES).guidance["documents"].of_kind(GroupSizes)
    assert sizes is not None
    return sizes


def test_the_file_says_what_code_says_and_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(FILE, encoding="utf-8")
    knowledge = Knowledge.read(path)
    sentences = [statement.sentence for statement in knowledge][2:]
    assert sentences == [
        "group space has at most 4 documents",
        "group hockey has 1 to 3 documents",
        "every group has at least 1 document",
    ]
    assert [statement.where for statement in knowledge][2:] == [f"{path}:{line}" for line in (5, 6, 7)]
    knowledge.group_size("space", at_least=2)
    knowledge.write(path)
    again = Knowledge.read(path)
    assert {statement.sentence for statement in again} == {statement.sentence for statement in knowledge}
    assert [statement.note for statement in again if statement.note] == ["from last year"]
    code = named().group_size("space", at_most=4).group_size("hockey", at_least=1, at_most=3)
    code.group_size("*", at_least=1)
    assert [statement.sentence for statement in code][2:] == sentences


def test_sizes_of_another_type_have_their_key_under_the_type(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    Knowledge().group_size("*", at_most=5, type="papers").write(path)
    assert path.read_text(encoding="utf-8").startswith("papers:\n  sizes:")
    assert [statement.type for statement in Knowledge.read(path)] == ["papers"]


def test_bounds_of_a_group_are_what_all_its_statements_allow() -> None:
    knowledge = named().group_size("space", at_most=5).group_size("space", at_least=2, at_most=4)
    sizes = bounds(knowledge.group_size("*", at_least=1))
    lower, upper = sizes.bounds({"space": 1, "hockey": 0}, 3)
    assert lower.tolist() == [1, 2, 1]
    assert upper.tolist() == [UNBOUNDED, 4, UNBOUNDED]
    assert knowledge.compile(NAMES).guidance["documents"].kinds == ("sizes",)


def test_an_unknown_group_is_reported_as_such() -> None:
    with pytest.raises(UnknownNameError, match=r"group 'spcae' \(code\); did you mean 'space'"):
        named().group_size("spcae", at_most=4).compile(NAMES)
    with pytest.raises(UnknownNameError, match=r"group 'cars' .*the categories and labels are space"):
        named().group_size("cars", at_most=4).compile(NAMES)
    knowledge = Knowledge(unknown="report").group_size("cars", at_most=4)
    with pytest.warns(KnowledgeWarning, match="group 'cars'"):
        compiled = knowledge.compile(NAMES)
    assert compiled.unknown.tolist() == [True]
    assert compiled.guidance["documents"].is_empty


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda k: k.group_size("a"), "needs at_least, at_most or both"),
        (lambda k: k.group_size("a", at_least=5, at_most=4), r"at_least \(5\) is greater than at_most \(4\)"),
        (lambda k: k.group_size("a", at_least=-1), "at_least must be a whole number of at least 0; got -1"),
        (lambda k: k.group_size("a", at_most=2.5), "at_most must be a whole number"),
        (lambda k: k.group_size("a", at_most=True), "at_most must be a whole number"),
        (lambda k: k.group_size("", at_most=1), "the name of a group must be text"),
        (lambda k: k.group_size("a", at_most=1).weighted({"code": 2}), "which have no strength"),
    ],
)
def test_what_cannot_be_meant_is_refused_at_once(call, match: str) -> None:
    with pytest.raises(KnowledgeError, match=match):
        call(Knowledge())


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("groups:\n  space: {at_most: many}\n", ":2: at_most must be a whole number of at least 0; got many"),
        ("groups:\n  space: {atleast: 1}\n", ":2: unknown key 'atleast' .*did you mean 'at_least'"),
        ("groups:\n  space: {at_least: 3, at_most: 2}\n", r":2: group space: at_least \(3\) is greater"),
        ("groups:\n  space: {}\n", ":2: group space: a size needs at_least, at_most or both"),
        ("groups:\n  space: 3\n", r":2: group space must be a mapping \(key: value\); got a single value"),
    ],
)
def test_bad_files_are_refused_with_the_line(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=match):
        Knowledge.read(path)


@pytest.mark.parametrize(
    ("knowledge", "text"),
    [
        (
            named().group_size("space", at_least=3).group_size("space", at_most=2),
            "group space has at least 3 documents (code) and group space has at most 2 documents (code); "
            "these statements contradict each other",
        ),
        (
            named().group_size("*", at_least=3).group_size("space", at_most=2),
            "every group has at least 3 documents (code) and group space has at most 2 documents (code); "
            "these statements contradict each other",
        ),
        (
            named().group_size("*", at_least=3),
            "the 3 groups need at least 9 documents in all, but there are 6 documents to group: every group "
            "has at least 3 documents (code)",
        ),
        (
            named().group_size("space", at_least=4).group_size("hockey", at_least=3),
            "the 3 groups need at least 7 documents in all, but there are 6 documents to group: group "
            "space has at least 4 documents (code), group hockey has at least 3 documents (code)",
        ),
        (
            named().group_size("*", at_most=2).group_size("space", at_most=1),
            "the 3 groups have room for at most 5 documents in all, but there are 6 documents to group: "
            "group space has at most 1 document (code), every group has at most 2 documents (code)",
        ),
        (
            Knowledge().label({"a": "x", "b": "x", "c": "y"}).group_size("x", at_most=1),
            "group x has at most 1 document (code), but 2 documents are labelled x",
        ),
    ],
)
def test_contradictions_are_found_before_the_run(knowledge: Knowledge, text: str) -> None:
    with pytest.raises(ContradictionError) as caught:
        knowledge.compile(NAMES, three_groups())
    assert text in str(caught.value)
    knowledge.contradictions = "report"
    with pytest.warns(KnowledgeWarning):
        assert knowledge.compile(NAMES, three_groups()).contradicted.any()


def test_outsiders_and_empty_documents_are_not_counted() -> None:
    knowledge = named().group_size("*", at_most=2).outside(["a", "b"])
    assert knowledge.compile(NAMES, three_groups(2)).n_contradictions == 0
    groupable = {"documents": Grouping(2, np.array([True] * 4 + [False] * 2))}
    assert Knowledge().group_size("*", at_most=2).compile(NAMES, groupable).n_contradictions == 0


def test_without_a_method_only_certain_contradictions_are_found() -> None:
    assert named().group_size("*", at_most=1).compile(NAMES).n_contradictions == 0
    with pytest.raises(ContradictionError, match="the groups need at least 7 documents"):
        named().group_size("space", at_least=7).compile(NAMES)


def result(knowledge: Knowledge, labels: list[int], **more) -> Result:
    counts = np.array([[1, 0]] * 3 + [[0, 1]] * 3, dtype=np.int32)
    corpus = Corpus.from_counts(counts, NAMES["words"], NAMES["documents"])
    network = Network.from_corpus(corpus)
    memberships = {"documents": np.eye(3, dtype=np.float32)[np.maximum(labels, 0)]}
    return Result(
        method="kmeans",
        parameters={},
        seed=0,
        network=network,
        corpus=corpus,
        labels={"documents": np.array(labels)},
        memberships=memberships,
        association={},
        history=(1.0,),
        n_iter=0,
        converged=True,
        restarts=(1.0,),
        chosen=0,
        model={"centres": np.zeros((3, 2)), "idf": np.ones(2)},
        compiled=knowledge.compile(network.names),
        **more,
    )


def sized() -> Knowledge:
    knowledge = named().group_size("space", at_most=2).group_size("hockey", at_least=2)
    return knowledge.group_size("*", at_least=1)


def test_the_audit_judges_sizes_and_names_the_actual_ones() -> None:
    audit = result(sized(), [0, 0, 0, 1, 1, 1]).audit()
    rows = [audit.statement(number) for number in (2, 3, 4)]
    assert [row.status for row in rows] == ["broken", "kept", "broken"]
    assert [row.note for row in rows] == [
        "it has 3 documents",
        "it has 3 documents",
        "the smallest group has 0 documents, the largest 3",
    ]
    table = audit.table().slice(2).select(["kind", "type", "subject", "object"])
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("size", "documents", "space", "at most 2"),
        ("size", "documents", "hockey", "at least 2"),
        ("size", "documents", "*", "at least 1"),
    ]


def test_the_method_decides_which_group_has_a_name() -> None:
    audit = result(sized(), [0, 0, 0, 1, 1, 2], named_groups={"space": 2, "hockey": 0}).audit()
    assert [audit.statement(number).note for number in (2, 3)] == ["it has 1 document", "it has 3 documents"]


def test_a_group_that_got_no_name_has_no_documents() -> None:
    audit = result(sized(), [0, 0, 0, 1, 1, 2], named_groups={"space": 2}).audit()
    assert (audit.statement(3).status, audit.statement(3).note) == ("broken", "no group has this name")


def test_sizes_survive_the_store(tmp_path: Path) -> None:
    before = result(sized(), [0, 0, 0, 1, 1, 1], named_groups={"space": 0, "hockey": 1})
    after = Result.load(before.save(tmp_path / "run"))
    assert dict(after.named_groups) == {"space": 0, "hockey": 1}
    assert after.statements.to_arrow() == before.statements.to_arrow()
    assert after.compiled is not None
    assert [statement.sentence for statement in after.compiled.statements][2:] == [
        statement.sentence for statement in sized()
    ][2:]


def test_the_report_words_sizes_in_plain_english() -> None:
    view = make_audit_view(result(sized(), [0, 0, 0, 1, 1, 1]))
    assert view is not None
    row = next(row for row in view.statements if row.number == 2)
    assert (row.text, row.kind, row.note) == (
        "group space has at most 2 documents",
        "size",
        "it has 3 documents",
    )
