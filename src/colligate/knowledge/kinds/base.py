"""What a kind of knowledge is: how it is read, written, compiled, worded and judged, and what it contradicts.

A kind is one file in `knowledge/kinds/`; it is found because it lies there.
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
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import Guidance, IntArray
    from colligate.knowledge.statements import Block, Statement
    from colligate.knowledge.yaml_file import YamlReader

Layout = dict[str, dict[str, Any]]
"""The knowledge file while it is being written: section → key → plain data."""


@dataclass(frozen=True, eq=False)
class Part:
    """A block whose names were looked up: positions of its objects, -1 for a name that is not there.

    `code` is filled in by the kind with the number of the row's category, group or label.
    """

    block: Block
    first: int
    subject: IntArray
    object: IntArray
    code: IntArray
    known: NDArray[np.bool_]

    @property
    def number(self) -> IntArray:
        """The number of every statement of the block."""
        return np.arange(self.first, self.first + len(self.block), dtype=np.int64)


class Kind(ABC):
    """A kind of knowledge.

    `names` are the kinds of statement it stands for, `section` is a key of its own at the top of the
    knowledge file, and `keys` are its keys under a type. `reserved` are keys that stand where it lists types,
    so that no type can be called by them. `by_typical_group` says that objects which were not
    grouped may be judged by the group of documents they are most typical of. `has_strength` says that its
    statements have a strength that can be multiplied.
    """

    names: ClassVar[tuple[str, ...]]
    section: ClassVar[str] = ""
    keys: ClassVar[tuple[str, ...]] = ()
    reserved: ClassVar[tuple[str, ...]] = ()
    by_typical_group: ClassVar[bool] = False
    has_strength: ClassVar[bool] = True

    @abstractmethod
    def read(self, page: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read the part of a knowledge file under `key`."""

    def check_writable(self, blocks: Sequence[Block]) -> None:
        """Refuse blocks that would not say the same in one file; most kinds have none."""
        return

    @abstractmethod
    def write(self, block: Block, layout: Layout, folder: Path) -> None:
        """Add a block to a knowledge file that will lie in `folder`."""

    @abstractmethod
    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """Turn the rows about one type of `size` objects into guidance, and fill in their codes."""

    @abstractmethod
    def sentence(self, statement: Statement) -> str:
        """Word a statement as a sentence."""

    def claim(self, statement: Statement) -> str:
        """Word a statement where it stands against another."""
        return self.sentence(statement)

    @abstractmethod
    def tie(self, parts: Sequence[Part], ties: StatementGraph) -> None:
        """Say what must hold together and what must not; a kind that contradicts nothing says nothing."""

    @abstractmethod
    def kept(self, case: StatementRows) -> BoolArray:
        """Which statements of a case hold in the grouping."""


@cache
def all_kinds() -> tuple[Kind, ...]:
    """All kinds of knowledge, in the order of their files."""
    package = importlib.import_module("colligate.knowledge.kinds")
    return tuple(_found(package.__name__, package.__path__))


def _found(package: str, path: Iterable[str]) -> Iterator[Kind]:
    for module in sorted(pkgutil.iter_modules(path, prefix=f"{package}."), key=lambda module: module.name):
        for value in vars(importlib.import_module(module.name)).values():
            concrete = isinstance(value, type) and issubclass(value, Kind) and not isabstract(value)
            if concrete and value.__module__ == module.name:
                yield value()


@cache
def find_kind(name: str) -> Kind:
    """The kind that stands for a kind of statement."""
    for kind in all_kinds():
        if name in kind.names:
            return kind
    known = ", ".join(name for kind in all_kinds() for name in kind.names)
    raise KnowledgeError(f"there is no kind of knowledge {name!r}; kinds: {known}")
