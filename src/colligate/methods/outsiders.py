"""Outsiders: documents known to belong to no group (in the papers' word, the Universum).

Outsiders of another corpus are counted over the terms of the run, and appended to its network while it lasts.
They share a few groups beside those of the documents. Documents of the run may join these groups
and are then outside too. Outsiders stay in them, documents with a label stay out of them.
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
from colligate.shards.matrix import append_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.knowledge import Guidance
    from colligate.methods.information.problem import TypeView
    from colligate.methods.loop import Labels, State
    from colligate.network import Network, Relation

    Ints = NDArray[np.int64]

# how many pairs of equal documents the warning names
N_NAMED = 3


def count_outsiders(network: Network, corpora: Sequence[Corpus], marked: Ints) -> sparse.csr_array:
    """Count the documents of the corpora over the terms of a network, in one matrix.

    `marked` are the documents of the network that are outsiders as well. Other documents with exactly the
    counts of an outsider cannot be inside and outside a group: a warning names them.
    """
    blocks = [_count_over_terms(network, corpus) for corpus in corpora]
    counts = sparse.csr_array(sparse.vstack(blocks, format="csr"))
    names = [name for corpus in corpora for name in corpus.ids]
    _warn_of_duplicates(network, counts, names, marked)
    return counts


def _count_over_terms(network: Network, corpus: Corpus) -> sparse.csr_array:
    if network.corpus is not None:
        return corpus.counts_like(network.corpus)
    terms = network.terms
    words = range(0) if terms in (None, network.centre) else network.types[terms].names
    if isinstance(words, range):
        raise InputError(
            "outsiders in a corpus are matched by their words, but the words of this run have no "
            "names; fit on a corpus, or give outsiders as positions of documents of this run"
        )
    return corpus.counts_over(words)


def _warn_of_duplicates(
    network: Network, outside: sparse.csr_array, names: Sequence[str], marked: Ints
) -> None:
    """Warn if documents to be grouped have the same counts as outsiders; empty documents do not count."""
    inside = np.setdiff1d(np.flatnonzero(np.diff(network.counts.indptr)), marked)
    filled = np.flatnonzero(np.diff(outside.indptr))
    row_of_key = {
        key: row for row, key in zip(inside.tolist(), _row_keys(network.counts, inside), strict=True)
    }
    duplicates = [
        (row_of_key[key], outsider)
        for outsider, key in zip(filled.tolist(), _row_keys(outside, filled), strict=True)
        if key in row_of_key
    ]
    if not duplicates:
        return
    documents = network.names[network.centre]
    pairs = ", ".join(f"{names[outsider]} like {documents[row]}" for row, outsider in duplicates[:N_NAMED])
    more = f" and {len(duplicates) - N_NAMED:,} more" if len(duplicates) > N_NAMED else ""
    warnings.warn(
        f"{len(duplicates):,} of the {len(names):,} outsiders are copies of {network.centre} to be grouped "
        f"({pairs}{more}); remove one copy of each",
        KnowledgeWarning,
        stacklevel=5,
    )


def _row_keys(counts: sparse.csr_array, rows: Ints) -> list[bytes]:
    """Return a key per row; two keys are equal if columns and counts are."""
    chosen = sparse.csr_array(counts[rows])
    # equal rows have equal bytes only if their columns are in one order
    chosen.sort_indices()
    columns, values = chosen.indices.astype(np.int64), chosen.data.astype(np.float64)
    ends = chosen.indptr.tolist()
    return [columns[start:stop].tobytes() + values[start:stop].tobytes() for start, stop in pairwise(ends)]


@dataclass(frozen=True, eq=False)
class AllowedClusters:
    """Objects that may only be in the clusters from `first` to `last`."""

    where: Ints
    rows: SparseRows
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class OutsiderGroups:
    """The groups of a run with outsiders: `n_inside` for documents, then `n_groups` for outsiders.

    `members` are the outsiders and `insiders` the documents that must not be outside, by position in the
    extended network; `user_network` is the one without outsiders from elsewhere.
    """

    user_network: Network
    n_inside: int
    n_groups: int
    members: Ints
    insiders: Ints

    def allowed_clusters(self, view: TypeView) -> tuple[AllowedClusters, ...]:
        """Restrict outsiders to the outer groups, and insiders to the inner ones."""
        matrix, last = view.matrix(), self.n_inside + self.n_groups
        return (
            AllowedClusters(self.members, SparseRows.of(matrix[self.members]), self.n_inside, last),
            AllowedClusters(self.insiders, SparseRows.of(matrix[self.insiders]), 0, self.n_inside),
        )


def mask_outside_labels(state: State) -> dict[str, Labels]:
    """Return the labels of the user's objects, -1 for all that are in a group of outsiders."""
    masked = dict(state.labels)
    for kind, labels in state.labels.items():
        if f"inside/{kind}" in state.numbers:
            size, n_inside = state.numbers[f"inside/{kind}"].tolist()
            masked[kind] = np.where(labels[:size] < n_inside, labels[:size], -1).astype(np.int32)
    return masked


