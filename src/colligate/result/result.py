"""The immutable outcome of a run. Its methods are names for the functions of this package."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from colligate.errors import InputError
from colligate.files import located
from colligate.result import (
    audit,
    changes,
    confidence,
    group_documents,
    group_words,
    metrics,
    naming,
    predict,
    store,
    tables,
    view,
    why,
)
from colligate.result.provenance import versions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.knowledge import Compiled
    from colligate.network import Network
    from colligate.result.audit import Audit
    from colligate.result.changes import Changes
    from colligate.result.why import Why

DOCUMENTS, WORDS = "documents", "words"
Labels = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Result:
    """Groups of every type, how they came about, and what became of the knowledge.

    The arrays are taken over and made read-only. A label of -1 means in no group.
    """

    method: str
    parameters: Mapping[str, Any]
    seed: int | None
    network: Network
    corpus: Corpus | None
    labels: Mapping[str, Labels]
    memberships: Mapping[str, NDArray[np.float32]]
    association: Mapping[str, Floats]
    history: tuple[float, ...]
    n_iter: int
    converged: bool
    restarts: tuple[float, ...]
    chosen: int
    model: Mapping[str, NDArray[Any]]
    compiled: Compiled | None = None
    statement_costs: Floats = field(default_factory=lambda: np.zeros(0))
    before: Mapping[str, Labels] | None = None
    versions: Mapping[str, str] = field(default_factory=versions)

    def __post_init__(self) -> None:
        for name, kind in (("labels", np.int32), ("memberships", np.float32), ("association", np.float64)):
            self._take_over(name, kind)
        self._take_over("model", None)
        if self.before is not None:
            self._take_over("before", np.int32)
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        object.__setattr__(self, "versions", MappingProxyType(dict(self.versions)))
        object.__setattr__(self, "statement_costs", _read_only(self.statement_costs, np.float64))
        self._check()

    def __getstate__(self) -> dict[str, Any]:
        # scikit-learn's tools copy fitted estimators between processes; read-only views cannot travel
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: dict(v) if isinstance(v, MappingProxyType) else v for name, v in own.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _take_over(self, name: str, kind: Any) -> None:
        arrays = {key: _read_only(value, kind) for key, value in getattr(self, name).items()}
        object.__setattr__(self, name, MappingProxyType(arrays))

    def _check(self) -> None:
        for part in (self.labels, self.memberships, self.before or {}):
            for kind, values in part.items():
                if kind not in self.network.types or len(values) != len(self.network.types[kind]):
                    raise InputError(f"the result's arrays for {kind} do not fit the network")
        for kind, labels in (*self.labels.items(), *(self.before or {}).items()):
            if labels.max(initial=-1) >= self.n_groups(kind):
                raise InputError(
                    f"a label of {kind} is beyond the {self.n_groups(kind)} groups of the result"
                )

    def n_groups(self, kind: str = DOCUMENTS) -> int:
        """How many groups the objects of a type were put in; empty groups count."""
        if kind in self.memberships:
            return int(self.memberships[kind].shape[1])
        return int(self.labels[kind].max(initial=-1)) + 1

    @cached_property
    def counts(self) -> csr_array:
        """The documents × words relation the groups were found in."""
        for relation in self.network.relations:
            if (relation.rows, relation.columns) == (DOCUMENTS, WORDS):
                return relation.matrix
        raise InputError("this result has no relation documents × words")

    @cached_property
    def word_scores(self) -> csr_array:
        """Document groups × words: how much each word tells the group apart."""
        return group_words.word_scores(self.labels[DOCUMENTS], self.n_groups(), self.counts)

    @cached_property
    def confidence(self) -> Floats:
        """How sure the result is of each document: the membership in its own group."""
        return _read_only(confidence.confidence(self.labels[DOCUMENTS], self.memberships[DOCUMENTS]), None)

    @cached_property
    def runner_up(self) -> Labels:
        """The group that comes second for each document; -1 where none has any membership."""
        return _read_only(confidence.runner_up(self.labels[DOCUMENTS], self.memberships[DOCUMENTS]), None)

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """A unique name for every group of documents."""
        labels, words = self.labels[DOCUMENTS], self.network.types[WORDS].names
        guidance = self.compiled.guidance if self.compiled is not None else {}
        claims = naming.claimed_names(labels, self.n_groups(), self.counts, guidance)
        return naming.group_names(labels, self.word_scores, words, claims, counts=self.counts)

    @cached_property
    def names_before(self) -> tuple[str, ...]:
        """A unique name for every group of the run without knowledge; none where it was not made."""
        if self.before is None or DOCUMENTS not in self.before:
            return ()
        labels, words = self.before[DOCUMENTS], self.network.types[WORDS].names
        scores = group_words.word_scores(labels, self.n_groups(), self.counts)
        return naming.group_names(labels, scores, words, counts=self.counts)

    @cached_property
    def word_group_names(self) -> tuple[str, ...]:
        """A unique name for every group of words; none where the method does not group words."""
        if WORDS not in self.labels:
            return ()
        weights = group_words.word_weights(self.word_scores, self.labels[DOCUMENTS], self.counts)
        names = self.network.types[WORDS].names
        return naming.word_group_names(self.labels[WORDS], self.n_groups(WORDS), weights, names)

    def top_words(self, limit: int = 12) -> list[list[tuple[str, float]]]:
        """The words that tell each group of documents apart, with their scores, best first."""
        names = self.network.types[WORDS].names
        return [
            [
                (naming.object_name(names, WORDS, int(at)), float(value))
                for at, value in zip(*part, strict=True)
            ]
            for part in group_words.top_words(self.word_scores, limit)
        ]

    def coherence(self, limit: int = 12) -> Floats:
        """The NPMI coherence of the top words of each group of documents."""
        found = group_words.top_words(self.word_scores, limit)
        return metrics.coherence(self.counts, [columns for columns, _ in found])

    def representatives(self, limit: int = 5) -> list[NDArray[np.int64]]:
        """The positions of the documents that stand for each group."""
        texts = self.corpus.texts if self.corpus is not None else None
        return group_documents.representatives(
            self.labels[DOCUMENTS], self.n_groups(), self.confidence, self.counts, texts, limit
        )

    def why(self, document: str | int, limit: int = 12) -> Why:
        """The words and links that put a document (id or position) in its group."""
        return why.why(self, document, limit)

    def audit(self) -> Audit:
        """What became of every statement of the knowledge."""
        return audit.audit(self)

    def changes(self, limit: int = 10) -> Changes | None:
        """What the knowledge changed; None where no run without knowledge was made."""
        if self.before is None or DOCUMENTS not in self.before:
            return None
        return changes.changes(
            self.before[DOCUMENTS],
            self.labels[DOCUMENTS],
            self.n_groups(),
            self.n_groups(),
            self.confidence,
            limit,
        )

    def evaluate(self, labels_true: ArrayLike, mask: ArrayLike | None = None) -> dict[str, float]:
        """Accuracy, NMI, ARI, Rand index and purity against known labels of the documents."""
        return metrics.evaluate(labels_true, self.labels[DOCUMENTS], mask)

    def link_satisfaction(self, kind: str = DOCUMENTS) -> dict[str, float]:
        """The share of together links joined and of apart links split, among the objects of a type."""
        guidance = self.compiled.guidance.get(kind) if self.compiled is not None else None
        if guidance is None or kind not in self.labels:
            return {}
        return metrics.link_satisfaction(self.labels[kind], guidance)

    def predict(self, new: Any) -> Labels:
        """The groups of new documents (a corpus, a list of texts, or a matrix); -1 without a known word."""
        return predict.predict(self, new)

    def predict_memberships(self, new: Any) -> NDArray[np.float32]:
        """The memberships of new documents in every group."""
        return predict.predict_memberships(self, new)

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write the self-contained HTML report."""
        return view.write_report(self, located(path), title)

    def write_tables(self, folder: str | Path) -> list[Path]:
        """Write documents.csv, clusters.csv, words.csv and, with knowledge, knowledge.csv."""
        return tables.write_tables(self, located(folder))

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Store the result in a folder of open formats."""
        return store.save(self, located(folder), overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | Path, *, analyser: Any = None) -> Result:
        """Read a stored result; `analyser` stands in for one made of the user's own functions."""
        return store.load(cls, located(folder), analyser)


def _read_only(values: Any, kind: Any) -> NDArray[Any]:
    array = np.asarray(values, dtype=kind)
    array.flags.writeable = False
    return array
