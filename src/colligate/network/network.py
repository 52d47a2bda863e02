"""The network: types of objects and sparse non-negative relations between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from colligate.errors import InputError, MatrixError
from colligate.network.matrix import checked_matrix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scipy.sparse import csr_array

    from colligate.corpus import Corpus

DOCUMENTS = "documents"
WORDS = "words"


@dataclass(frozen=True, eq=False)
class ObjectType:
    """Objects of one kind. Objects without names of their own are named by their position (a `range`)."""

    name: str
    names: Sequence[str] | range

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, eq=False)
class Relation:
    """A sparse non-negative matrix between two types; `weight` is its share in the objective."""

    rows: str
    columns: str
    matrix: csr_array
    weight: float = 1.0

    @cached_property
    def name(self) -> str:
        """How the relation is called in results: `documents × words`."""
        return f"{self.rows} × {self.columns}"


@dataclass(frozen=True, eq=False)
class Network:
    """Types and relations. A documents × words matrix is the smallest network."""

    types: Mapping[str, ObjectType]
    relations: tuple[Relation, ...]

    def __post_init__(self) -> None:
        for relation in self.relations:
            for side, size in zip((relation.rows, relation.columns), relation.matrix.shape, strict=True):
                if side not in self.types:
                    raise InputError(f"relation {relation.name} speaks of {side}, a type the network lacks")
                if size != len(self.types[side]):
                    raise MatrixError(
                        f"relation {relation.name} has {size} {side}, the network {len(self.types[side])}"
                    )

    @classmethod
    def from_matrix(cls, matrix: object) -> Network:
        """Make a two-type network of a documents × words matrix; objects are named by position."""
        return cls._two_types(checked_matrix(matrix), None, None)

    @classmethod
    def from_corpus(cls, corpus: Corpus) -> Network:
        """Make the documents × words network of a corpus."""
        return cls._two_types(checked_matrix(corpus.counts), corpus.ids, corpus.words)

    @classmethod
    def _two_types(cls, matrix: csr_array, ids: Sequence[str] | None, words: Sequence[str] | None) -> Network:
        rows, columns = matrix.shape
        types = {
            DOCUMENTS: ObjectType(DOCUMENTS, range(rows) if ids is None else ids),
            WORDS: ObjectType(WORDS, range(columns) if words is None else words),
        }
        return cls(types, (Relation(DOCUMENTS, WORDS, matrix),))

    @property
    def names(self) -> dict[str, Sequence[str] | range]:
        """The names of the objects of every type."""
        return {name: kind.names for name, kind in self.types.items()}
