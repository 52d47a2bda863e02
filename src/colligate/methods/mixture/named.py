"""Names that knowledge gives to groups: a label, or a category of words, is the name of one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.knowledge.faces import one_hot
from colligate.network import by_rows, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.network import Network

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Leaning:
    """What is known of the objects of a type: entry e says that `member[e]` leans to the name `name[e]`.

    `firm` entries are labels; the others lean with a `strength`.
    """

    kind: str
    member: Ints
    name: Ints
    strength: Floats
    statement: Ints
    firm: bool


@dataclass(frozen=True, eq=False)
class Names:
    """The names in the order in which they are told, and all that leans to them."""

    names: tuple[str, ...]
    leanings: tuple[Leaning, ...]

    @classmethod
    def of(cls, network: Network, guidance: Mapping[str, Guidance]) -> Names:
        """Those of the centre first, then of the other types in the order of the network."""
        numbers: dict[str, int] = {}
        kinds = sorted(guidance, key=lambda kind: (kind != network.centre, list(network.types).index(kind)))
        found = [leaning for kind in kinds for leaning in _told(kind, guidance[kind], numbers)]
        return cls(tuple(numbers), tuple(found))

    def votes(self, network: Network, leaning: Leaning, weight: Floats) -> sparse.csr_array:
        """How many objects that lean to each name the documents have, however often they have them.

        Entries of a leaning have a `weight`.
        """
        shape = (len(network.types[leaning.kind]), len(self.names))
        entries = (leaning.strength * weight, (leaning.member, leaning.name))
        matrix = sparse.csr_array(sparse.coo_array(entries, shape=shape))
        if leaning.kind == network.centre:
            return matrix
        around = [part for part in parts_of(network, network.centre) if part.other == leaning.kind]
        found = sparse.csr_array((len(network.types[network.centre]), len(self.names)))
        for part in around:
            found = found + present(by_rows(network, part)) @ matrix
        return sparse.csr_array(found)


def present(counts: sparse.csr_array) -> sparse.csr_array:
    """1 for all that a document has."""
    return sparse.csr_array((counts > 0).astype(np.float64))


def _told(kind: str, known: Guidance, numbers: dict[str, int]) -> Iterator[Leaning]:
    if known.labels is not None:
        told = one_hot(known.labels, len(known.label_names)).tocoo()
        statements = known.label_statements
        own = np.full(len(told.data), -1) if statements is None else statements[told.coords[0]]
        yield _leaning(kind, told, known.label_names, own, numbers, firm=True)
    if known.leanings is not None:
        told = sparse.coo_array(known.leanings.matrix)
        yield _leaning(kind, told, known.leanings.categories, known.leanings.statement, numbers, firm=False)


def _leaning(
    kind: str,
    told: sparse.coo_array,
    names: tuple[str, ...],
    statement: Ints,
    numbers: dict[str, int],
    *,
    firm: bool,
) -> Leaning:
    common = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    member, name = (np.asarray(side, dtype=np.int64) for side in told.coords)
    return Leaning(kind, member, common[name], np.asarray(told.data, dtype=np.float64), statement, firm)
