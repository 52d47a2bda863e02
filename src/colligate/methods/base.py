"""The method interface: a scikit-learn estimator with a start, an iteration, an objective and scores.

`Method.fit` turns the input into a network, compiles the knowledge, and hands both to `fit.fit_result`, which
runs the common loop. `Estimator` adds what scikit-learn expects of a fitted clusterer and transformer.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from colligate.corpus import Corpus
from colligate.errors import InputError, Message, Parameter
from colligate.kernels import DEVICES, kernels_of, make_kernels
from colligate.methods import parameters
from colligate.methods.checkpoint import serialise_parameters
from colligate.methods.fit import RunOptions, check_sizes, fit_result
from colligate.methods.folding import Folding
from colligate.methods.guidance import CompiledKnowledge, add_labels, compile_for, has_label
from colligate.methods.loop import Problem, resolve_seed
from colligate.methods.schema import drop_unweighted
from colligate.network import Network
from colligate.network.inputs import check_input_matrix, is_stored_network, read_input, shard_array
from colligate.result.held_out import measure_information
from colligate.result.metrics import evaluate
from colligate.result.predict import read_new
from colligate.shards.client import is_collection

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from colligate._storage.array_schema import ArraySchema
    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance, Knowledge
    from colligate.methods.loop import Labels, State
    from colligate.methods.parameters import Domain
    from colligate.result import Result

    Floats = NDArray[np.float64]


AUTO = "auto"
LONGEST_VALUE = 40


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
    n_clusters_ : int
        The number of groups.
    suggestion_ : Suggestion
        With `n_clusters="auto"`, the suggested number and its curve; see `colligate.suggest_clusters`.
    word_labels_, row_labels_, column_labels_ : array of int
        The groups of the words, if the method clusters them; rows are documents and columns words.
    """

    def predict(self, X: Any) -> Labels:
        """Assign new documents to groups.

        Parameters
        ----------
        X : list of texts, frame, path, Corpus, matrix, Network or mapping of relations to matrices
            The new documents, in any form that `fit` takes. Of a frame, the columns of the fit are read.

        Returns
        -------
        array of int
            The groups; -1 for a document without a known word or other object. See `Result.predict`.
        """
        check_is_fitted(self)
        return self.result_.predict(self._check_new(X), **self.prediction_options())

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
        return self.result_.predict_memberships(self._check_new(X), **self.prediction_options())

    def score(self, X: Any, y: Any = None) -> float:
        """Measure how well the groups describe documents, so that grid searches can compare parameters.

        Parameters
        ----------
        X : as in `predict`
            Documents that were not in the fit, as a rule.
        y : array of labels, optional
            Their true labels, -1 where unknown. `fit` takes labels as knowledge: in a grid search with `y`,
            the labels of the other folds are used, those of the scored fold are not.

        Returns
        -------
        float
            With `y`, the normalised mutual information of the predicted groups and the labels. Without `y`,
            how many nats the groups tell about each word that was hidden from the assignment (document
            completion); 0 means nothing. Larger is better.
        """
        check_is_fitted(self)
        new = self._check_new(X)
        if y is None:
            return measure_information(self.result_, new)
        labels = np.asarray(y).ravel()
        known = has_label(labels)
        if not known.any():
            raise InputError("y has no known label (-1 means none); leave out y to score without labels")
        return evaluate(labels, self.result_.predict(new, **self.prediction_options()), known)["nmi"]

    def __repr__(self, N_CHAR_MAX: int = 0) -> str:
        """Return the class and the parameters that are not at their defaults, on one line."""
        defaults = type(self)().get_params(deep=False)
        changed = (
            f"{name}={_shorten_value(value)}"
            for name, value in self.get_params(deep=False).items()
            if not _is_same(value, defaults[name])
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def prediction_options(self) -> dict[str, Any]:
        """Return what `Result.predict` needs besides the new documents; by default nothing."""
        return {}

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
        documents = read_new(self.result_, X)
        if is_stored_network(documents) or isinstance(documents, Corpus | Network):
            return documents
        # SciPy's dictionary-of-keys matrix is a mapping, too
        if isinstance(documents, Mapping) and not sparse.issparse(documents):
            return documents
        return self._check_matrix(documents, reset=False)

    def _check_matrix(self, X: Any, *, reset: bool) -> Any:
        if hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array__"):
            import pyarrow as pa

            X = pa.table(X)
        check_input_matrix(X)
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", accept_large_sparse=True, ensure_all_finite=False
        )

    def _store_result(self, result: Result) -> None:
        self.result_ = result
        self.labels_ = result.labels[result.network.centre]
        self.n_clusters_ = result.n_groups()
        self.history_ = result.history
        self.n_iter_ = result.n_iter
        terms = result.network.terms
        if terms is not None and terms in result.labels:
            self.word_labels_ = result.labels[terms]
            self.row_labels_ = self.labels_
            self.column_labels_ = self.word_labels_


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default) if np.isscalar(value) else value is default


