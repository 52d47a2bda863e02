"""What a method is: a scikit-learn estimator that supplies a start, a sweep, an objective and labels.

The base class does the rest: it turns what the user hands in into a network, refuses knowledge that the
method does not take, and keeps the result that `fitting` makes of it.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from colligate.corpus import Corpus
from colligate.errors import InputError
from colligate.kernels import kernels
from colligate.methods import domains
from colligate.methods.asked import ask
from colligate.methods.estimator import Estimator
from colligate.methods.fitting import check_sizes, fitted
from colligate.methods.options import RunOptions
from colligate.methods.problem import Problem
from colligate.methods.seeds import resolved_seed
from colligate.methods.weights import without_unweighted
from colligate.network import Network

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance, Knowledge
    from colligate.methods.domains import Domain
    from colligate.methods.state import Labels, State

    Floats = NDArray[np.float64]


class Method(Estimator, ABC):
    """The base of all methods.

    `takes` lists the knowledge a method takes as kind:type, such as `links:documents`, `needs` what of it the
    method cannot do without; `domains` the values its parameters may have.
    """

    name: ClassVar[str] = ""
    family: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    takes: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    domains: ClassVar[Mapping[str, Domain]] = {
        "n_clusters": domains.Integer(1),
        "n_init": domains.Integer(1),
        "max_iter": domains.Integer(1),
        "tol": domains.Real(0.0),
        "n_jobs": domains.Jobs(),
    }

    n_clusters: int
    n_init: int
    max_iter: int
    tol: float
    random_state: Any
    n_jobs: int | None

    @abstractmethod
    def start(self, problem: Any, rng: np.random.Generator) -> State:
        """Where a restart begins."""

    @abstractmethod
    def sweep(self, problem: Any, state: State) -> State:
        """Update every type once."""

    @abstractmethod
    def objective(self, problem: Any, state: State) -> float:
        """What is minimised, at a state."""

    @abstractmethod
    def scored(self, problem: Any, state: State) -> Mapping[str, Floats]:
        """For each clustered type, scores whose softmax are the memberships."""

    @abstractmethod
    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """The arrays that `scores` and `evidence` need for new documents."""

    @staticmethod
    @abstractmethod
    def scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """Scores of new documents: the largest is the group, the softmax the memberships."""

    @staticmethod
    @abstractmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """What each word of one document, given with its counts, adds to the document's score of each group.

        Summed over the words it is the score, up to what is the same for every group or for every document.
        """

    def labels(self, state: State) -> Mapping[str, Labels]:
        """The labels per type at a state."""
        return state.labels

    def sizes(self, network: Network) -> dict[str, int]:
        """The number of clusters of each type."""
        return {network.centre: self.n_clusters}

    def check_network(self, network: Network) -> None:
        """Refuse a network the method cannot cluster; unless a method says so, it takes two types alone."""
        found = [relation for relation in network.relations if relation.rows != relation.columns]
        if len(network.relations) != 1 or not found or network.terms is None:
            told = ", ".join(relation.name for relation in network.relations) or "none"
            raise InputError(
                f"{self.name} takes one relation between two types, such as documents × words; this network "
                f"has {told}; methods such as hinc, chinc and tnmf take more"
            )

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> Problem:
        """Prepare what the sweeps need."""
        return Problem(network, kernels("fast", self.n_jobs), self.sizes(network), guidance)

    def finish(self, problem: Any, state: State) -> State:
        """What is done once after the last sweep; nothing unless a method says so."""
        return state

    def misfits(self, problem: Any, state: State, kind: str) -> NDArray[np.int64]:
        """Objects in the order in which they may be given to an empty cluster."""
        return np.zeros(0, dtype=np.int64)

    def association(self, problem: Any, state: State) -> dict[str, Floats]:
        """The joint mass of row and column clusters per relation, for methods that cluster both sides."""
        return {}

    def statement_costs(self, problem: Any, state: State, n_statements: int) -> Floats:
        """What each statement of knowledge costs at a state."""
        return np.zeros(n_statements)

    def fit(
        self,
        X: Any,
        y: Any = None,
        knowledge: Knowledge | None = None,
        options: RunOptions | None = None,
    ) -> Self:
        """Cluster a corpus, a documents × words matrix or a network.

        `y` holds known labels, -1 where nothing is known; `knowledge` whatever else is known. With a matrix,
        knowledge names objects by position.
        """
        domains.check(type(self).__name__, self.domains, self.get_params(deep=False))
        options = options or RunOptions()
        network = self._network(X, reset=True)
        asked = ask(self, network, y, knowledge)
        result = fitted(self, network, asked, resolved_seed(self.random_state), options)
        if not result.converged:
            warnings.warn(
                f"{self.name} stopped after max_iter={self.max_iter} sweeps before it converged; "
                "raise max_iter or tol",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._keep(result)
        return self

    def _network(self, X: Any, *, reset: bool) -> Network:
        if isinstance(X, Network):
            network = X
        elif isinstance(X, Corpus):
            network = Network.from_corpus(X)
        else:
            network = Network.from_matrix(self._checked(X, reset=reset))
        network = without_unweighted(network, getattr(self, "relation_weights", {}))
        self.check_network(network)
        if isinstance(X, Network | Corpus):
            # what an earlier fit on a matrix learned of its columns is no longer true
            self.n_features_in_ = int(network.counts.shape[1])
            self.__dict__.pop("feature_names_in_", None)
        check_sizes(self, network)
        return network
