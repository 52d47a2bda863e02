"""Outsiders that are no documents of the run: counted over its terms, for methods that take them.

Outsiders as further groups: groups of their own beside those of the documents.

Documents known to belong to no group share a few further groups, which the documents of the run may join as
well: those are then outside too. Outsiders stay out there, documents with a label stay inside. Outsiders from
elsewhere are added to the network for the time of the run.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import InputError, KnowledgeWarning
from colligate.kernels import SparseRows
from colligate.network import ObjectType, find_description, list_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.knowledge import Guidance
    from colligate.methods.information.problem import TypeView
    from colligate.methods.loop import Labels, State
    from colligate.network import Network, Relation

    Ints = NDArray[np.int64]


N_NAMED = 3


def count_outsiders(
    network: Network, corpora: Sequence[Corpus], marked: NDArray[np.int64]
) -> sparse.csr_array:
    """The documents of some corpora as counts over the terms of a network, in one matrix.

    `marked` are the documents of the network that are outsiders as well. If others have the very counts of
    an outsider, a warning says which: they cannot be in a group and in none.
    """
    found = sparse.csr_array(sparse.vstack([_counted(network, corpus) for corpus in corpora], format="csr"))
    names = [name for corpus in corpora for name in corpus.ids]
    _warn_of_twins(network, found, names, marked)
    return found


def _counted(network: Network, corpus: Corpus) -> sparse.csr_array:
    if network.corpus is not None:
        return corpus.counted_like(network.corpus)
    terms = network.terms
    words = range(0) if terms in (None, network.centre) else network.types[terms].names
    if isinstance(words, range):
        raise InputError(
            "outside documents are counted by their words, and this run knows its words only by position; "
            "fit on a corpus, or mark documents of the run by position"
        )
    return corpus.counts_over(words)


def _warn_of_twins(
    network: Network, outside: sparse.csr_array, names: Sequence[str], marked: NDArray[np.int64]
) -> None:
    """Warn if documents to be grouped have the same counts as outsiders; empty ones say nothing."""
    inside = np.setdiff1d(np.flatnonzero(np.diff(network.counts.indptr)), marked)
    filled = np.flatnonzero(np.diff(outside.indptr))
    first = {key: place for place, key in zip(inside.tolist(), _rows(network.counts, inside), strict=True)}
    twins = [
        (first[key], place)
        for place, key in zip(filled.tolist(), _rows(outside, filled), strict=True)
        if key in first
    ]
    if not twins:
        return
    own = network.names[network.centre]
    told = ", ".join(f"{names[other]} like {own[place]}" for place, other in twins[:N_NAMED])
    more = f" and {len(twins) - N_NAMED:,} more" if len(twins) > N_NAMED else ""
    warnings.warn(
        f"{len(twins):,} of the {len(names):,} outsiders hold the very words of {network.centre} to be "
        f"grouped ({told}{more}); take them out of one side, or borders are drawn "
        f"through these {network.centre}",
        KnowledgeWarning,
        stacklevel=5,
    )


def _rows(counts: sparse.csr_array, places: NDArray[np.int64]) -> list[bytes]:
    """Rows as keys: equal where the columns and the counts in them are."""
    rows = sparse.csr_array(counts[places])
    rows.sort_indices()
    columns, values = rows.indices.astype(np.int64), rows.data.astype(np.float64)
    ends = rows.indptr.tolist()
    return [columns[start:stop].tobytes() + values[start:stop].tobytes() for start, stop in pairwise(ends)]


@dataclass(frozen=True, eq=False)
class AllowedClusters:
    """Objects to which only the clusters from `first` to `last` are open."""

    where: Ints
    rows: SparseRows
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class OutsiderGroups:
    """What a run with outsiders must keep apart: the user's own network, and how many groups are inside.

    `members` are the outsiders, `insiders` the documents that must not be outside, by position.
    """

    user_network: Network
    n_inside: int
    n_groups: int
    members: Ints
    insiders: Ints

    def places(self, side: TypeView) -> tuple[AllowedClusters, ...]:
        """Outsiders beyond the groups inside, insiders within them."""
        matrix, last = side.matrix(), self.n_inside + self.n_groups
        return (
            AllowedClusters(self.members, SparseRows.of(matrix[self.members]), self.n_inside, last),
            AllowedClusters(self.insiders, SparseRows.of(matrix[self.insiders]), 0, self.n_inside),
        )


def mask_outside_labels(state: State) -> dict[str, Labels]:
    """The labels of the user's own objects at a state; outsiders, told or found, are in no group."""
    found = dict(state.labels)
    for kind, own in state.labels.items():
        if f"inside/{kind}" in state.numbers:
            size, n_inside = state.numbers[f"inside/{kind}"].tolist()
            found[kind] = np.where(own[:size] < n_inside, own[:size], -1).astype(np.int32)
    return found