def _shorten_value(value: Any) -> str:
    """Write a parameter in a few characters; of an array or a list its size."""
    if hasattr(value, "shape"):
        return f"<{type(value).__name__} {'×'.join(map(str, value.shape))}>"
    if isinstance(value, list | tuple | Mapping) and len(repr(value)) > LONGEST_VALUE:
        return f"<{type(value).__name__} of {len(value)}>"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


class Method(Estimator, ABC):
    """The base of all methods.

    `takes` lists the accepted knowledge as kind:type, such as `links:documents`; `needs` the part of it that
    the method cannot do without; `domains` the values its parameters may have.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of groups of documents; "auto" takes the one that `colligate.suggest_clusters` suggests.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The maximum number of iterations of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself.
    random_state : int, generator or None
        The seed.
    n_jobs : int or None
        Threads. None means all cores, but at most 8 for fewer than 20 million entries; -1 means all cores.
        The labels do not depend on it.
    device : {"auto", "cpu", "cuda"}
        Where to compute: "cuda" is a GPU, "auto" takes one for large matrices if there is one.
    """

    name: ClassVar[str] = ""
    family: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    takes: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    model_schema: ClassVar[ArraySchema] = {}
    state_schema: ClassVar[ArraySchema] = {}
    domains: ClassVar[Mapping[str, Domain]] = {
        "n_clusters": parameters.Integer(1, word=AUTO),
        "n_init": parameters.Integer(1),
        "max_iter": parameters.Integer(1),
        "tol": parameters.Real(0.0),
        "n_jobs": parameters.Jobs(),
        "device": parameters.Choice(DEVICES),
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
        device: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.device = device

    def _store_parameters(self, arguments: Mapping[str, Any]) -> None:
        """Store the arguments of `__init__`, its `locals()`, under their names, as scikit-learn requires."""
        for name, value in arguments.items():
            if name != "self":
                setattr(self, name, value)

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
    def check_state(problem: Any, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for arrays of a checkpoint that fit `state_schema` but not the problem."""

    @staticmethod
    def check_model(model: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for a stored model that fits `model_schema` but is not consistent in itself."""

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

    @staticmethod
    def directions(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats | None:
        """Return documents as unit vectors in the space of the method; None if it has no such space."""
        return None

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

    def back_end(self, network: Network) -> Kernels:
        """Return the kernels of a fit, on the CPU, on a GPU, or on the workers of a cluster."""
        if network.is_sharded:
            return kernels_of(network.relations[0].matrix)
        return make_kernels("fast", self.n_jobs, self.device, network.n_entries)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> Problem:
        """Prepare what the iterations need."""
        return Problem(network, self.back_end(network), self.n_clusters_by_type(network), guidance)

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
        X : documents
            A list, array or Series of texts; a table with a column of texts (a pandas or polars DataFrame, an
            Arrow table, a dataset of Hugging Face, or anything else with an Arrow stream); the path of a file
            or folder; a Corpus; a matrix of documents × words; or a Network. `Corpus.of` takes the names of
            the columns. With a matrix, knowledge names objects by position; the columns of a frame of numbers
            are words.
        y : array of labels or None
            Known labels of documents, -1 where unknown. They are knowledge that the groups follow, not only
            a measure of them: leave `y` out to group without labels.
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
        network = self._read_network(X)
        labelled = add_labels(self, network, y, knowledge)
        if options.fit_part is not None:
            return self._fit_part(network, labelled, options)
        folding = Folding.of(network, options.fold_duplicates, options.listener)
        distinct = network if folding is None else folding.fold_network()
        method = self._resolve_number(distinct, labelled, options)
        check_sizes(method, distinct)
        knowledge_of_run = compile_for(method, network, labelled)
        seed = resolve_seed(self.random_state)
        if folding is None:
            result = fit_result(method, network, knowledge_of_run, seed, options)
        else:
            folded = CompiledKnowledge(
                knowledge_of_run.compiled, folding.fold_guidance(knowledge_of_run.guidance)
            )
            folded_result = fit_result(folding.fold_method(method), distinct, folded, seed, options)
            result = replace(folding.unfold(folded_result), parameters=serialise_parameters(method))
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

    def _fit_part(self, network: Network, knowledge: Knowledge | None, options: RunOptions) -> Self:
        """Fit on a part of the documents, and place the others."""
        from colligate.methods.part import place_all, sample_network

        seed = resolve_seed(self.random_state)
        assert options.fit_part is not None
        part, rows = sample_network(self, network, knowledge, options.fit_part, seed)
        fixed = copy(self).set_params(random_state=seed)
        fixed.fit(part, knowledge=knowledge, options=replace(options, fit_part=None))
        self._store_result(fixed.result_)
        self.labels_ = place_all(fixed, network, rows)
        return self

    @staticmethod
    def revise(
        result: Result, knowledge: Knowledge, options: RunOptions | None = None, **parameters: Any
    ) -> Result:
        """Carry out the changes of knowledge on a result; see `Result.apply`."""
        from colligate.methods.change_plan import apply_changes

        return apply_changes(result, knowledge, options, **parameters)

    @staticmethod
    def extend(result: Result, new: Any, options: RunOptions | None = None, **parameters: Any) -> Result:
        """Add new documents to a result; see `Result.update`."""
        from colligate.methods.update import update_result

        return update_result(result, new, options=options, **parameters)

    def make_network(self, X: Any) -> Network:
        """Turn the input of `fit` into a network that the method can cluster, or refuse it."""
        network = self._read_network(X)
        check_sizes(self, network)
        return network

    def _read_network(self, X: Any) -> Network:
        documents = read_input(X)
        if documents is None and is_collection(X):
            documents = Network.from_matrix(shard_array(X))
        if documents is None:
            matrix = self._check_matrix(X, reset=True)
            network = Network.from_matrix(matrix, words=getattr(self, "feature_names_in_", None))
        else:
            network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
        network = drop_unweighted(network, getattr(self, "relation_weights", {}))
        self.check_network(network)
        if documents is not None:
            # scikit-learn's attributes may stem from an earlier fit on a matrix
            self.n_features_in_ = int(network.counts.shape[1])
            self.__dict__.pop("feature_names_in_", None)
        return network

    def _resolve_number(self, network: Network, knowledge: Knowledge | None, options: RunOptions) -> Self:
        """Return the method with a number of groups; `fit` must not change the parameters themselves."""
        self.__dict__.pop("suggestion_", None)
        number: Any = self.n_clusters
        if number != AUTO:
            return self
        from colligate.methods.suggestion import count_named_groups, suggest_clusters

        least = count_named_groups(knowledge)
        self.suggestion_ = suggest_clusters(
            network, least=max(least, 1), n_jobs=self.n_jobs, listener=options.listener
        )
        sized = copy(self)
        sized.n_clusters = self.suggestion_.n_clusters
        return sized
