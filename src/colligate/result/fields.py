"""The data of a result: its fields, checked against the network, and what follows from them at once."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate import registry
from colligate.errors import InputError
from colligate.result import (
    association,
    groups,
)
from colligate.result.descriptions import Description
from colligate.shards.matrix import collect
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.knowledge import Compiled
    from colligate.network import Neighbourhood, Network
    from colligate.result.association import GroupObjectTable


Labels = NDArray[np.int32]
Floats = NDArray[np.float64]
DEPENDENCIES = ("numpy", "scipy", "scikit-learn", "numba", "pyarrow")


def collect_versions() -> dict[str, str]:
    """Return the versions of Colligate, of Python and of the libraries that compute."""
    versions = {"colligate": __version__, "python": platform.python_version()}
    return versions | {library: _find_version(library) for library in DEPENDENCIES}


def _find_version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def make_read_only(values: Any, dtype: Any = None) -> NDArray[Any]:
    """Return the values as an array that cannot be written to."""
    array = np.asarray(values, dtype=dtype)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class ResultFields:
    """The fields of a result. The arrays are made read-only in place, not copied."""

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
    group_numbers: tuple[int, ...] = ()
    given_names: tuple[str, ...] = ()
    word_names: tuple[str, ...] = ()
    provisional_names: tuple[str, ...] = ()
    descriptions: tuple[Description, ...] = ()
    versions: Mapping[str, str] = field(default_factory=collect_versions)

    def __post_init__(self) -> None:
        dtypes = {"labels": np.int32, "memberships": np.float32, "association": np.float64, "model": None}
        for name, dtype in dtypes.items():
            self._freeze_arrays(name, dtype)
        if self.before is not None:
            self._freeze_arrays("before", np.int32)
        for name in ("parameters", "named_groups", "versions"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "statement_costs", make_read_only(self.statement_costs, np.float64))
        object.__setattr__(self, "group_numbers", tuple(self.group_numbers) or tuple(range(self.n_groups())))
        for name in ("given_names", "word_names"):
            object.__setattr__(self, name, tuple(getattr(self, name)) or ("",) * self.n_groups())
        object.__setattr__(self, "provisional_names", tuple(self.provisional_names))
        empty = (Description(),) * self.n_groups()
        object.__setattr__(self, "descriptions", tuple(self.descriptions) or empty)
        self._check()

    def __getstate__(self) -> dict[str, Any]:
        # scikit-learn sends fitted estimators to other processes, and mapping proxies cannot be pickled.
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: dict(v) if isinstance(v, MappingProxyType) else v for name, v in values.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _freeze_arrays(self, name: str, dtype: Any) -> None:
        arrays = {key: make_read_only(value, dtype) for key, value in getattr(self, name).items()}
        object.__setattr__(self, name, MappingProxyType(arrays))

    def _check(self) -> None:
        for arrays in (self.labels, self.memberships, self.before or {}):
            for kind, values in arrays.items():
                if kind not in self.network.types or len(values) != len(self.network.types[kind]):
                    raise InputError(f"the result's arrays for {kind} do not fit the network")
        # The run without knowledge may have had another number of groups for the types beside the centre.
        before = [item for item in (self.before or {}).items() if item[0] == self.network.centre]
        for kind, labels in (*self.labels.items(), *before):
            if labels.max(initial=-1) >= self.n_groups(kind):
                raise InputError(
                    f"a label of {kind} is not one of the {self.n_groups(kind)} groups of the result; "
                    f"labels must be below {self.n_groups(kind)}"
                )
        numbers, names = self.group_numbers, [name for name in self.given_names if name]
        if not len(numbers) == len(set(numbers)) == self.n_groups() or min(numbers, default=0) < 0:
            raise InputError(
                f"the numbers of the {self.n_groups()} groups must be different and not negative"
            )
        n_names = {len(self.given_names), len(self.word_names), len(self.descriptions)}
        if n_names != {self.n_groups()} or len(set(names)) < len(names):
            raise InputError(f"the names of the {self.n_groups()} groups must be different")
        if any(not 0 <= group < self.n_groups() for group in self.named_groups.values()):
            raise InputError(
                f"a name belongs to a group that is not one of the {self.n_groups()} groups of the result"
            )

    def n_groups(self, kind: str | None = None) -> int:
        """Return the number of groups of a type, empty ones included.

        Parameters
        ----------
        kind : str, optional
            A type that was grouped; by default the centre.

        Returns
        -------
        int
        """
        kind = self.network.centre if kind is None else kind
        if kind in self.memberships:
            return int(self.memberships[kind].shape[1])
        return int(self.labels[kind].max(initial=-1)) + 1

    @property
    def centre(self) -> str:
        """The type whose groups are named, drawn and explained."""
        return self.network.centre

    @property
    def terms(self) -> str:
        """The type that describes the centre."""
        if self.network.terms is None:
            raise InputError(f"the {self.centre} of this result are in no relation")
        return self.network.terms

    @cached_property
    def counts(self) -> csr_array:
        """The relation between the centre and its terms, as a rule documents × words."""
        return collect(self.network.counts)

    @cached_property
    def unit_tfidf(self) -> csr_array:
        """The counts as tf-idf with logarithmic counts, in rows of unit length."""
        return groups.unit_tfidf(self.counts)

    @cached_property
    def directions(self) -> Floats | None:
        """The documents as unit vectors in the space of the method; None if it has no such space."""
        method = registry.find_method(self.method)
        directions: Floats | None = method.directions(self.model, self.neighbourhood.matrix)
        return directions

    @cached_property
    def neighbourhood(self) -> Neighbourhood:
        """All relations of the centre next to each other, as one matrix."""
        return self.network.neighbourhood(self.centre)

    @cached_property
    def object_tables(self) -> dict[str, GroupObjectTable]:
        """Groups of the centre × objects, by type: how much each group has of each object."""
        return association.tabulate_all(self.network, self.labels[self.centre], self.n_groups())

    @property
    def word_scores(self) -> csr_array:
        """Groups of the centre × terms: how characteristic each term is of each group."""
        return self.object_tables[self.terms].scores

    @cached_property
    def confidence(self) -> Floats:
        """The membership of each document in its group; 0 for documents in no group."""
        labels, memberships = self.labels[self.centre], self.memberships[self.centre]
        return make_read_only(groups.measure_confidence(labels, memberships))

    @property
    def copy_of(self) -> NDArray[np.int64] | None:
        """The position of each document's original, its own if it is no copy; None if none was folded."""
        return self.model.get("copy_of")

    @cached_property
    def trust(self) -> Floats | None:
        """The estimated probability that each statement of the knowledge is right.

        NaN if there are too few statements of a kind to estimate it; None if the method does not.
        """
        estimates = self.model.get("trust")
        if estimates is None or self.compiled is None:
            return None
        trust = np.full(len(self.compiled), np.nan)
        trust[: len(estimates)] = np.where(estimates >= 0, estimates, np.nan)
        return make_read_only(trust)

    @cached_property
    def runner_up(self) -> Labels:
        """The group with the second-largest membership of each document; -1 if there is none."""
        labels, memberships = self.labels[self.centre], self.memberships[self.centre]
        return make_read_only(groups.find_runner_up(labels, memberships))

    def numbers_of(self, labels: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return the lasting number of the group of each label; -1 for none.

        Parameters
        ----------
        labels : array of int
            Labels of the centre, such as those of `labels` or `predict`.

        Returns
        -------
        array of int
        """
        numbers = np.append(np.array(self.group_numbers, dtype=np.int64), -1)
        return np.asarray(numbers[np.maximum(labels, -1)])
