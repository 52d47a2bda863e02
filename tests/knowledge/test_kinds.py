"""A new kind of knowledge is one new file, the audit included; guidance of several kinds is joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import sparse

from colligate.corpus import Corpus
from colligate.knowledge import GroupLinks, Guidance, Knowledge, PairLinks, Seeds, all_kinds, kinds
from colligate.knowledge.compile import merge_guidance
from colligate.knowledge.kinds.base import Kind, find_kind
from colligate.knowledge.kinds.link import Link
from colligate.knowledge.text import format_name, singular
from colligate.network import Network
from colligate.result import Result

if TYPE_CHECKING:
    from pathlib import Path

NEW_KIND = '''
import numpy as np
from colligate.knowledge.statements import Block, as_column
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind


class Alien(Kind):
    """Objects from elsewhere."""

    names = ("alien",)
    keys = ("aliens",)

    def read(self, reader, key, type_name, node):
        yield Block("alien", type_name, as_column(reader.texts(node, key), key), reader.source)

    def write(self, block, layout, folder):
        layout.setdefault(block.type, {})["aliens"] = block.subject.tolist()

    def compile(self, parts, size):
        return Guidance(size, outsiders=np.concatenate([part.subject for part in parts]))

    def add_to_graph(self, parts, graph):
        pass

    def describe(self, statement):
        return f"{statement.subject} comes from elsewhere"

    def judge(self, rows):
        return rows.place != 0
'''


@pytest.fixture
def _new_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "alien.py").write_text(NEW_KIND, encoding="utf-8")
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path)])
    all_kinds.cache_clear()
    find_kind.cache_clear()
    yield
    all_kinds.cache_clear()
    find_kind.cache_clear()


@pytest.mark.usefixtures("_new_kind")
def test_a_new_file_is_found_read_compiled_worded_and_written(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text("documents:\n  aliens: [b, c]\n  outside: [a]\n", encoding="utf-8")
    knowledge = Knowledge.read(path)
    assert next(iter(knowledge)).sentence == "b comes from elsewhere"
    assert knowledge.compile({"documents": ["a", "b", "c"]}).guidance["documents"].outsiders.tolist() == [
        0,
        1,
        2,
    ]
    knowledge.write(path)
    assert len(Knowledge.read(path)) == 3


@pytest.mark.usefixtures("_new_kind")
def test_the_audit_judges_a_kind_it_has_never_heard_of(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text("documents:\n  aliens: [a, b, c]\nwords:\n  aliens: [x]\n", encoding="utf-8")
    corpus = Corpus.from_counts(np.ones((3, 1), dtype=np.int32), ["x"], ["a", "b", "c"])
    audit = _result(corpus, [0, 1, -1], Knowledge.read(path)).audit()
    assert [audit.statement(row).status for row in range(4)] == ["broken", "kept", "kept", "unknown"]
    assert audit.by_kind() == {"alien": {"kept": 2, "broken": 1, "unknown": 1}}


def test_a_kind_cannot_forget_to_judge() -> None:
    rest = {name: getattr(Link, name) for name in Kind.__abstractmethods__ - {"judge"}}
    with pytest.raises(TypeError, match="judge"):
        type("Forgetful", (Kind,), rest)()


def _result(corpus: Corpus, labels: list[int], knowledge: Knowledge) -> Result:
    network = Network.from_corpus(corpus)
    return Result(
        method="none",
        parameters={},
        seed=0,
        network=network,
        corpus=corpus,
        labels={"documents": np.array(labels)},
        memberships={},
        association={},
        history=(),
        n_iter=0,
        converged=True,
        restarts=(),
        chosen=0,
        model={},
        compiled=knowledge.compile(network.names),
    )


def test_names_and_keys_of_kinds_are_unique() -> None:
    names = [name for kind in all_kinds() for name in kind.names]
    keys = [key for kind in all_kinds() for key in kind.keys]
    assert set(names) >= {"apart", "category", "group", "label", "outside", "size", "together"}
    assert len(set(names)) == len(names)
    assert len(set(keys)) == len(keys)


def test_guidance_of_several_kinds_is_joined() -> None:
    def pairs(sign: int, strength: float) -> PairLinks:
        return PairLinks(
            np.array([0]), np.array([1]), np.array([sign], np.int8), np.array([strength]), np.array([0])
        )

    group = GroupLinks(np.array([0]), np.array([0]), ("g",), np.array([0]))
    one = Guidance(
        3,
        pairs(1, 1.0),
        seeds=Seeds(sparse.csr_array(np.array([[1.0], [0], [0]])), ("x",), np.array([7])),
        labels=np.array([0, -1, -1]),
        label_names=("p",),
        label_statements=np.array([4, -1, -1]),
        outsiders=np.array([1]),
    )
    two = Guidance(
        3,
        pairs(1, 2.0),
        groups=(group,),
        seeds=Seeds(sparse.csr_array(np.array([[0, 3.0], [1, 0], [0, 0]])), ("y", "x"), np.array([8, 9])),
        labels=np.array([0, 1, -1]),
        label_names=("q", "p"),
        label_statements=np.array([5, 6, -1]),
        outsiders=np.array([2, 1]),
    )
    both = merge_guidance(3, [one, two, Guidance(3, pairs(-1, 1.0))])
    assert sorted(zip(both.pairs.sign, both.pairs.strength, strict=True)) == [(-1, 1.0), (1, 2.0)]
    assert both.groups == (group,)
    assert both.seeds is not None
    assert both.seeds.categories == ("x", "y")
    assert both.seeds.matrix.toarray().tolist() == [[3, 0], [0, 1], [0, 0]]
    assert both.seeds.statement.tolist() == [7, 9]
    assert both.label_names == ("p", "q")
    assert both.labels is not None
    assert both.labels.tolist() == [0, 0, -1]
    assert both.label_statements is not None
    assert both.label_statements.tolist() == [4, 6, -1]
    assert both.outsiders.tolist() == [1, 2]


def test_wording() -> None:
    assert [singular(name) for name in ("documents", "people", "companies", "boss", "fish")] == [
        "document",
        "person",
        "company",
        "boss",
        "fish",
    ]
    assert format_name(" x ") == "' x '"
    assert format_name(None) == "None"