def find_outsiders(
    network: Network, guidance: Mapping[str, Guidance], n_inside: int, n_groups: int | None
) -> OutsiderGroups | None:
    """The outsiders of a run; None if there are none that hold anything.

    Unless told, there is one group of outsiders for as many of them as a group inside has documents, and at
    most as many groups as there are inside.
    """
    own = guidance.get(network.centre)
    if own is None or "outside" not in own.kinds:
        return None
    further = 0 if own.outside is None else own.outside.shape[0]
    members = np.concatenate([own.outsiders, own.size + np.arange(further)])
    filled = network.nonempty(network.centre)
    known = int(filled[own.outsiders].sum())
    if own.outside is not None:
        known += int(np.count_nonzero(np.diff(own.outside.indptr)))
    if not known:
        return None
    labelled = np.zeros(0, np.int64) if own.labels is None else np.flatnonzero(own.labels >= 0)
    insiders = np.setdiff1d(labelled, own.outsiders)
    if n_groups is None:
        inside = max(int(filled.sum()) - int(filled[own.outsiders].sum()), 1)
        n_groups = int(np.clip(round(n_inside * known / inside), 1, n_inside))
    return OutsiderGroups(network, n_inside, min(n_groups, known), members, insiders)


def append_outsiders(
    network: Network, guidance: Mapping[str, Guidance]
) -> tuple[Network, Mapping[str, Guidance]]:
    """The network and its guidance with the outsiders from elsewhere as further documents at the end."""
    own, centre = guidance[network.centre], network.centre
    described = find_description(network)
    if own.outside is None or described is None:
        return network, guidance
    further = int(own.outside.shape[0])
    types = {**network.types, centre: ObjectType(centre, range(own.size + further))}
    relations = list(network.relations)
    for part in list_parts(network, centre):
        new = own.outside if part == described else sparse.csr_array((further, part.stop - part.start))
        relations[part.relation] = _longer(relations[part.relation], new, flipped=part.flipped)
    whole = replace(network, types=types, relations=tuple(relations), corpus=None)
    return whole, {**guidance, centre: _padded(own, further)}


def _longer(relation: Relation, rows: sparse.csr_array, *, flipped: bool) -> Relation:
    """A relation with further rows, or columns where it is flipped."""
    if not flipped:
        longer = sparse.vstack([relation.matrix, rows], format="csr")
        return replace(relation, matrix=sparse.csr_array(longer))
    missing = relation.matrix.shape[0] - rows.shape[1]
    columns = sparse.vstack([rows.T, sparse.csr_array((missing, rows.shape[0]))], format="csr")
    return replace(relation, matrix=sparse.csr_array(sparse.hstack([relation.matrix, columns], format="csr")))


def _padded(guidance: Guidance, further: int) -> Guidance:
    """Guidance for so many more objects, of which nothing is known."""

    def longer(values: Ints | None) -> Ints | None:
        return None if values is None else np.pad(values, (0, further), constant_values=-1)

    seeds = guidance.seeds
    if seeds is not None:
        nothing = sparse.csr_array((further, seeds.matrix.shape[1]))
        below = sparse.csr_array(sparse.vstack([seeds.matrix, nothing], format="csr"))
        seeds = replace(seeds, matrix=below)
    return replace(
        guidance,
        size=guidance.size + further,
        labels=longer(guidance.labels),
        label_statements=longer(guidance.label_statements),
        seeds=seeds,
    )
