"""Where the factorisations start: spherical k-means++ on the rows, shaped by what is known, made soft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.methods.directions import Columns, Directions, dense_directions, spherical_labels
from colligate.methods.factorisation.penalty import LinkPenalty
from colligate.methods.factorisation.ties import tied_labels, tied_sets
from colligate.methods.factorisation.update import FLOOR
from colligate.methods.starts import given_labels, random_labels
from colligate.methods.tfidf import unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Leanings
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# an exact 0/1 start is close to a saddle that updates by factors leave slowly; the little that an object has
# elsewhere is this much in all, however many groups there are, since columns that are mostly alike make the
# first associations huge and of both signs, which scatters the objects (measured with 20 and 40 groups)
SOFTNESS = 0.4


def starting_memberships(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Floats:
    """Soft memberships at the starting labels."""
    return softened(starting_labels(problem, kind, init, rng), problem.sizes[kind])


def softened(labels: Labels, n_clusters: int) -> Floats:
    """Columns of unit length: 1 and a little where an object starts, that little elsewhere."""
    G = np.full((len(labels), n_clusters), SOFTNESS / n_clusters)
    placed = np.flatnonzero(labels >= 0)
    G[placed, labels[placed]] += 1.0
    G[labels < 0] = FLOOR
    return np.asarray(G / np.sqrt(np.square(G).sum(axis=0)))


def starting_labels(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Labels:
    """Labels for one type: as given, at random, or by directions, `auto` with what is known for centres."""
    n_clusters = problem.sizes[kind]
    if not isinstance(init, str):
        return given_labels(init, _related(problem, kind), n_clusters, kind)
    if init == "random":
        return random_labels(_related(problem, kind), n_clusters, rng)
    objects = _directions(problem, kind)
    if init == "tfidf":
        return spherical_labels(problem.kernels, objects, n_clusters, rng)
    sure = _told(problem, kind)
    seeds = _voted(problem, kind, rng) if sure is None else sure
    found = spherical_labels(problem.kernels, objects, n_clusters, rng, seeds)
    if sure is not None:
        return np.where(objects.filled & (sure >= 0), sure, found).astype(np.int32)
    for asked in problem.penalties[kind].asked:
        if isinstance(asked, LinkPenalty):
            found = tied_labels(problem.kernels, objects, found, n_clusters, asked.guidance)
    return found


def _directions(problem: FactorProblem, kind: str) -> Directions:
    """The objects of a type at unit length; the columns of one relation stay where they are."""
    own = [piece for piece in problem.pieces if kind in (piece.rows, piece.columns)]
    if len(own) == 1 and own[0].columns == kind:
        return Columns.of(own[0].matrix)
    rows = unit_rows(_related(problem, kind))
    return Directions(rows, np.diff(rows.indptr) > 0)


def _related(problem: FactorProblem, kind: str) -> sparse.csr_array:
    """The objects of a type by all that they are related to."""
    blocks = [piece.matrix for piece in problem.pieces if piece.rows == kind]
    blocks += [sparse.csr_array(piece.matrix.T.tocsr()) for piece in problem.pieces if piece.columns == kind]
    return blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _leaning_numbers(leanings: Leanings) -> Labels:
    """The category each object leans to most, the first of equals; -1 for none."""
    dense = np.asarray(leanings.matrix.todense())
    return np.where(dense.max(axis=1, initial=0.0) > 0, dense.argmax(axis=1), -1).astype(np.int32)


def _told(problem: FactorProblem, kind: str) -> Labels | None:
    """Where labels, or else categories, of the objects themselves place them."""
    own = problem.guidance.get(kind)
    if own is None:
        return None
    if own.labels is not None:
        told = own.labels.astype(np.int32)
    elif own.leanings is not None:
        told = _leaning_numbers(own.leanings)
    else:
        return None
    return np.where(told < problem.sizes[kind], told, -1).astype(np.int32)


def _voted(problem: FactorProblem, kind: str, rng: np.random.Generator) -> Labels | None:
    """Where the categories of their terms, or terms tied together, place the objects of the centre.

    The category with most of an object's entries, or, where there are more categories than groups, spherical
    k-means in the space of the categories: the similarity X·F0·F0ᵀ·Xᵀ of the word-space paper (equation 6).
    Without it, what is known of terms hardly reaches the objects of the centre, which hold each other where
    they started.
    """
    F0 = _term_sets(problem) if kind == problem.network.centre else None
    if F0 is None:
        return None
    F0 = F0 / np.maximum(np.sqrt(np.asarray(F0.multiply(F0).sum(axis=0))), FLOOR)
    votes = np.asarray((problem.described.matrix @ sparse.csr_array(F0)).todense())
    some = votes.max(axis=1, initial=0.0) > 0
    if not some.any():
        return None
    if votes.shape[1] > problem.sizes[kind]:
        return spherical_labels(problem.kernels, dense_directions(votes, some), problem.sizes[kind], rng)
    return np.where(some, votes.argmax(axis=1), -1).astype(np.int32)


def _term_sets(problem: FactorProblem) -> sparse.csr_array | None:
    """Terms × categories, or else × sets of terms that links tie together."""
    terms = str(problem.network.terms)
    told = problem.guidance.get(terms)
    if told is not None and told.leanings is not None:
        return told.leanings.matrix
    asked = problem.penalties[terms].asked if terms in problem.penalties else ()
    linked = [part.guidance for part in asked if isinstance(part, LinkPenalty)]
    return tied_sets(linked[0], problem.sizes[terms]) if linked else None