def find_outsiders(
    network: Network, guidance: Mapping[str, Guidance], n_inside: int, n_groups: int | None
) -> OutsiderGroups | None:
    """Return the groups of outsiders; None if there are no nonempty outsiders.

    Without `n_groups`, there is one group of outsiders for as many of them as an inner group has documents on
    average, and at most `n_inside`.
    """
    centre_guidance = guidance.get(network.centre)
    if centre_guidance is None or "outside" not in centre_guidance.kinds:
        return None
    marked, outside = centre_guidance.outsiders, centre_guidance.outside
    n_appended = 0 if outside is None else outside.shape[0]
    members = np.concatenate([marked, centre_guidance.size + np.arange(n_appended)])
    filled = network.nonempty(network.centre)
    n_outsiders = int(filled[marked].sum())
    if outside is not None:
        n_outsiders += int(np.count_nonzero(np.diff(outside.indptr)))
    if not n_outsiders:
        return None
    labels = centre_guidance.labels
    labelled = np.zeros(0, np.int64) if labels is None else np.flatnonzero(labels >= 0)
    if n_groups is None:
        n_documents = max(int(filled.sum()) - int(filled[marked].sum()), 1)
        n_groups = int(np.clip(round(n_inside * n_outsiders / n_documents), 1, n_inside))
    # a document that is both labelled and marked counts as an outsider
    insiders = np.setdiff1d(labelled, marked)
    return OutsiderGroups(network, n_inside, min(n_groups, n_outsiders), members, insiders)


def append_outsiders(
    network: Network, guidance: Mapping[str, Guidance]
) -> tuple[Network, Mapping[str, Guidance]]:
    """Append the outsiders from elsewhere to a network and its guidance, as further documents at the end."""
    centre = network.centre
    centre_guidance, described = guidance[centre], find_description(network)
    outside = centre_guidance.outside
    if outside is None or described is None:
        return network, guidance
    n_appended = int(outside.shape[0])
    types = {**network.types, centre: ObjectType(centre, range(centre_guidance.size + n_appended))}
    relations = list(network.relations)
    for part in list_parts(network, centre):
        # outsiders from elsewhere are counted over the terms; in all other relations they have no entries
        rows = outside if part == described else sparse.csr_array((n_appended, part.stop - part.start))
        relations[part.relation] = _append_rows(relations[part.relation], rows, flipped=part.flipped)
    extended = replace(network, types=types, relations=tuple(relations), corpus=None)
    return extended, {**guidance, centre: _pad_guidance(centre_guidance, n_appended)}


def _append_rows(relation: Relation, rows: sparse.csr_array, *, flipped: bool) -> Relation:
    """Append rows to a relation, or columns where it is flipped."""
    if not flipped:
        return replace(relation, matrix=append_rows(relation.matrix, rows))
    # a relation within the centre has got its further rows already
    missing = relation.matrix.shape[0] - rows.shape[1]
    columns = sparse.vstack([rows.T, sparse.csr_array((missing, rows.shape[0]))], format="csr")
    return replace(relation, matrix=sparse.csr_array(sparse.hstack([relation.matrix, columns], format="csr")))


def _pad_guidance(guidance: Guidance, n_appended: int) -> Guidance:
    """Extend guidance by objects about which nothing is known."""

    def pad(values: Ints | None) -> Ints | None:
        return None if values is None else np.pad(values, (0, n_appended), constant_values=-1)

    seeds = guidance.seeds
    if seeds is not None:
        empty = sparse.csr_array((n_appended, seeds.matrix.shape[1]))
        matrix = sparse.csr_array(sparse.vstack([seeds.matrix, empty], format="csr"))
        seeds = replace(seeds, matrix=matrix)
    return replace(
        guidance,
        size=guidance.size + n_appended,
        labels=pad(guidance.labels),
        label_statements=pad(guidance.label_statements),
        seeds=seeds,
    )
