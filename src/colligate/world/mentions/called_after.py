"""Names that stand for something else that is called after them: Boston for the Boston Bruins.

Most members of some classes, such as teams, are called after something else, mostly a place, and go by its
name alone where the talk is of them. So where a document names several things of such a class, the name of
something of the kind that they are called after tells nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from colligate.world.mentions.tokens import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.found import Found
    from colligate.world.mentions.gazetteer import Gazetteer

MOST = 0.8
"""The share of the members of a class called after something that makes it such a class."""

FEWEST = 10
COMPANY = 0.1
"""The share of the names of a document, of things of such a class, that makes the talk be of them."""

USUAL = 0.5
"""The share of what they are called after that makes its class the kind."""

_ASKED = 200


class _Known(NamedTuple):
    """By name the entities that have it and those that are called after it; the classes of all of them."""

    owners: Mapping[int, set[str]]
    after: Mapping[int, set[str]]
    classes: Mapping[str, Sequence[str]]


def called_after(found: Found, gazetteer: Gazetteer, base: KnowledgeBase) -> NDArray[np.bool_]:
    """Which finds may speak of something that is called after their names."""
    numbers, column = np.unique(found.name, return_inverse=True)
    known = _known(numbers.tolist(), gazetteer, base)
    taken = _taken(known)
    if not taken:
        return np.zeros(len(found), dtype=bool)
    has, own = (_classes_of(numbers.tolist(), some, known, taken) for some in (known.owners, known.after))
    row, named, talk = _company(found, column, has)
    kin = _kin(numbers.tolist(), known, own)
    doubtful = named[row].multiply(kin[column]) + talk[row].multiply(own[column])
    return np.asarray((doubtful > has[column]).sum(axis=1) > 0)


def _kin(numbers: Sequence[int], known: _Known, own: sparse.csr_array) -> sparse.csr_array:
    """Names × classes: whether a name is of the kind that the members of a class are called after."""
    every = {kind: at for at, kind in enumerate(sorted(_counted(known.classes, known.classes)))}
    kinds = _classes_of(numbers, known.owners, known, every)
    usual = (own.T @ kinds).toarray() >= USUAL * own.sum(axis=0)[:, np.newaxis]
    return ((kinds @ sparse.csr_array(usual.T.astype(np.float64))) > 0).astype(np.float64)


class _Company(NamedTuple):
    """The row of each find's document; by document, which classes it names, and which the talk may be of."""

    row: NDArray[np.int64]
    named: sparse.csr_array
    talk: sparse.csr_array


def _company(found: Found, column: NDArray[np.int64], has: sparse.csr_array) -> _Company:
    """What the names of each document are.

    The talk may also be of a class where many names are usually met in documents that name it: lists of
    results have places only.
    """
    documents, row = np.unique(found.document, return_inverse=True)
    shape = len(documents), has.shape[0]
    names = sparse.csr_array((np.ones(len(found)), (row, column)), shape=shape)
    names.sum_duplicates()
    names.data[:] = 1.0
    parts = _divided(names, names.sum(axis=1))
    named = ((parts @ has) >= COMPANY).astype(np.float64)
    usual = _divided((names.T @ named).tocsr(), names.sum(axis=0))
    return _Company(row, named, ((parts @ has.maximum(usual)) >= COMPANY).astype(np.float64))


def _divided(table: sparse.csr_array, totals: NDArray[np.float64]) -> sparse.csr_array:
    return sparse.csr_array(sparse.diags_array(1.0 / totals) @ table)


def _known(numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> _Known:
    owners = {number: {owner.entity for owner in gazetteer.owners(number)} for number in numbers}
    after = {number: some - owners[number] for number, some in _begun(numbers, gazetteer).items()}
    entities = sorted(set().union(*owners.values(), *after.values()))
    return _Known(owners, after, base.types(entities))


def _begun(numbers: Sequence[int], gazetteer: Gazetteer) -> dict[int, set[str]]:
    """For each name the entities with a longer name that begins with it."""
    by_name = {plain(gazetteer.names[number]): number for number in numbers}
    longest = max((name.count(" ") + 1 for name in by_name), default=0)
    found: dict[int, set[str]] = defaultdict(set)
    for number, name in enumerate(gazetteer.names):
        words = plain(name).split()
        for length in range(1, min(len(words), longest + 1)):
            begun = by_name.get(" ".join(words[:length]))
            if begun is not None and len(found[begun]) < _ASKED:
                found[begun].update(owner.entity for owner in gazetteer.owners(number))
    return found


def _taken(known: _Known) -> dict[str, int]:
    """The classes whose members are mostly called after something, by number."""
    members = _counted(known.classes, known.classes)
    called = _counted(set().union(*known.after.values()), known.classes)
    most = [kind for kind, many in members.items() if many >= FEWEST and called[kind] >= MOST * many]
    return {kind: at for at, kind in enumerate(sorted(most))}


def _counted(entities: Iterable[str], classes: Mapping[str, Sequence[str]]) -> Counter[str]:
    return Counter(kind for entity in entities for kind in classes.get(entity, ()))


def _classes_of(
    numbers: Sequence[int], entities: Mapping[int, set[str]], known: _Known, taken: Mapping[str, int]
) -> sparse.csr_array:
    """Names × classes: whether some entities of a name are of a class."""
    pairs = {
        (row, taken[kind])
        for row, number in enumerate(numbers)
        for entity in entities.get(number, ())
        for kind in known.classes.get(entity, ())
        if kind in taken
    }
    rows, columns = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(numbers), len(taken)))
