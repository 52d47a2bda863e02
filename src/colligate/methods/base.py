"""The method interface: a scikit-learn estimator with a start, an iteration, an objective and scores.

`Method.fit` turns the input into a network, compiles the knowledge, and hands both to `fit.fit_result`, which
runs the common loop. `Estimator` adds what scikit-learn expects of a fitted clusterer and transformer.
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
from colligate.errors import InputError, Message, Parameter
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


class NotConvergedWarning(Message, ConvergenceWarning):  # type: ignore[misc]
    """A run stopped at `max_iter` before it converged."""


class Estimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted clusterer and transformer in scikit-learn's sense.

    Attributes
    ----------
    result_ : Result
        The whole result of the fit.
    labels_ : array of int, one per document
        The groups; -1 for a document in no group.
    history_ : tuple of float
        The objective at the start and after each sweep of the best restart.
    n_iter_ : int
        The number of iterations of the best restart.
    word_labels_, row_labels_, column_labels_ : array of int
        The groups of the words, if the method clusters them; rows are documents and columns words.
    """

    def predict(self, X: Any) -> Labels:
        """Assign new documents to groups.

        Parameters
        ----------
        X : Corpus, list of texts, matrix, Network or mapping of relations to matrices
            The new documents.

        Returns
        -------
        array of int
            The groups; -1 for a document without a known word or other object. See `Result.predict`.
        """
        check_is_fitted(self)
        return self.result_.predict(self._check_new(X))

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Compute the memberships of new documents in all groups.

        The result holds the memberships of the clustered documents. These are by the rule for new documents.

        Parameters
        ----------
        X : as in `predict`
            The new documents.

        Returns
        -------
        array of float, documents × groups
            The memberships. See `Result.predict_memberships`.
        """
        check_is_fitted(self)
        return self.result_.predict_memberships(self._check_new(X))

    @property
    def _n_features_out(self) -> int:
        """The number of columns of `transform`, which scikit-learn names by it."""
        return self.result_.n_groups()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _check_new(self, X: Any) -> Any:
        is_texts = isinstance(X, list | tuple) and all(isinstance(text, str) for text in X)
        if is_texts or isinstance(X, Corpus | Network | Mapping):
            return X
        return self._check_matrix(X, reset=False)

    def _check_matrix(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", accept_large_sparse=True, ensure_all_finite=False
        )

    def _store_result(self, result: Result) -> None:
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

    `takes` lists the accepted knowledge as kind:type, such as `links:documents`; `needs` the part of it that
    the method cannot do without; `domains` the values its parameters may have.

    Parameters
    ----------
    n_clusters : int
        Number of groups of documents.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The maximum number of iterations of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself.
    random_state : int, generator or None
        The seed.
    n_jobs : int or None
        Threads; None and -1 mean all cores. The labels do not depend on it.
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

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _store_parameters(self, arguments: Mapping[str, Any]) -> None:
        """Store the arguments of `__init__`, its `locals()`, under their names, as scikit-learn requires."""
        for name in self._get_param_names():
            setattr(self, name, arguments[name])

    @abstractmethod
    def start(self, problem: Any, rng: np.random.Generator) -> State:
        """Return the state in which a restart begins."""

    @abstractmethod
    def sweep(self, problem: Any, state: State) -> State:
        """Update every type once."""

    @abstractmethod
    def objective(self, problem: Any, state: State) -> float:
        """Compute what is minimised."""

    @abstractmethod
    def train_scores(self, problem: Any, state: State) -> Mapping[str, Floats]:
        """Score the clustered objects of each type in each group; the softmax gives the memberships."""

    @abstractmethod
    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """Return the arrays that `predict_scores` and `evidence` need."""

    @staticmethod
    @abstractmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """Score new documents: the largest score is the group, the softmax gives the memberships."""

    @staticmethod
    @abstractmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return words × groups: what each word of one document adds to the document's scores.

        The sum over the words is the score, up to a part that is the same for every group or every document.
        """

    def labels(self, state: State) -> Mapping[str, Labels]:
        """Return the labels of each type."""
        return state.labels

    def n_clusters_by_type(self, network: Network) -> dict[str, int]:
        """Return the number of clusters of each type."""
        return {network.centre: self.n_clusters}

    def check_network(self, network: Network) -> None:
        """Refuse a network the method cannot cluster; by default all but one relation between two types."""
        between_types = [relation for relation in network.relations if relation.rows != relation.columns]
        if len(network.relations) != 1 or not between_types or network.terms is None:
            names = ", ".join(relation.name for relation in network.relations) or "none"
            raise InputError(
                f"{self.name} accepts one relation between two types, such as documents × words. This "
                f"network has {names}. For several relations, choose hinc, chinc or tnmf."
            )

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> Problem:
        """Prepare what the iterations need."""
        return Problem(network, make_kernels("fast", self.n_jobs), self.n_clusters_by_type(network), guidance)

    def finish(self, problem: Any, state: State) -> State:
        """Change the state once after the last iteration; by default not at all."""
        return state

    def misfits(self, problem: Any, state: State, kind: str) -> NDArray[np.int64]:
        """Return objects in the order in which they may be moved to an empty cluster; by default none."""
        return np.zeros(0, dtype=np.int64)

    def association(self, problem: Any, state: State) -> dict[str, Floats]:
        """Return the joint mass of row and column clusters per relation, if both sides are clustered."""
        return {}

    def named_groups(self, problem: Any, state: State) -> dict[str, int]:
        """Return the group of each name in the knowledge, where the method gives names to groups."""
        return {}

    def statement_costs(self, problem: Any, state: State, n_statements: int) -> Floats:
        """Return the cost of each statement of knowledge."""
        return np.zeros(n_statements)

    def fit(
        self,
        X: Any,
        y: Any = None,
        knowledge: Knowledge | None = None,
        options: RunOptions | None = None,
    ) -> Self:
        """Cluster documents.

        Parameters
        ----------
        X : Corpus, documents × words matrix, or Network
            The documents. With a matrix, knowledge names objects by position.
        y : array of labels or None
            Known labels of documents, -1 where unknown.
        knowledge : Knowledge or None
            All other knowledge.
        options : RunOptions or None
            Progress, checkpoint, cancellation and comparison.

        Returns
        -------
        self

        Raises
        ------
        ParameterError
            A parameter is outside its domain.
        KnowledgeError
            The knowledge is contradictory, names unknown objects, or is of a kind the method does not accept.
        CancelledError
            The run was stopped through `options`.
        """
        parameters.check(type(self).__name__, self.domains, self.get_params(deep=False))
        options = options or RunOptions()
        network = self.make_network(X)
        knowledge_of_run = compile_for(self, network, y, knowledge)
        result = fit_result(self, network, knowledge_of_run, resolve_seed(self.random_state), options)
        if not result.converged:
            warning = NotConvergedWarning(
                f"{self.name} stopped after max_iter={self.max_iter} iterations before it converged; raise ",
                Parameter("max_iter", owner="method"),
                " or ",
                Parameter("tol", owner="method"),
            )
            warnings.warn(warning, stacklevel=2)
        self._store_result(result)
        return self

    @staticmethod
    def revise(
        result: Result, knowledge: Knowledge, options: RunOptions | None = None, **parameters: Any
    ) -> Result:
        """Carry out the changes of knowledge on a result; see `Result.apply`."""
        from colligate.methods.revision import apply_changes

        return apply_changes(result, knowledge, options, **parameters)

    def make_network(self, X: Any) -> Network:
        """Turn the input of `fit` into a network that the method can cluster, or refuse it."""
        if isinstance(X, Network):
            network = X
        elif isinstance(X, Corpus):
            network = Network.from_corpus(X)
        else:
            network = Network.from_matrix(self._check_matrix(X, reset=True))
        network = drop_unweighted(network, getattr(self, "relation_weights", {}))
        self.check_network(network)
        if isinstance(X, Network | Corpus):
            # scikit-learn's attributes may stem from an earlier fit on a matrix
            self.n_features_in_ = int(network.counts.shape[1])
            self.__dict__.pop("feature_names_in_", None)
        check_sizes(self, network)
        return network
