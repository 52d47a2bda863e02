"""Joining the guidance that several kinds of knowledge give for one type."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.knowledge.guidance import Guidance, Leanings, PairLinks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.knowledge.guidance import FloatArray, IntArray


def combined(size: int, parts: Iterable[Guidance]) -> Guidance:
    """All guidance for `size` objects as one; where two give one object a label, the first stands."""
    return reduce(_joined, parts, Guidance(size))


def strongest(key: IntArray, strength: FloatArray, number: IntArray) -> tuple[IntArray, FloatArray, IntArray]:
    """Merge rows of equal key: the greatest strength, and the number of the first statement."""
    if not len(key):
        return key, strength, number
    order = np.lexsort((number, key))
    key, strength, number = key[order], strength[order], number[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return key[first], np.maximum.reduceat(strength, first), number[first]


def merged_pairs(
    left: IntArray, right: IntArray, sign: IntArray, strength: FloatArray, statement: IntArray, size: int
) -> PairLinks:
    """Links with `left` < `right`, each pair of a sign once, with its greatest strength."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    key, strength, statement = strongest((low * size + high) * 2 + (sign > 0), strength, statement)
    pair = key // 2
    signs = np.where(key % 2 == 1, 1, -1).astype(np.int8)
    return PairLinks(pair // max(size, 1), pair % max(size, 1), signs, strength, statement)


def merged_leanings(
    member: IntArray,
    category: IntArray,
    strength: FloatArray,
    statement: IntArray,
    size: int,
    names: tuple[str, ...],
) -> Leanings:
    """Leanings of `size` objects, each to a category once, with its greatest strength."""
    width = len(names)
    key, strength, statement = strongest(member * width + category, strength, statement)
    start = np.searchsorted(key, np.arange(size + 1) * width)
    matrix = sparse.csr_array((strength, key % width, start), shape=(size, width))
    return Leanings(matrix, names, statement)


def _joined(one: Guidance, other: Guidance) -> Guidance:
    labels, names, statements = _labels(one, other)
    return Guidance(
        size=one.size,
        pairs=_pairs(one, other),
        groups=(*one.groups, *other.groups),
        leanings=_leanings(one.leanings, other.leanings),
        labels=labels,
        label_names=names,
        label_statements=statements,
        outsiders=np.union1d(one.outsiders, other.outsiders).astype(np.int64),
    )


def _pairs(one: Guidance, other: Guidance) -> PairLinks:
    a, b = one.pairs, other.pairs
    if not len(a) or not len(b):
        return b if len(b) else a
    return merged_pairs(
        np.concatenate([a.left, b.left]),
        np.concatenate([a.right, b.right]),
        np.concatenate([a.sign, b.sign]).astype(np.int64),
        np.concatenate([a.strength, b.strength]),
        np.concatenate([a.statement, b.statement]),
        one.size,
    )


def _leanings(one: Leanings | None, other: Leanings | None) -> Leanings | None:
    if one is None or other is None:
        return other if one is None else one
    names = tuple(dict.fromkeys((*one.categories, *other.categories)))
    parts = [_entries(one, names), _entries(other, names)]
    member, category, strength, statement = (np.concatenate(part) for part in zip(*parts, strict=True))
    return merged_leanings(member, category, strength, statement, one.matrix.shape[0], names)


def _entries(leanings: Leanings, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Member, category (numbered as in `names`), strength and statement of every leaning."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number[name] for name in leanings.categories], dtype=np.int64)
    member = np.repeat(np.arange(leanings.matrix.shape[0]), np.diff(leanings.matrix.indptr))
    return member, place[leanings.matrix.indices], leanings.matrix.data, leanings.statement


def _labels(one: Guidance, other: Guidance) -> tuple[IntArray | None, tuple[str, ...], IntArray | None]:
    if one.labels is None or other.labels is None:
        given = other if one.labels is None else one
        return given.labels, given.label_names, given.label_statements
    names = tuple(dict.fromkeys((*one.label_names, *other.label_names)))
    place = np.array([names.index(name) for name in other.label_names] + [-1], dtype=np.int64)
    free = one.labels < 0
    statements = None
    if one.label_statements is not None and other.label_statements is not None:
        statements = np.where(free, other.label_statements, one.label_statements)
    return np.where(free, place[other.labels], one.labels), names, statements
