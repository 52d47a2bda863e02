"""The immutable outcome of a run. Its methods are names for the functions of this package.

What a result holds: taken over, made read-only and checked against its network.

Which versions made a result.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate._storage.atomic import expand_path
from colligate.errors import InputError
from colligate.network import WORDS
from colligate.result import (
    association,
    audit,
    changes,
    explain,
    groups,
    metrics,
    predict,
    report_view,
    store,
    tables,
)
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import ArrayLike
    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.knowledge import Compiled
    from colligate.network import Neighbourhood, Network
    from colligate.result.association import Contribution, GroupObjectTable
    from colligate.result.audit import Audit
    from colligate.result.changes import Changes
    from colligate.result.explain import Why
    from colligate.result.groups import ObjectGroup


Labels = NDArray[np.int32]
Floats = NDArray[np.float64]
DEPENDENCIES = ("numpy", "scipy", "scikit-learn", "numba", "pyarrow")


def collect_versions() -> dict[str, str]:
    """The versions of Colligate, Python and the parts that compute."""
    found = {"colligate": __version__, "python": platform.python_version()}
    return found | {part: _find_version(part) for part in DEPENDENCIES}


@dataclass(frozen=True, eq=False)
class ResultFields:
    """The parts of a result. The arrays are taken over and made read-only."""

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
    named_groups: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=collect_versions)

    def __post_init__(self) -> None:
        for name, kind in (("labels", np.int32), ("memberships", np.float32), ("association", np.float64)):
            self._take_over(name, kind)
        self._take_over("model", None)
        if self.before is not None:
            self._take_over("before", np.int32)
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))
        object.__setattr__(self, "named_groups", MappingProxyType(dict(self.named_groups)))
        object.__setattr__(self, "versions", MappingProxyType(dict(self.versions)))
        object.__setattr__(self, "statement_costs", make_read_only(self.statement_costs, np.float64))
        self._check()

    def __getstate__(self) -> dict[str, Any]:
        # scikit-learn's tools copy fitted estimators between processes; read-only views cannot travel
        own = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: dict(v) if isinstance(v, MappingProxyType) else v for name, v in own.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _take_over(self, name: str, kind: Any) -> None:
        arrays = {key: make_read_only(value, kind) for key, value in getattr(self, name).items()}
        object.__setattr__(self, name, MappingProxyType(arrays))

    def _check(self) -> None:
        for part in (self.labels, self.memberships, self.before or {}):
            for kind, values in part.items():
                if kind not in self.network.types or len(values) != len(self.network.types[kind]):
                    raise InputError(f"the result's arrays for {kind} do not fit the network")
        # without knowledge, other types may have had other numbers of groups
        before = [item for item in (self.before or {}).items() if item[0] == self.network.centre]
        for kind, labels in (*self.labels.items(), *before):
            if labels.max(initial=-1) >= self.n_groups(kind):
                raise InputError(
                    f"a label of {kind} is beyond the {self.n_groups(kind)} groups of the result"
                )

        if any(not 0 <= group < self.n_groups() for group in self.named_groups.values()):
            raise InputError(f"a named group is beyond the {self.n_groups()} groups of the result")

    def n_groups(self, kind: str | None = None) -> int:
        """How many groups the objects of a type, or of the centre, were put in; empty groups count."""
        kind = self.network.centre if kind is None else kind
        if kind in self.memberships:
            return int(self.memberships[kind].shape[1])
        return int(self.labels[kind].max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class Result(ResultFields):
    """Groups of every type, how they came about, and what became of the knowledge.

    The arrays are taken over and made read-only. A label of -1 means in no group. The *centre* is the type
    that is grouped first, documents where there are any; its *terms* are what describes it, as a rule words.
    """

    @property
    def centre(self) -> str:
        """The type whose groups are named, drawn and explained."""
        return self.network.centre

    @property
    def terms(self) -> str:
        """The type that describes the centre."""
        found = self.network.terms
        if found is None:
            raise InputError(f"the {self.centre} of this result take part in no relation")
        return found

    @cached_property
    def counts(self) -> csr_array:
        """The relation between the centre and its terms, as a rule documents × words."""
        return self.network.counts

    @cached_property
    def neighbourhood(self) -> Neighbourhood:
        """All relations of the centre next to each other: what new objects of it are known by."""
        return self.network.neighbourhood(self.centre)

    @cached_property
    def object_tables(self) -> dict[str, GroupObjectTable]:
        """By type: what each group of the centre has of its objects."""
        return association.tabulate_all(self.network, self.labels[self.centre], self.n_groups())

    @property
    def word_scores(self) -> csr_array:
        """Groups of the centre × terms: how much each of them tells the group apart."""
        return self.object_tables[self.terms].scores

    @cached_property
    def confidence(self) -> Floats:
        """How sure the result is of each document: the membership in its own group."""
        labels, memberships = self.labels[self.centre], self.memberships[self.centre]
        return make_read_only(groups.measure_confidence(labels, memberships), None)

    @cached_property
    def stability(self) -> NDArray[np.float32] | None:
        """The share of the method's own runs that put each document in its group; None if it made none.

        NaN for documents in no group.
        """
        told = self.model.get("stability")
        return None if told is None else make_read_only(np.where(told >= 0, told, np.float32(np.nan)), None)

    @cached_property
    def trust(self) -> Floats | None:
        """How far each statement of the knowledge is trusted to be right; None where the method tells not.

        NaN for statements that were not judged, because they were too few of their kind.
        """
        told = self.model.get("trust")
        if told is None or self.compiled is None:
            return None
        found = np.full(len(self.compiled), np.nan)
        found[: len(told)] = np.where(told >= 0, told, np.nan)
        return make_read_only(found, None)

    @cached_property
    def runner_up(self) -> Labels:
        """The group that comes second for each document; -1 where none has any membership."""
        labels, memberships = self.labels[self.centre], self.memberships[self.centre]
        return make_read_only(groups.find_runner_up(labels, memberships), None)

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """A unique name for every group of documents, or of what else is in the centre."""
        return groups.name_centre_groups(self)

    @cached_property
    def names_before(self) -> tuple[str, ...]:
        """A unique name for every group of the run without knowledge; none where it was not made."""
        return groups.name_groups_before(self)

    @cached_property
    def word_group_names(self) -> tuple[str, ...]:
        """A unique name for every group of words; none where the method does not group words."""
        return self.names_of(WORDS) if WORDS in self.network.types else ()

    def names_of(self, kind: str) -> tuple[str, ...]:
        """A unique name for every group of a type; none where the method does not group it."""
        return groups.name_groups(self, kind)

    def groups(self, kind: str, limit: int = 12) -> tuple[ObjectGroup, ...]:
        """The groups of a type: name, size, strongest members, which groups of the centre it goes with."""
        return groups.describe_groups(self, kind, limit)

    def top_words(self, limit: int = 12) -> list[list[tuple[str, float]]]:
        """The words that tell each group of documents apart, with their scores, best first."""
        return self.top_objects(self.terms, limit)

    def top_objects(self, kind: str, limit: int = 12) -> list[list[tuple[str, float]]]:
        """The objects of a type that tell each group of the centre apart, with their scores, best first."""
        return groups.list_top_objects(self, kind, limit)

    def contributions(self) -> tuple[Contribution, ...]:
        """What every relation contributed to every group, for methods that group both its sides."""
        return association.measure_contributions(self)

    def coherence(self, limit: int = 12) -> Floats:
        """The NPMI coherence of the top words of each group of documents."""
        found = association.take_top(self.word_scores, limit)
        return metrics.coherence(self.counts, [columns for columns, _ in found])

    def representatives(self, limit: int = 5) -> list[NDArray[np.int64]]:
        """The positions of the documents that stand for each group."""
        texts = self.corpus.texts if self.corpus is not None else None
        return groups.choose_representatives(
            self.labels[self.centre], self.n_groups(), self.confidence, self.counts, texts, limit
        )

    def why(self, document: str | int, limit: int = 12, kind: str | None = None) -> Why:
        """The words, objects and links that put a document (id or position) in its group.

        Of an object of another `kind` the links alone are told.
        """
        return explain.explain_object(self, document, limit, kind)

    def audit(self) -> Audit:
        """What became of every statement of the knowledge."""
        return audit.audit(self)

    def changes(self, limit: int = 10) -> Changes | None:
        """What the knowledge changed; None where no run without knowledge was made."""
        if self.before is None or self.centre not in self.before:
            return None
        before, after, count = self.before[self.centre], self.labels[self.centre], self.n_groups()
        return changes.compare_groupings(before, after, count, count, self.confidence, limit)

    def evaluate(
        self, labels_true: ArrayLike, mask: ArrayLike | None = None, kind: str | None = None
    ) -> dict[str, float]:
        """Accuracy, NMI, ARI, Rand index and purity against known labels of the documents, or of a type."""
        return metrics.evaluate(labels_true, groups.find_labels(self, kind or self.centre), mask)

    def link_satisfaction(self, kind: str | None = None) -> dict[str, float]:
        """The share of together links joined and of apart links split, among the objects of a type."""
        return audit.kept_links(self, kind or self.centre)

    def predict(self, new: Any) -> Labels:
        """The groups of new documents; -1 without a known word or other known object.

        They come as a corpus, a list of texts, a matrix over the words, a network that holds them, or a
        mapping {relation or type: matrix of new documents × objects}. Any of them may lack some relations.
        """
        return predict.predict(self, new)

    def predict_memberships(self, new: Any) -> NDArray[np.float32]:
        """The memberships of new documents in every group."""
        return predict.predict_memberships(self, new)

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write the self-contained HTML report."""
        return report_view.write_report(self, expand_path(path), title)

    def write_tables(self, folder: str | Path) -> list[Path]:
        """Write documents.csv, clusters.csv, words.csv, a table for every further type, and the audit."""
        return tables.write_tables(self, expand_path(folder))

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Store the result in a folder of open formats."""
        return store.save(self, expand_path(folder), overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | Path, *, analyser: Any = None) -> Result:
        """Read a stored result; `analyser` stands in for one made of the user's own functions."""
        return store.load(cls, expand_path(folder), analyser)


def make_read_only(values: Any, kind: Any) -> NDArray[Any]:
    """The values as an array that cannot be written to."""
    array = np.asarray(values, dtype=kind)
    array.flags.writeable = False
    return array


def _find_version(part: str) -> str:
    try:
        return version(part)
    except PackageNotFoundError:
        return "not installed"
