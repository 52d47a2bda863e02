"""A network of new documents, matched with the network that a result was made with.

Objects are matched by name, and where the result knows them by position, by position. What the result does
not know is left out, since it cannot speak for any group.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import InputError, KnowledgeWarning
from colligate.network.matrix import checked_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.network import Network, ObjectType, Part
    from colligate.result.result import Result


def matched(result: Result, new: Network) -> dict[Part, sparse.csr_array]:
    """For each relation of the new documents, the new documents × the objects that the result knows.

    Every object of the new network's centre is a new document. A relation between other types says nothing
    about them and is passed over. Of a relation of documents with each other, entries between a new one and
    one of the result count, in either direction.
    """
    if result.centre not in new.types:
        raise InputError(
            f"the result groups {result.centre}, and the new network has none; "
            f"its types are {', '.join(new.types)}"
        )
    around = new.around(result.centre)
    found: dict[Part, sparse.csr_array] = {}
    for part in around.parts:
        known = _counterpart(result, new, part)
        if known in found:
            raise InputError(
                f"two relations of the new network would stand for {_name(result, known)!r}; "
                "call them as in the result"
            )
        matrix, places = around.cut(part), _places(result, new.types[part.other])
        _warn_of_strangers(matrix, places, part, result.centre)
        found[known] = _moved(matrix, places, known.stop - known.start)
    if not found:
        raise InputError(f"the {result.centre} of the new network take part in no relation")
    return found


def _counterpart(result: Result, new: Network, part: Part) -> Part:
    """The part of the result that a part of the new network stands for: by its name, else by its types."""
    name = new.relations[part.relation].name
    same = [own for own in result.around.parts if own.other == part.other]
    if part.other == result.centre:
        same = [own for own in same if own.flipped == part.flipped]
    named = [own for own in same if _name(result, own) == name]
    if len(same) == 1 or named:
        return (named or same)[0]
    there = ", ".join(dict.fromkeys(repr(_name(result, own)) for own in same or result.around.parts))
    why = f"several relations lead to {part.other}" if same else f"no relation leads to {part.other}"
    raise InputError(f"relation {name!r} of the new network has no counterpart: {why}; there are {there}")


def _name(result: Result, part: Part) -> str:
    return result.network.relations[part.relation].name


def _places(result: Result, new: ObjectType) -> NDArray[np.int64]:
    """Where each object of a new type is in the result; -1 for those it does not know."""
    known = result.network.types[new.name].names
    if not isinstance(known, range) and not isinstance(new.names, range):
        table = {name: at for at, name in enumerate(known)}
        return np.fromiter((table.get(name, -1) for name in new.names), dtype=np.int64, count=len(new))
    if new.name == result.centre:
        raise InputError(
            f"{new.name} known by position cannot be told from the new ones; give predict a mapping "
            f"{{relation: matrix of new × old {new.name}}}"
        )
    if isinstance(known, range) != isinstance(new.names, range):
        how = ("position", "name") if isinstance(known, range) else ("name", "position")
        raise InputError(
            f"the result knows its {new.name} by {how[0]}, the new network has them by {how[1]}; "
            f"give the new network the same {new.name}"
        )
    if len(known) != len(new):
        raise InputError(
            f"the result knows {len(known):,} {new.name} by position, the new network has {len(new):,}; "
            f"give it the same {new.name} in the same order"
        )
    return np.arange(len(new), dtype=np.int64)


def _warn_of_strangers(matrix: sparse.csr_array, places: NDArray[np.int64], part: Part, centre: str) -> None:
    named = np.unique(matrix.indices)
    if named.size and (places[named] < 0).all() and not (part.flipped and part.other == centre):
        warnings.warn(
            f"the result knows none of the {named.size:,} {part.other} that the new {centre} are related to; "
            "they are left out. Are they spelt as they were?",
            KnowledgeWarning,
            stacklevel=2,
        )


def _moved(matrix: sparse.csr_array, places: NDArray[np.int64], width: int) -> sparse.csr_array:
    entries = sparse.coo_array(matrix)
    rows, columns = entries.coords
    at = places[columns]
    inside = at >= 0
    shape = (matrix.shape[0], width)
    return checked_matrix(sparse.csr_array((entries.data[inside], (rows[inside], at[inside])), shape=shape))
