"""Knowledge that is nothing but the names of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.errors import KnowledgeError
from colligate.knowledge import GroupNames, Knowledge
from colligate.network import Network
from colligate.result import Result

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {"documents": list("abcdef"), "words": ["orbit", "puck"]}
FILE = """\
names:
- space
- {name: acq, meaning: company takeover, note: as in Reuters}
papers:
  names: [method]
"""


def test_the_file_says_what_code_says_and_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(FILE, encoding="utf-8")
    knowledge = Knowledge.read(path)
    assert [statement.sentence for statement in knowledge] == [
        "a group is called space",
        "a group is called acq, which means company takeover",
        "a group is called method",
    ]
    assert [statement.where for statement in knowledge] == [f"{path}:{line}" for line in (2, 3, 5)]
    knowledge.write(path)
    assert path.read_text(encoding="utf-8") == FILE
    code = Knowledge().names(["space"]).names({"acq": "company takeover"}).names(["method"], type="papers")
    assert [statement.sentence for statement in code] == [statement.sentence for statement in knowledge]


def test_a_name_is_one_group_whatever_else_uses_it() -> None:
    knowledge = Knowledge().names(["space", "hockey"]).names({"space": "rockets"})
    knowledge.category("space", words=["orbit"]).group_size("hockey", at_most=3)
    compiled = knowledge.compile(NAMES)
    names = compiled.guidance["documents"].of_kind(GroupNames)
    assert names is not None
    assert names.names == ("space", "hockey")
    assert names.meanings == ("space rockets", "hockey")
    assert names.statement.tolist() == [0, 1, 2]
    assert names.code.tolist() == [0, 1, 0]
    # a bound on the size of a group may use a name that is stated as such
    assert not compiled.unknown.any()


def test_other_meanings_make_another_checkpoint() -> None:
    def arrays(meaning: str) -> list[bytes]:
        guidance = Knowledge().names({"space": meaning}).compile(NAMES).guidance["documents"]
        return [part.tobytes() for piece in guidance.about_groups for part in piece.arrays]

    assert arrays("rockets") != arrays("planets")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("sport", "needs a list of names"),
        ([3], "must be text; got 3"),
        ({"sport": ""}, "must be text"),
        (["*"], "means every group"),
    ],
)
def test_wrong_names_in_code_are_refused(names: object, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge().names(names)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("names: sport\n", "must be a list"),
        ("names: [{meaning: sport}]\n", ":1: a name written as a mapping needs the key 'name'"),
        ("names: ['*']\n", ":1: '\\*' means every group"),
    ],
)
def test_wrong_names_in_a_file_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=message):
        Knowledge.read(path)


def result(named_groups: dict[str, int]) -> Result:
    corpus = Corpus.from_texts(["orbit puck"] * 6, ids=list("abcdef"))
    network = Network.from_corpus(corpus)
    knowledge = Knowledge().names(["space", "hockey", "cars"]).label({"a": "ice", "b": "ice"})
    return Result(
        method="m",
        parameters={},
        seed=0,
        network=network,
        corpus=corpus,
        labels={"documents": np.array([0, 0, 0, 1, 1, 1])},
        memberships={},
        association={},
        history=(1.0,),
        n_iter=0,
        converged=True,
        restarts=(1.0,),
        chosen=0,
        model={},
        compiled=knowledge.compile(network.names),
        named_groups=named_groups,
    )


def test_a_name_is_kept_if_it_has_a_group_with_documents_of_its_own() -> None:
    def outcomes(**named_groups: int) -> list[tuple[str, str]]:
        audit = result(named_groups).audit()
        return [(audit.statement(number).status, audit.statement(number).note) for number in range(3)]

    assert outcomes(space=0, hockey=1) == [
        ("kept", "its group has 3 documents"),
        ("kept", "its group has 3 documents"),
        ("broken", "no group has this name"),
    ]
    assert [status for status, _ in outcomes(space=0, hockey=1, cars=1)] == ["kept", "broken", "broken"]


def test_a_stated_name_is_the_name_of_its_group_even_beside_labels() -> None:
    assert result({"space": 0, "hockey": 1, "ice": 0}).group_names[0].startswith("space")
    assert result({"hockey": 1, "ice": 0}).group_names[0].startswith("ice")
