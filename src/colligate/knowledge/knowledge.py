"""Knowledge: what the user knows before clustering, in the user's terms, with where it came from.

What no call that adds knowledge may be given.

Weighing knowledge by where it came from: all strengths of a source, multiplied.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import expand_path
from colligate.errors import KnowledgeError, KnowledgeWarning, ParameterError
from colligate.knowledge.compile import Compiled, compile_statements
from colligate.knowledge.kinds.base import all_kinds, find_kind
from colligate.knowledge.kinds.category import category_block
from colligate.knowledge.kinds.group import group_block
from colligate.knowledge.kinds.label import label_block
from colligate.knowledge.kinds.link import link_blocks
from colligate.knowledge.kinds.outside import outside_block
from colligate.knowledge.names import misspells
from colligate.knowledge.statements import Block, Statement, Statements, check_strength, is_strength
from colligate.knowledge.text import format_name, is_text
from colligate.knowledge.yaml_file import BUILT_IN_CODE, read_blocks, write_blocks

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import FloatArray


_POLICIES = ("error", "report")


class Knowledge:
    """What is known before clustering. Each method adds statements and returns the same object.

    `unknown` and `contradictions` say what happens when a statement names what is not there, or when
    statements cannot all hold: "error" stops, "report" warns and goes on.
    """

    def __init__(self, *, unknown: str = "error", contradictions: str = "error") -> None:
        for name, value in (("unknown", unknown), ("contradictions", contradictions)):
            if value not in _POLICIES:
                raise ParameterError(f'{name} must be "error" or "report" in Knowledge; got {value!r}')
        self.unknown = unknown
        self.contradictions = contradictions
        self._blocks: list[Block] = []

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], *, unknown: str = "error", contradictions: str = "error"
    ) -> Knowledge:
        """Read a knowledge file (YAML). What stands there is text, so objects are given by name."""
        knowledge = cls(unknown=unknown, contradictions=contradictions)
        knowledge.add(*read_blocks(expand_path(path)))
        if not knowledge:
            warnings.warn(
                f"the knowledge file {expand_path(path)} holds no statements; the run uses no knowledge",
                KnowledgeWarning,
                stacklevel=2,
            )
        return knowledge

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a knowledge file that reads back to the same statements, sorted by section and kind."""
        write_blocks(self._blocks, expand_path(path))

    def category(
        self, name: str, *, strength: float = 1.0, source: str = BUILT_IN_CODE, **members: Any
    ) -> Knowledge:
        """Say that words, or objects of any type, are in a category: `category("space", words=["orbit"])`."""
        if not is_text(name):
            raise KnowledgeError(f"the name of a category must be text; got {format_name(name)}")
        refuse_empty(members, f"category({name!r})", "words=[…]")
        strength = check_strength(strength, f"category({name!r})")
        return self.add(
            *(category_block(name, kind, given, strength, source) for kind, given in members.items())
        )

    def together(self, *, strength: Any = 1.0, source: str = BUILT_IN_CODE, **links: Any) -> Knowledge:
        """Say that objects belong together: `together(documents=[("a12", "b7")])`, or words, or any type.

        An item of more than two objects is a group: all its members belong together. Text is a name, a whole
        number a position, counted from 0; an integer array of shape (n, 2) is taken as it is. `strength` is
        one or one per item.
        """
        return self._link("together", links, strength, source)

    def apart(self, *, strength: Any = 1.0, source: str = BUILT_IN_CODE, **links: Any) -> Knowledge:
        """Say that objects belong apart, in the form that `together` takes; a longer item is all apart."""
        return self._link("apart", links, strength, source)

    def groups(
        self, *, together: float = 1.0, apart: float = 0.0, source: str = BUILT_IN_CODE, **groups: Any
    ) -> Knowledge:
        """Say what belongs together by named groups: `groups(documents={"north": ["a12", "b7"]})`.

        `together` and `apart` are the strengths of the implied links inside a group and between the groups
        of this call; 0 means that nothing is said.
        """
        refuse_empty(groups, "groups()", 'documents={"name": […]}')
        together = check_strength(together, "groups(together=…)", zero=True)
        apart = check_strength(apart, "groups(apart=…)", zero=True)
        if together == apart == 0:
            raise KnowledgeError("groups(together=0, apart=0) says nothing; give one of them a strength")
        for kind, members in groups.items():
            require_mapping(members, f"groups({kind}=…)", "names to members")
        return self.add(
            *(group_block(kind, members, together, apart, source) for kind, members in groups.items())
        )

    def label(
        self, labels: Mapping[Any, str], *, type: str = "documents", source: str = BUILT_IN_CODE
    ) -> Knowledge:
        """Say which cluster objects belong to, by a name for it: `label({"a12": "space"})`."""
        require_mapping(labels, "label(…)", "objects to labels")
        return self.add(label_block(type, labels, source))

    def outside(
        self,
        outsiders: Sequence[str] | Sequence[int] | Corpus,
        *,
        type: str = "documents",
        source: str = BUILT_IN_CODE,
    ) -> Knowledge:
        """Say what belongs to no cluster: ids of documents in the corpus, or a corpus of others."""
        return self.add(outside_block(type, outsiders, source))

    def add(self, *blocks: Block) -> Knowledge:
        """Add blocks of statements: the way in for kinds of knowledge that have no method of their own."""
        for block in blocks:
            check_block(block)
        self._blocks.extend(block for block in blocks if len(block))
        return self

    def merge(self, other: Knowledge) -> Knowledge:
        """Add all statements of `other` after one's own."""
        return self.add(*other._blocks)

    def __add__(self, other: object) -> Knowledge:
        if not isinstance(other, Knowledge):
            return NotImplemented
        both = Knowledge(unknown=self.unknown, contradictions=self.contradictions)
        return both.merge(self).merge(other)

    def weighted(self, factors: Mapping[str, float]) -> Knowledge:
        """The same statements, the strengths of each named source multiplied: `weighted({"experts": 2})`."""
        require_mapping(factors, "weighted(…)", "sources to factors")
        other = Knowledge(unknown=self.unknown, contradictions=self.contradictions)
        return other.add(*scale_sources(self._blocks, factors))

    @property
    def statements(self) -> Statements:
        """All statements, as columns."""
        return Statements(self._blocks)

    def __len__(self) -> int:
        return sum(map(len, self._blocks))

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def __repr__(self) -> str:
        return f"<Knowledge of {len(self)} statements>"

    def compile(self, names: Mapping[str, Sequence[str] | range]) -> Compiled:
        """Turn the statements into guidance for objects of these names, by type.

        A `range` stands for objects that are known by position only; there, text that spells a position is
        one.
        """
        return compile_statements(self.statements, names, self.unknown, self.contradictions)

    def _link(self, kind: str, links: dict[str, Any], strength: Any, source: str) -> Knowledge:
        refuse_empty(links, f"{kind}()", "documents=[…]")
        found = [
            block
            for name, given in links.items()
            for block in link_blocks(kind, name, given, strength, source)
        ]
        return self.add(*found)


