"""What a method is: a scikit-learn estimator that supplies a start, a sweep, an objective and labels.

The base class does the rest: it turns what the user hands in into a network, refuses knowledge that the
method does not take, and keeps the result that `fitting` makes of it.

What a fitted method does with new documents, as scikit-learn's clusterers and transformers do it.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from colligate.corpus import Corpus
from colligate.errors import InputError
from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.fit import RunOptions, check_sizes, fit_result
from colligate.methods.guidance import compile_for
from colligate.methods.loop import Problem, resolve_seed
from colligate.methods.schema import drop_unweighted
from colligate.network import Network

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from colligate.knowledge import Guidance, Knowledge
    from colligate.methods.loop import Labels, State
    from colligate.methods.parameters import Domain
    from colligate.result import Result

    Floats = NDArray[np.float64]


class Estimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps the result of a fit, and asks it for the groups and memberships of new documents."""

    def predict(self, X: Any) -> Labels:
        """The groups of new documents: a corpus, texts, a matrix, or relations as a network or a mapping.

        See `Result.predict`; -1 for a document without a known word or other object.
        """
        check_is_fitted(self)
        return self.result_.predict(self._new(X))

    def transform(self, X: Any) -> NDArray[np.float32]:
        """The memberships of new documents in every group; see `Result.predict_memberships`.

        Those of the documents that were clustered are in the result; these are by the same rule as for any
        other document.
        """
        check_is_fitted(self)
        return self.result_.predict_memberships(self._new(X))

    @property
    def _n_features_out(self) -> int:
        """As scikit-learn wants it, to name the columns of `transform`."""
        return self.result_.n_groups()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _new(self, X: Any) -> Any:
        texts = isinstance(X, list | tuple) and all(isinstance(text, str) for text in X)
        as_it_is = texts or isinstance(X, Corpus | Network | Mapping)
        return X if as_it_is else self._checked(X, reset=False)

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", accept_large_sparse=True, ensure_all_finite=False
        )

    def _keep(self, result: Result) -> None:
        self.result_ = result
        self.labels_ = result.labels[result.network.centre]
        self.history_ = result.history
        self.n_iter_ = result.n_iter
        terms = result.network.terms
        if terms is not None and terms in result.labels:
            self.word_labels_ = result.labels[terms]
            self.row_labels_ = self.labels_
            self.column_labels_ = self.word_labels_


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
        "n_clusters": parameters.Integer(1),
        "n_init": parameters.Integer(1),
        "max_iter": parameters.Integer(1),
        "tol": parameters.Real(0.0),
        "n_jobs": parameters.Jobs(),
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
    def train_scores(self, problem: Any, state: State) -> Mapping[str, Floats]:
        """For each clustered type, scores whose softmax are the memberships."""

    @abstractmethod
    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """The arrays that `predict_scores` and `evidence` need for new documents."""

    @staticmethod
    @abstractmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
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
        return Problem(network, make_kernels("fast", self.n_jobs), self.sizes(network), guidance)

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
        parameters.check(type(self).__name__, self.domains, self.get_params(deep=False))
        options = options or RunOptions()
        network = self._network(X, reset=True)
        asked = compile_for(self, network, y, knowledge)
        result = fit_result(self, network, asked, resolve_seed(self.random_state), options)
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
        network = drop_unweighted(network, getattr(self, "relation_weights", {}))
        self.check_network(network)
        if isinstance(X, Network | Corpus):
            # what an earlier fit on a matrix learned of its columns is no longer true
            self.n_features_in_ = int(network.counts.shape[1])
            self.__dict__.pop("feature_names_in_", None)
        check_sizes(self, network)
        return network
