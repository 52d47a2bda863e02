"""CBSF: the type that a name shares with the cases in its cluster.

Each case becomes a vector of types and sub-types: those of its own candidates, and those of the other names
in its document. k-means groups the vectors. In a cluster, a case with several candidates follows the types
that its members have most: the Apple of a document with IBM and Microsoft is a company, the one with bananas
a fruit.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.entities.types.cases import choose_best, choose_primary_type
from colligate.entities.types.frequency import count_documents

if TYPE_CHECKING:
    from colligate.entities.types.cases import Cases, Choice, FloatArray, IntArray

_SAMPLE = 20_000
_MAX_CLUSTERS = 100


@dataclass(frozen=True)
class Conceptualisation:
    """Conceptualisation-based; `context` weighs the other names of the document against the own types."""

    context: float = 1.0
    random_state: int = 0
    name = "cbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide every case by its cluster, its backing, and the meaning of its name in other documents."""
        if not len(cases.row_case):
            return choose_best(cases, np.zeros(0))
        concepts = _concept_matrix(cases)
        vectors = _CaseVectors(cases, _averaging_matrix(cases) @ concepts, self.context)
        cluster, centres = self._cluster(vectors)
        score = (_affinity(cases, concepts, cluster, centres) + cases.row_backing) * count_documents(cases)
        return choose_primary_type(cases, choose_best(cases, score))

    def _cluster(self, vectors: _CaseVectors) -> tuple[IntArray, FloatArray]:
        """Return the cluster of each case, and the cluster centres.

        If there are very many cases, the centres come from a sample, and all cases are assigned in blocks.
        """
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning
        from threadpoolctl import threadpool_limits

        rng = np.random.default_rng(self.random_state)
        sample = np.sort(rng.choice(len(vectors), min(len(vectors), _SAMPLE), replace=False))
        n_clusters = min(len(sample), max(2, int(np.sqrt(len(sample) / 2))), _MAX_CLUSTERS)
        blocks = np.array_split(np.arange(len(vectors)), -(-len(vectors) // _SAMPLE))
        # Sums of several threads differ in their last digits. Fewer distinct cases than clusters are fine.
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            kmeans = KMeans(n_clusters, n_init=1, random_state=self.random_state).fit(vectors.select(sample))
            labels = np.concatenate([kmeans.predict(vectors.select(block)) for block in blocks])
        return labels.astype(np.int64), kmeans.cluster_centers_


class _CaseVectors:
    """The vectors to cluster: the concepts of a case, and those of the other names in its document."""

    def __init__(self, cases: Cases, concepts: sparse.csr_array, context: float) -> None:
        self._concepts, self._context = concepts, context
        numbers, self._document = np.unique(cases.document, return_inverse=True)
        ones = np.ones(len(cases))
        membership = sparse.csr_array(
            (ones, (self._document, np.arange(len(cases)))), shape=(len(numbers), len(cases))
        )
        self._documents = (membership @ concepts).tocsr()

    def __len__(self) -> int:
        return len(self._document)

    def select(self, cases: IntArray) -> sparse.csr_array:
        """Return the vectors of some cases, with the index type that scikit-learn accepts."""
        concepts = self._concepts[cases]
        company = self._documents[self._document[cases]] - concepts
        vectors = (_unit_rows(concepts) + self._context * _unit_rows(company)).tocsr()
        parts = vectors.data, vectors.indices.astype(np.int32), vectors.indptr.astype(np.int32)
        return sparse.csr_array(parts, shape=vectors.shape)


def _concept_matrix(cases: Cases) -> sparse.csr_array:
    """Return rows × concepts: a type counts 1, and the sub-types of a candidate share another 1."""
    numbers: dict[tuple[str, ...], int] = {}
    entries: list[tuple[int, int, float]] = []
    for row, candidate in enumerate(cases.rows):
        entries.append((row, numbers.setdefault((candidate.type,), len(numbers)), 1.0))
        for subtype in candidate.subtypes:
            column = numbers.setdefault((candidate.type, subtype), len(numbers))
            entries.append((row, column, 1.0 / len(candidate.subtypes)))
    rows, columns, values = zip(*entries, strict=True)
    return sparse.csr_array((values, (rows, columns)), shape=(len(cases.rows), len(numbers)))


def _averaging_matrix(cases: Cases) -> sparse.csr_array:
    """Return cases × rows, which averages the candidates of each case."""
    n_rows = len(cases.row_case)
    entries = 1.0 / cases.row_size, (cases.row_case, np.arange(n_rows))
    return sparse.csr_array(entries, shape=(len(cases), n_rows))


def _affinity(cases: Cases, concepts: sparse.csr_array, cluster: IntArray, centres: FloatArray) -> FloatArray:
    """Return, for each row, how much the members of its cluster have of its type and sub-types."""
    entry = concepts.tocoo()
    value = entry.data * centres[cluster[cases.row_case[entry.row]], entry.col]
    return np.asarray(np.bincount(entry.row, weights=value, minlength=concepts.shape[0]))


def _unit_rows(vectors: sparse.csr_array) -> sparse.csr_array:
    # The difference of two sums leaves rounding errors in place of zeros: such rows become zero.
    length = np.sqrt((vectors * vectors).sum(axis=1))
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 1e-9)
    return sparse.csr_array(sparse.diags_array(scale) @ vectors)
