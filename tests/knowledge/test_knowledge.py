"""Knowledge built in code."""

from __future__ import annotations

import numpy as np
import pytest

from colligate.errors import KnowledgeError, ParameterError
from colligate.knowledge import Block, Knowledge

IDS = ["a12", "b7", "c3", "d4", "e5"]


def test_calls_chain_and_statements_are_worded() -> None:
    knowledge = (
        Knowledge()
        .category("space", words=["orbit"])
        .together(documents=[("a12", "b7")], source="Anna, 3 May")
        .apart(people=[("Ada", "Bob")], strength=2)
        .groups(documents={"north": ["c3"]})
        .label({"a12": "space"})
        .outside(["x1"])
    )
    assert [statement.sentence for statement in knowledge] == [
        "word orbit is in category space",
        "documents a12 and b7 belong together",
        "people Ada and Bob belong apart",
        "document c3 is in group north",
        "document a12 is labelled space",
        "document x1 is outside every cluster",
    ]
    assert len(knowledge) == 6
    assert knowledge.statements[1].where == "Anna, 3 May"
    assert knowledge.statements[2].strength == 2
    assert knowledge.statements[-1].number == 5
    assert [statement.kind for statement in knowledge.statements[0:2]] == ["category", "together"]


def test_columns_agree_with_views() -> None:
    knowledge = Knowledge().together(documents=[("a", "b"), ("b", "c")], strength=[1, 3]).label({"a": "x"})
    columns = knowledge.statements
    views = list(knowledge)
    assert columns.kind.tolist() == [view.kind for view in views]
    assert columns.type.tolist() == [view.type for view in views]
    assert columns.subject == [view.subject for view in views]
    assert columns.object == [view.object for view in views]
    assert columns.strength.tolist() == [view.strength for view in views] == [1, 3, 1]
    assert columns.line.tolist() == [0, 0, 0]
    assert columns.source.tolist() == ["code"] * 3
    with pytest.raises(IndexError, match="no statement 3"):
        columns[3]


def test_a_longer_item_is_a_group_and_pairs_stay_pairs() -> None:
    knowledge = Knowledge().together(documents=[("a12", "b7", "c3"), ("c3", "d4")])
    guidance = knowledge.compile({"documents": IDS}).guidance["documents"]
    assert len(guidance.pairs) == 1
    (links,) = guidance.groups
    assert links.member.tolist() == [0, 1, 2]
    assert (links.together, links.apart) == (1, 0)
    assert guidance.components().tolist() == [0, 0, 0, 0, 1]


def test_unnamed_groups_of_one_strength_share_their_links() -> None:
    triples = [("a12", "b7", "c3"), ("c3", "d4", "e5")]
    knowledge = Knowledge().together(documents=triples).together(documents=triples[:1], strength=2)
    one, two = knowledge.compile({"documents": IDS}).guidance["documents"].groups
    assert (one.together, len(one.names), len(one)) == (1, 2, 6)
    assert (two.together, len(two.names), len(two)) == (2, 1, 3)


@pytest.mark.parametrize("count", [3, 12])
def test_a_longer_apart_item_is_apart_throughout(count: int) -> None:
    names = [f"w{i}" for i in range(count)]
    knowledge = Knowledge().apart(words=[tuple(names)], strength=0.5)
    guidance = knowledge.compile({"words": names}).guidance["words"]
    gain, loss = guidance.gain_and_loss(np.repeat([[1.0, 0.0]], count, axis=0))
    np.testing.assert_allclose(loss[:, 0], 0.5 * (count - 1))
    assert not gain.any()
    assert not loss[:, 1].any()


def test_integer_arrays_are_positions() -> None:
    knowledge = Knowledge().together(documents=np.array([[0, 2], [3, 1]], dtype=np.int32))
    pairs = knowledge.compile({"documents": range(4)}).guidance["documents"].pairs
    assert (pairs.left.tolist(), pairs.right.tolist()) == ([0, 1], [2, 3])


def test_text_arrays_and_wide_arrays_are_taken() -> None:
    knowledge = (
        Knowledge().together(documents=np.array([["a12", "b7"]])).together(words=np.array([[0, 1, 2]]))
    )
    compiled = knowledge.compile({"documents": IDS, "words": range(3)})
    assert compiled.guidance["documents"].pairs.right.tolist() == [1]
    assert compiled.guidance["words"].groups[0].member.tolist() == [0, 1, 2]


