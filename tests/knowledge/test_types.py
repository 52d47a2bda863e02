"""Every kind of statement can be made of any type, in code and in the file, with the same outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from colligate.errors import KnowledgeError
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from pathlib import Path

MEMBERS = ["Ada", "Bob", "Eve", "Ian", "Joe"]
TYPES = ["people", "places", "news agencies", "label", "Straße", "documents", "words"]


def in_code(kind: str) -> Knowledge:
    return (
        Knowledge()
        .category("space", **{kind: ["Ada", "Bob"]}, strength=2)
        .groups(**{kind: {"north": ["Ada"], "south": ["Joe"]}}, together=2, apart=0.5)
        .label({"Ada": "x", "Joe": "y"}, type=kind)
        .together(**{kind: [("Ada", "Bob")]})
        .together(**{kind: [("Ada", "Bob", "Eve")]})
        .apart(**{kind: [("Ada", "Ian")]})
        .outside(["Ian"], type=kind)
    )


FILE = """\
categories:
  space: {{{kind}: [Ada, Bob], strength: 2}}
{kind}:
  groups:
    - {{members: {{north: [Ada], south: [Joe]}}, together: 2, apart: 0.5}}
  labels: {{Ada: x, Joe: y}}
  together:
    - [Ada, Bob]
    - [Ada, Bob, Eve]
  apart:
    - [Ada, Ian]
  outside: [Ian]
"""


def told(knowledge: Knowledge) -> list[tuple]:
    return [(s.kind, s.type, s.subject, s.object, s.strength) for s in knowledge]


@pytest.mark.parametrize("kind", TYPES)
def test_the_file_says_of_any_type_what_code_says(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(FILE.format(kind=kind), encoding="utf-8")
    assert told(Knowledge.read(path)) == told(in_code(kind))
    in_code(kind).write(tmp_path / "again.yaml")
    assert sorted(map(str, told(Knowledge.read(tmp_path / "again.yaml")))) == sorted(
        map(str, told(in_code(kind)))
    )


@pytest.mark.parametrize("kind", TYPES)
def test_statements_of_any_type_guide_its_objects_and_no_others(kind: str) -> None:
    compiled = in_code(kind).compile({"others": MEMBERS, kind: MEMBERS})
    guidance = compiled.guidance[kind]
    assert guidance.kinds == ("links", "categories", "labels", "outside")
    assert [(links.together, links.apart) for links in guidance.groups] == [(2, 0.5), (1, 0)]
    assert guidance.pairs.sign.tolist() == [1, -1]
    assert compiled.guidance["others"].is_empty


def test_people_are_worded_one_by_one() -> None:
    assert [statement.sentence for statement in in_code("people")][::3] == [
        "person Ada is in category space",
        "person Joe is in group south",
        "people Ada and Bob belong together",
        "person Eve is in group 'Ada, Bob, Eve'",
    ]


@pytest.mark.parametrize(
    "call",
    [
        lambda k: k.together(people=[("Ada", "Bob")], source=[("x", "y")]),
        lambda k: k.category("space", words=["orbit"], source=["x"]),
        lambda k: k.groups(people={"north": ["Ada"]}, source={"x": ["y"]}),
        lambda k: k.label({"Ada": "x"}, source=""),
    ],
)
def test_a_type_called_like_a_parameter_is_not_taken_for_one_in_silence(call) -> None:
    with pytest.raises(KnowledgeError, match="the name of a source must be text"):
        call(Knowledge())
