"""The problem of the information methods: the views and links of every type, and the objective of labels.

A view holds all relations of one type side by side, so that one product updates the labels of the type. Its
columns are the objects of the other types, relation after relation, and their labels are shifted so that the
column clusters of different relations do not overlap.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from colligate._array import divide_information, log_or_zero, mutual_information
from colligate.kernels import SparseRows, cut_entries
from colligate.methods.information.links import link_cost
from colligate.methods.information.start import make_latent_space, make_tfidf_space
from colligate.methods.information.step import sum_blocks
from colligate.methods.loop import Problem
from colligate.methods.schema import related_types
from colligate.methods.spherical import SAMPLED_FROM
from colligate.network import list_parts
from colligate.shards.matrix import ShardedColumns, ShardedMatrix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy import sparse

    from colligate.kernels import Kernels
    from colligate.methods.information.links import TypeLinks
    from colligate.methods.loop import Labels
    from colligate.methods.outsiders import AllowedClusters, OutsiderGroups
    from colligate.methods.spherical import Directions
    from colligate.network import Network, Relation

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RelationView:
    """One relation seen from a type: `flipped` if the type is its columns; `scale` turns counts to mass."""

    relation: int
    other: str
    flipped: bool
    scale: float


@dataclass(frozen=True, eq=False)
class TypeView:
    """The relations of one type by rows, with the mass (share of the total) of each row.

    Relation r has `widths[r]` columns, and `sums[r]` are the sums of its rows. A relation of the type with
    itself appears twice.
    """

    kind: str
    rows: SparseRows
    relations: tuple[RelationView, ...]
    widths: tuple[int, ...]
    sums: tuple[Floats, ...]
    mass: Floats

    @cached_property
    def counts(self) -> Floats:
        """The sum of all entries of each row."""
        return np.asarray(np.sum(self.sums, axis=0))

    def sums_of(self, relation: int, *, flipped: bool) -> Floats:
        """Return the sums of one relation: those of its columns if it is `flipped`."""
        views = zip(self.relations, self.sums, strict=True)
        return next(sums for view, sums in views if (view.relation, view.flipped) == (relation, flipped))

    @property
    def reflexive(self) -> bool:
        """Whether the type is related to itself, so that its column labels change with its row labels."""
        return any(relation.other == self.kind for relation in self.relations)

    def columns(self, labels: Mapping[str, Labels], sizes: Mapping[str, int]) -> Labels:
        """Return the labels of all columns, those of each relation shifted past the one before."""
        if len(self.relations) == 1:
            # the very array: a GPU has its copy already
            return labels[self.relations[0].other]
        shifted, offset = [], 0
        for relation in self.relations:
            others = labels[relation.other]
            shifted.append(np.where(others >= 0, others + offset, -1).astype(np.int32))
            offset += sizes[relation.other]
        return np.concatenate(shifted)

    def blocks(self, sizes: Mapping[str, int]) -> NDArray[np.int64]:
        """Return where the column clusters of each relation start, and where the last end."""
        return np.cumsum([0, *(sizes[relation.other] for relation in self.relations)])

    def scales(self, sizes: Mapping[str, int]) -> Floats:
        """Return the scale of every column cluster."""
        return np.repeat([relation.scale for relation in self.relations], np.diff(self.blocks(sizes)))

    def matrix(self) -> sparse.csr_array:
        """Return the view as a SciPy matrix that shares its arrays."""
        return self.rows.matrix()


def make_views(network: Network, kernels: Kernels) -> dict[str, TypeView]:
    """Make the view of every related type."""
    scales = [relation.per_occurrence for relation in network.relations]
    return {kind: _make_view(network, kind, scales, kernels) for kind in related_types(network)}


def _make_view(network: Network, kind: str, scales: list[float], kernels: Kernels) -> TypeView:
    parts = list_parts(network, kind)
    if len(parts) == 1:
        # SciPy would transpose the only relation on one thread
        rows = SparseRows.of(network.relations[parts[0].relation].matrix)
        rows = kernels.transpose(rows) if parts[0].flipped else rows
        sums = [_sum_rows(rows, kernels)]
    else:
        around = network.neighbourhood(kind)
        rows = SparseRows.of(around.matrix)
        sums = [_sum_rows(SparseRows.of(around.cut(part)), kernels) for part in parts]
    relations = tuple(RelationView(p.relation, p.other, p.flipped, scales[p.relation]) for p in parts)
    widths = tuple(part.stop - part.start for part in parts)
    mass = sum((r.scale * s for r, s in zip(relations, sums, strict=True)), start=np.zeros(len(sums[0])))
    return TypeView(kind, rows, relations, widths, tuple(sums), mass)


def _sum_rows(x: SparseRows, kernels: Kernels) -> Floats:
    """Sum every row, on the threads of the kernels."""
    matrix = x.matrix()
    if isinstance(matrix, ShardedMatrix | ShardedColumns):
        return np.asarray(matrix.sum(axis=1), dtype=np.float64)
    edges = cut_entries(x.indptr)
    return np.concatenate(kernels.map_ranges(lambda start, stop: x.between(start, stop).row_sums(), edges))


def sweep_order(network: Network) -> tuple[str, ...]:
    """Return the order of an iteration: the centre, further types, the centre again, its terms."""
    centre, terms = network.centre, network.terms
    further = [kind for kind in related_types(network) if kind not in (centre, terms)]
    last = [terms] if terms is not None and terms != centre else []
    if not further:
        return (centre, *last)
    return (centre, *further, centre, *last) if last else (centre, *further)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Labels, the cluster table of each relation, and the objective."""

    labels: Mapping[str, Labels]
    tables: list[Floats]
    objective: float


