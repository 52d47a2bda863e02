"""A short name for every group: what the user calls it where knowledge says so, else its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge.wording import singular
from colligate.result.group_words import strongest_members, top_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scipy import sparse

    from colligate.network import ObjectType

WORDS_IN_NAME = 3
EMPTY = "empty"

Labels = NDArray[np.int32]
FloatArray = NDArray[np.float64]


def object_name(names: Sequence[str] | range, kind: str, position: int) -> str:
    """The name of an object; `word 7` for objects that are only known by position."""
    return f"{singular(kind)} {position}" if isinstance(names, range) else names[position]


def group_names(
    labels: Labels,
    scores: sparse.csr_array,
    terms: ObjectType,
    claims: Mapping[int, str] | None = None,
    *,
    table: sparse.csr_array,
) -> tuple[str, ...]:
    """A unique name for each group of documents: `space: orbit, nasa, launch`, or just the top words.

    A group that no word tells apart, such as one of all documents, is named by its most frequent words, which
    `table` counts.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=scores.shape[0])
    frequent = top_words(table, WORDS_IN_NAME)
    best = [
        own if own.size else often
        for (own, _), (often, _) in zip(top_words(scores, WORDS_IN_NAME), frequent, strict=True)
    ]
    found = []
    for number, columns in enumerate(best):
        own = _listed(columns, terms) or (f"no {terms.name}" if sizes[number] else EMPTY)
        claim = (claims or {}).get(number)
        # answers about a group without a name claim its words
        found.append(own if claim in (None, own) else f"{claim}: {own}")
    return _unique(found)


def names_by_members(
    labels: Labels, n_groups: int, strengths: FloatArray, kind: ObjectType
) -> tuple[str, ...]:
    """A unique name for each group of words, or of objects of another type: its three strongest members."""
    members = strongest_members(labels, n_groups, strengths, WORDS_IN_NAME)
    return _unique(_listed(part, kind) or EMPTY for part in members)


def _listed(positions: NDArray[np.int64], kind: ObjectType) -> str:
    return ", ".join(object_name(kind.names, kind.name, at) for at in positions.tolist())


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for number, name in enumerate(names):
        unique = name
        while unique in found:
            unique = f"{unique} ({number})"
        found[unique] = None
    return tuple(found)
