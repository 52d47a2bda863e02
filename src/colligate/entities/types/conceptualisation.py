"""CBSF: the type that a name shares with those it is grouped with.

Each case becomes a vector of types and sub-types: of its own candidates, and of the other names in
its document. k-means groups the vectors. In a group, cases of several candidates follow the types that its
members have most: the Apple of a document with IBM and Microsoft is a firm, the one with bananas a fruit.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.entities.types.cases import choose_best, choose_primary_type
from colligate.entities.types.frequency import document_frequency

if TYPE_CHECKING:
    from colligate.entities.types.cases import Cases, Choice, FloatArray, IntArray

_SAMPLE = 20_000
_MOST_GROUPS = 100


@dataclass(frozen=True)
class Conceptualisation:
    """Conceptualisation-based; `context` is what the company of a name counts beside its own types."""

    context: float = 1.0
    random_state: int = 0
    name = "cbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide every case by its group, by what backs it, and by what its name is elsewhere."""
        if not len(cases.row_case):
            return choose_best(cases, np.zeros(0))
        concepts = _concepts(cases)
        vectors = _Vectors(cases, _averaged(cases) @ concepts, self.context)
        group, mean = self._grouped(vectors)
        score = (_shared(cases, concepts, group, mean) + cases.row_backed) * document_frequency(cases)
        return choose_primary_type(cases, choose_best(cases, score))

    def _grouped(self, vectors: _Vectors) -> tuple[IntArray, FloatArray]:
        """The group of each case, and what its members have on average.

        Of very many cases a sample makes the groups, and all are put into them, a block at a time.
        """
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning
        from threadpoolctl import threadpool_limits

        rng = np.random.default_rng(self.random_state)
        sample = np.sort(rng.choice(len(vectors), min(len(vectors), _SAMPLE), replace=False))
        size = min(len(sample), max(2, int(np.sqrt(len(sample) / 2))), _MOST_GROUPS)
        blocks = np.array_split(np.arange(len(vectors)), -(-len(vectors) // _SAMPLE))
        # Sums of several threads differ in their last digits; fewer distinct cases than groups do no harm.
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            means = KMeans(size, n_init=1, random_state=self.random_state).fit(vectors.of(sample))
            group = np.concatenate([means.predict(vectors.of(block)) for block in blocks]).astype(np.int64)
        return group, means.cluster_centers_


class _Vectors:
    """What is grouped: the types of a case, and those of the other names in its document."""

    def __init__(self, cases: Cases, own: sparse.csr_array, context: float) -> None:
        self._own, self._context = own, context
        numbers, self._document = np.unique(cases.document, return_inverse=True)
        ones = np.ones(len(cases))
        within = sparse.csr_array(
            (ones, (self._document, np.arange(len(cases)))), shape=(len(numbers), len(cases))
        )
        self._documents = (within @ own).tocsr()

    def __len__(self) -> int:
        return len(self._document)

    def of(self, cases: IntArray) -> sparse.csr_array:
        """The vectors of some cases, with the indices that scikit-learn takes."""
        own = self._own[cases]
        company = self._documents[self._document[cases]] - own
        found = (_unit(own) + self._context * _unit(company)).tocsr()
        parts = found.data, found.indices.astype(np.int32), found.indptr.astype(np.int32)
        return sparse.csr_array(parts, shape=found.shape)


def _concepts(cases: Cases) -> sparse.csr_array:
    """Rows × concepts: a type counts 1, and the sub-types of a candidate share another 1."""
    numbers: dict[tuple[str, ...], int] = {}
    entries: list[tuple[int, int, float]] = []
    for row, candidate in enumerate(cases.rows):
        entries.append((row, numbers.setdefault((candidate.type,), len(numbers)), 1.0))
        for subtype in candidate.subtypes:
            at = numbers.setdefault((candidate.type, subtype), len(numbers))
            entries.append((row, at, 1.0 / len(candidate.subtypes)))
    rows, columns, values = zip(*entries, strict=True)
    return sparse.csr_array((values, (rows, columns)), shape=(len(cases.rows), len(numbers)))


def _averaged(cases: Cases) -> sparse.csr_array:
    """Cases × rows: each case is the mean of its candidates."""
    many = np.diff(cases.borders)[cases.row_case]
    at = np.arange(len(cases.row_case))
    return sparse.csr_array((1.0 / many, (cases.row_case, at)), shape=(len(cases), len(at)))


def _shared(cases: Cases, concepts: sparse.csr_array, group: IntArray, mean: FloatArray) -> FloatArray:
    """For each row, how much the members of its group have of its type and sub-types."""
    entry = concepts.tocoo()
    value = entry.data * mean[group[cases.row_case[entry.row]], entry.col]
    return np.asarray(np.bincount(entry.row, weights=value, minlength=concepts.shape[0]))


def _unit(vectors: sparse.csr_array) -> sparse.csr_array:
    length = np.sqrt((vectors * vectors).sum(axis=1))
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 1e-9)
    return sparse.csr_array(sparse.diags_array(scale) @ vectors)