def check_block(block: Block) -> None:
    """Refuse a type or a source that is no text, and a type that the knowledge file could not hold.

    A type called like a key of the knowledge file, or a slip of one, could be written there, but not read.
    """
    sections = [kind.section for kind in all_kinds() if kind.section]
    for what, name in (("type", block.type), ("source", block.source)):
        if not is_text(name):
            raise KnowledgeError(f"the name of a {what} must be text; got {format_name(name)}")
    if block.type in (*sections, *find_kind(block.kind).reserved):
        raise KnowledgeError(
            f"no type can be called {format_name(block.type)!r}: that is a key of the knowledge file; "
            "rename the type"
        )
    if near := [section for section in sections if misspells(block.type, section)]:
        raise KnowledgeError(
            f"no type can be called {format_name(block.type)!r}: in the knowledge file that is a slip of "
            f"{near[0]!r}; rename the type"
        )


def refuse_empty(given: Mapping[str, Any], call: str, example: str) -> None:
    """Refuse a call that names no objects."""
    if not given:
        raise KnowledgeError(f"{call} names no objects; give them by their type, as in {example}")


def require_mapping(given: object, call: str, what: str) -> None:
    """Refuse anything but a mapping."""
    if not isinstance(given, Mapping):
        raise KnowledgeError(f"{call} needs a mapping from {what}; got {format_name(given)}")


def scale_sources(blocks: Sequence[Block], factors: Mapping[str, float]) -> Iterator[Block]:
    """The blocks in their order, the strengths of each named source multiplied by its factor."""
    sources = list(dict.fromkeys(block.source for block in blocks))
    for source in factors:
        if source not in sources:
            there = ", ".join(map(format_name, sources)) or "none"
            raise KnowledgeError(
                f"weighted(…): no statement comes from {format_name(source)!r}; the sources are: {there}"
            )
    checked = {name: _checked(name, value) for name, value in factors.items()}
    return (_scaled(block, checked[block.source]) if block.source in checked else block for block in blocks)


def _checked(source: str, value: object) -> float:
    return check_strength(value, f"weighted({{{source!r}: …}})", what="a factor")


def _scaled(block: Block, factor: float) -> Block:
    kind = find_kind(block.kind)
    if not kind.has_strength:
        raise KnowledgeError(
            f"weighted({{{block.source!r}: …}}): this source holds statements of the kind {block.kind!r}, "
            "which have no strength to multiply; tell them under another source"
        )
    strength = _times(block.strength, factor, block.source)
    return replace(block, strength=strength, apart=float(_times(block.apart, factor, block.source)))


def _times(strength: float | FloatArray, factor: float, source: str) -> float | FloatArray:
    """The product, unless it is too large or too small to be a strength."""
    with np.errstate(over="ignore", under="ignore"):
        found = np.asarray(strength, dtype=np.float64) * factor
    if is_strength(found, zero=True).all() and np.array_equal(found > 0, np.asarray(strength) > 0):
        return found if found.ndim else float(found)
    raise KnowledgeError(
        f"weighted({{{source!r}: {factor:g}}}) makes a strength too large or too small; "
        "take a factor nearer to 1"
    )