def test_merge_appends_and_plus_copies() -> None:
    one, two = Knowledge(unknown="report").label({"a": "x"}), Knowledge().label({"b": "y"})
    both = one + two
    assert (len(one), len(both), both.unknown) == (1, 2, "report")
    assert one.merge(two) is one
    assert [statement.subject for statement in one] == ["a", "b"]
    assert bool(Knowledge()) is False


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda k: k.together(documents=[("a", "b"), ("c", "c")]),
            r"together\(documents=…\)\[1\]: document c is linked to itself",
        ),
        (lambda k: k.together(documents=np.array([[4, 4]])), "document 4 is linked to itself"),
        (lambda k: k.together(documents=[("a", "b", "a")]), "document a occurs twice"),
        (lambda k: k.apart(words=[("a",)]), "at least two members; got a"),
        (lambda k: k.apart(words=[()]), "at least two members; got nothing"),
        (lambda k: k.together(documents=("a", "b")), r"Write a single pair as a list"),
        (lambda k: k.together(documents=["ab"]), "every item must be a pair"),
        (lambda k: k.together(documents={"a": "b"}), "links must be a list of pairs"),
        (lambda k: k.together(documents=[("a", 3)]), "names and positions are mixed"),
        (lambda k: k.together(documents=[("a", 3.5)]), "3.5 is not a name"),
        (lambda k: k.together(documents=[("a", "")]), "contains an empty name"),
        (lambda k: k.together(documents=[(1, 2**70)]), "too large"),
        (lambda k: k.together(documents=[(True, 1)]), "True is not a name"),
        (lambda k: k.together(), "has no objects"),
        (lambda k: k.together(documents=[("a", "b")], strength=0), "greater than 0; got 0.0"),
        (lambda k: k.together(documents=[("a", "b")], strength=float("inf")), "finite"),
        (lambda k: k.together(documents=[("a", "b")], strength="much"), "must be a number"),
        (
            lambda k: k.together(documents=[("a", "b")], strength=[1, 2]),
            "give one strength, or one for each of the 1 links",
        ),
        (lambda k: k.category("space", words=[]), "the category is empty"),
        (lambda k: k.category("space"), "has no objects"),
        (lambda k: k.category(3, words=["a"]), "must be text; got 3"),
        (lambda k: k.category("", words=["a"]), "must be text"),
        (lambda k: k.category("space", words="orbit"), "give a list of names, not orbit"),
        (lambda k: k.category("space", words=["a"], strength=float("nan")), "finite and greater than 0"),
        (lambda k: k.category("space", words=["a"], strength=1e10), "a strength must be at most 1e\\+09"),
        (lambda k: k.together(documents=[("a", "b")], strength=1e308), "at most 1e\\+09; got 1e\\+308"),
        (lambda k: k.category("space", words=["a"], strength=10**400), "finite and greater than 0; got 1000"),
        (lambda k: k.together(documents=[("a", "b")], strength=10**400), "must be a number; got 1000"),
        (lambda k: k.groups(documents=["a"]), "a mapping from names to members"),
        (lambda k: k.groups(documents={"x": ["a"]}, together=0), "has no effect"),
        (lambda k: k.groups(documents={"x": ["a"]}, apart=-1), "not negative; got -1"),
        (lambda k: k.label(["a"]), "a mapping from objects to labels"),
        (lambda k: k.label({"a": 3}), "label of a must be text; got 3"),
        (lambda k: k.outside("a"), "give a list of names"),
        (lambda k: k.together(categories=[("a", "b")]), "a type cannot be called 'categories'"),
        (lambda k: k.category("space", note=["a"]), "a type cannot be called 'note'"),
        (lambda k: k.label({"a": "x"}, type=""), "the name of a type must be text"),
        (
            lambda k: k.add(Block("hunch", "documents", np.array(["a"], object), "code")),
            "no kind of knowledge",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_at_once(call, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        call(Knowledge())


def test_keys_of_the_file_lead_to_the_methods() -> None:
    for key, method in {"must_link": "together", "labels": "label", "sizes": "group_size"}.items():
        with pytest.raises(AttributeError, match=f"no attribute '{key}'; did you mean '{method}'"):
            getattr(Knowledge(), key)


def test_policies_are_checked() -> None:
    with pytest.raises(
        ParameterError, match='unknown must be "error" or "report" in Knowledge; got \'skip\''
    ):
        Knowledge(unknown="skip")
    with pytest.raises(ParameterError, match="contradictions must be"):
        Knowledge(contradictions="ignore")
