"""What a kind of knowledge is: how it is read, written, compiled, worded, contradicted and judged.

A kind is one file in `knowledge/kinds/`; it is discovered because it lies there. Its statements are about
objects (documents, words, …) or about groups of them. What it compiles to about objects are links, seeds,
labels and outsiders; about groups it compiles to a `GroupGuidance` that it defines.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from inspect import isabstract
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from yaml.nodes import Node

    from colligate.knowledge.contradictions import Contradiction, StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import Guidance, IntArray
    from colligate.knowledge.statements import Block, Statement, Statements
    from colligate.knowledge.yaml_file import YamlReader

Layout = dict[str, Any]
"""The knowledge file while it is being written: section → key → plain data."""


@dataclass(frozen=True, eq=False)
class Part:
    """A block whose names were looked up: positions of its objects, -1 for a name that is unknown.

    `resolved` marks the rows all of whose names are known. `code` is filled in by the kind with the number
    of the row's category, group or label.
    """

    block: Block
    first: int
    subject: IntArray
    object: IntArray
    code: IntArray
    resolved: NDArray[np.bool_]

    @property
    def number(self) -> IntArray:
        """The number of every statement of the block."""
        return np.arange(self.first, self.first + len(self.block), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Grouping:
    """What a method is to make of the objects of a type: so many groups of those that it can group."""

    n_groups: int
    groupable: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Context:
    """What a kind may look at to find contradictions: all guidance of the type, and the method's grouping.

    `grouping` is None if knowledge is compiled for no method.
    """

    type: str
    guidance: Guidance
    statements: Statements
    grouping: Grouping | None


class Kind(ABC):
    """A kind of knowledge.

    `names` are its kinds of statement, `section` is its key at the top of the knowledge file, and `keys` are
    its keys under a type. `synonyms` are other words for its keys, which an error translates. `reserved` are
    keys that stand where it lists types, so that no type can have these names. `about_groups` tells that its
    subjects are groups, meant by their names, and `names_groups` that its statements give such names.
    `by_typical_group` tells that objects which were not grouped may be judged by the group of documents they
    are most typical of. `has_strength` tells that its statements have a strength that can be multiplied.
    """

    names: ClassVar[tuple[str, ...]]
    section: ClassVar[str] = ""
    keys: ClassVar[tuple[str, ...]] = ()
    synonyms: ClassVar[Mapping[str, str]] = {}
    reserved: ClassVar[tuple[str, ...]] = ()
    about_groups: ClassVar[bool] = False
    names_groups: ClassVar[bool] = False
    by_typical_group: ClassVar[bool] = False
    has_strength: ClassVar[bool] = True

    @abstractmethod
    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read the part of a knowledge file under `key`."""

    def check_writable(self, blocks: Sequence[Block]) -> None:
        """Refuse blocks that would not mean the same in one file; most kinds have none."""
        return

    @abstractmethod
    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Add a block to a knowledge file; paths are relative to its folder, or absolute without one."""

    @abstractmethod
    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Turn the rows about one type of `size` objects into guidance, and fill in their codes."""

    @abstractmethod
    def describe(self, statement: Statement) -> str:
        """Return a statement as a sentence."""

    def describe_briefly(self, statement: Statement) -> str:
        """Return a statement in the words used where it contradicts another."""
        return self.describe(statement)

    def object_texts(self, block: Block) -> list[str]:
        """Return the other half of every row as text for tables; empty if there is none."""
        if block.object is not None:
            return [str(name) for name in block.object.tolist()]
        if block.codes is not None:
            return [block.names[code] for code in block.codes.tolist()]
        return [""] * len(block)

    def add_to_graph(self, parts: Sequence[Part], graph: StatementGraph) -> None:
        """Record what belongs together and what must not meet; nothing by default."""
        return

    def find_contradictions(self, parts: Sequence[Part], context: Context) -> Iterable[Contradiction]:
        """Find contradictions that are not about components of objects; none by default."""
        return ()

    @abstractmethod
    def judge(self, rows: StatementRows) -> BoolArray:
        """Tell which statements hold in the grouping."""

    def describe_outcomes(self, rows: StatementRows) -> Sequence[str]:
        """Return what the grouping has for each row, for the audit; empty if the verdict is enough."""
        return ()


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Return all kinds of knowledge, in the order of their files."""
    package = importlib.import_module("colligate.knowledge.kinds")
    kinds = tuple(_discover(package.__name__, package.__path__))
    sections = [kind.section for kind in kinds if kind.section]
    # A second kind with the same section would never be read.
    assert len(set(sections)) == len(sections), f"two kinds of knowledge share a section: {sections}"
    return kinds


def _discover(package: str, path: Iterable[str]) -> Iterator[Kind]:
    for module in sorted(pkgutil.iter_modules(path, prefix=f"{package}."), key=lambda module: module.name):
        for value in vars(importlib.import_module(module.name)).values():
            concrete = isinstance(value, type) and issubclass(value, Kind) and not isabstract(value)
            if concrete and value.__module__ == module.name:
                yield value()


@cache
def find_kind(name: str) -> Kind:
    """Return the kind that a kind of statement belongs to."""
    for kind in all_kinds():
        if name in kind.names:
            return kind
    names = ", ".join(name for kind in all_kinds() for name in kind.names)
    raise KnowledgeError(f"there is no kind of knowledge {name!r}; the kinds are {names}")