@dataclass(frozen=True, eq=False)
class InformationProblem(Problem):
    """A problem whose relations have their final weights, with the `links` of each type that has any.

    `printed_step` drops p(d) in the label step, as the paper of `citcc` prints it.
    """

    links: dict[str, TypeLinks] = field(default_factory=dict)
    printed_step: bool = False
    outside: OutsiderGroups | None = None
    _evaluated: deque[Evaluation] = field(default_factory=lambda: deque(maxlen=4), repr=False)

    def evaluate(self, labels: Mapping[str, Labels]) -> Evaluation:
        """Compute the tables and J = Σ_r w_r·(I(P;Q) − I(P̂;Q̂)) + cost of broken links (chinc, eq. 1).

        The last few are cached, since an iteration starts where the last one ended, and may update a type
        twice. Label arrays of a state are never changed, so the same array means equal labels.
        """
        for evaluation in self._evaluated:
            if all(evaluation.labels[kind] is of_kind for kind, of_kind in labels.items()):
                return evaluation
        return self.remember(labels, sum_blocks(self, labels))

    def remember(self, labels: Mapping[str, Labels], tables: list[Floats]) -> Evaluation:
        """Compute J for labels whose tables are known, and cache it."""
        kept = sum(w * mutual_information(table) for w, table in zip(self.weights, tables, strict=True))
        broken = sum(link_cost(links, labels[kind][links.where]) for kind, links in self.links.items())
        evaluation = Evaluation(labels, tables, self.available - kept + broken)
        self._evaluated.append(evaluation)
        return evaluation

    @cached_property
    def available(self) -> float:
        """Σ_r w_r·I(P;Q): the information of the relations before clustering."""
        relations = enumerate(zip(self.weights, self.network.relations, strict=True))
        return sum(weight * self._information(number, relation) for number, (weight, relation) in relations)

    def _information(self, number: int, relation: Relation) -> float:
        """Compute the mutual information of a relation, on the threads of the kernels."""
        rows = self.views[relation.rows].sums_of(number, flipped=False)
        columns = self.views[relation.columns].sums_of(number, flipped=True)
        log_ratios = self.kernels.sum_log_ratios(self.rows[number], log_or_zero(columns))
        return float(divide_information(log_ratios, rows).sum())

    @cached_property
    def weights(self) -> list[float]:
        """w_r: the weight of each relation in the objective."""
        return [relation.effective_weight for relation in self.network.relations]

    @property
    def user_network(self) -> Network:
        """The user's network, with weights but without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.user_network

    def n_inside(self, kind: str) -> int:
        """Return the number of clusters of a type that are not for outsiders."""
        if self.outside is None or kind != self.network.centre:
            return self.n_clusters_by_type[kind]
        return self.outside.n_inside

    @cached_property
    def allowed_clusters(self) -> dict[str, tuple[AllowedClusters, ...]]:
        """For each type the objects that may only be in some clusters."""
        if self.outside is None:
            return {}
        return {self.network.centre: self.outside.allowed_clusters(self.views[self.network.centre])}

    @cached_property
    def views(self) -> dict[str, TypeView]:
        """The view of every related type."""
        return make_views(self.network, self.kernels)

    @cached_property
    def tfidf_space(self) -> dict[str, Directions]:
        """Every type as directions of tf-idf, shared by all restarts."""
        return make_tfidf_space(self.network)

    @cached_property
    def latent_space(self) -> dict[str, Directions]:
        """Every type in the leading singular vectors of the centre's tf-idf, shared by all restarts."""
        # on the CPU on every device, so that all start from the same labels
        return make_latent_space(self.network, self.kernels.host, sampled=self.starts_from_sample)

    @property
    def starts_from_sample(self) -> bool:
        """Whether a sample of many documents decides where objects start.

        With knowledge it does not: fewer directions make worse centres of what is known.
        """
        n_documents = len(self.network.types[self.network.centre])
        return n_documents > SAMPLED_FROM and len(self.network.relations) == 1 and not self.guidance

    @cached_property
    def rows(self) -> list[SparseRows]:
        """Every relation by its rows, with the arrays of the view where that has no other relation."""

        def rows_of(relation: Relation) -> SparseRows:
            view = self.views[relation.rows]
            return view.rows if len(view.relations) == 1 else SparseRows.of(relation.matrix)

        return [rows_of(relation) for relation in self.network.relations]
