"""The method `colligate`: every kind of knowledge in one mixture model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.corpus.encoders import is_encoder, list_embeddings, list_sources
from colligate.kernels.arrays import to_host
from colligate.methods import parameters
from colligate.methods.batches import BatchMethod
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.em import e_step, m_step
from colligate.methods.mixture.ensemble import initialize, initialize_from_labels
from colligate.methods.mixture.model_schema import MODEL_SCHEMA, STATE_SCHEMA, check_model
from colligate.methods.mixture.prediction import (
    StateCache,
    feature_evidence,
    feature_scores,
    model_arrays,
    model_directions,
    model_from_sums,
    predict_scores,
    sum_documents,
)
from colligate.methods.mixture.problem import prepare_problem
from colligate.methods.outsiders import mask_outside_labels
from colligate.methods.schema import check_centre, related_types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels, State
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]


class Colligate(BatchMethod):
    """A mixture model that takes every relation of the documents and every kind of knowledge.

    EM minimises (docs/methods/colligate.md, eqs. 1 and 2)

        F = Σ_d λ_d·Σ_k q_dk·(log q_dk − s_dk) − Σ_ko α_o·log(φ_ko/m_o) − ½·Σ_ij A_ij·√(λ_i·λ_j)·⟨q_i, q_j⟩
        s_dk = Σ_o y_do·log(φ_ko/m_o) + κ·cos(e_d, μ_k) + log π_k + u_dk

    with the responsibilities q, tempered tf-idf y, directions e in a latent space, the prior scores u of
    seed words and of a classifier that is fitted to labels, links A, and document weights λ. The start is the
    consensus of an ensemble; statements that are improbable in the runs without them count less.

    Parameters
    ----------
    n_clusters : int
        The number of groups.
    concentration : float
        κ, the nats of pointing where a group points.
    smoothing : float
        The pseudo-counts of each group, in units of the mean group.
    length_exponent : float, optional
        η: n words of a document count as n^η. It is estimated from the documents by default.
    embeddings : str, encoder, array, list of these, or None
        Further directions for every document. "auto" has the vectors of words, where they are installed. An
        encoder has `encode` or `embed`; "model2vec:NAME", "sentence-transformers:NAME" and "fastembed:NAME"
        are loaded; "column:NAME" is a column of the input; an array has a row for each document; "glove" and
        "minilm" are models of the extra `embeddings`.
    uneven_sizes : bool or "auto"
        True if one group has a large part of the documents, False if groups have similar sizes. By default
        starts of both kinds compete.
    n_ensemble : int
        The number of runs of the ensemble.
    relation_weights : "own" or mapping of relations to float
        How much each relation counts; by default the weight in the network, or 1. Entities whose names are in
        the texts count by what they add to the words, which may be nothing.
    n_outside_clusters : int, optional
        As in `citcc`.
    init : {"auto"} or array
        Groups to start from, in place of the consensus; -1 for a document that starts in no group.
    init_names : mapping of str to int, optional
        The group of `init` that a name of the knowledge means. Other names get the group of `init` with most
        of their documents.
    init_weight : float
        How strongly documents stay in their groups of `init`, in nats after the temperature.
    temperature : float
        What scores are divided by before they become memberships.
    doubt : float, optional
        The share of every membership that goes to all groups alike: what words do not tell. The ensemble
        estimates it by default.
    calibration_clusters : int, optional
        The number of groups at which η, κ′ and the weights of words are estimated, by default `n_clusters`.
        A run from the groups of another has the number of that one, so that both read documents alike.
    n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.
    """

    name: ClassVar[str] = "colligate"
    family: ClassVar[str] = "ours"
    paper: ClassVar[str] = "this project"
    takes: ClassVar[tuple[str, ...]] = (
        "links:documents",
        "links:words",
        "links:*",
        "labels:documents",
        "labels:words",
        "labels:*",
        "categories:words",
        "categories:*",
        "outside:documents",
        "sizes:documents",
        "names:documents",
    )
    model_schema: ClassVar[ArraySchema] = MODEL_SCHEMA
    state_schema: ClassVar[ArraySchema] = STATE_SCHEMA
    domains: ClassVar[Mapping[str, Domain]] = {
        **BatchMethod.domains,
        "concentration": parameters.Real(0.0, 1e3),
        "smoothing": parameters.Real(1e-6, 1e3),
        "length_exponent": parameters.Real(0.0, 1.0, none=True),
        "embeddings": parameters.Choice(
            ("auto", "wordllama", "glove", "minilm"), array=True, none=True, others="the name of an encoder"
        ),
        "uneven_sizes": parameters.Flag("auto"),
        "n_ensemble": parameters.Integer(1),
        "relation_weights": parameters.ByName(parameters.Choice(("own",)), "relations", parameters.Real(0.0)),
        "n_outside_clusters": parameters.Integer(1, none=True),
        "init": parameters.Choice(("auto",), array=True),
        "init_names": parameters.ByName(None, "names in the knowledge", parameters.Integer(0)),
        "init_weight": parameters.Real(0.0, 1e3),
        "temperature": parameters.Real(1e-3, 1e3),
        "doubt": parameters.Real(0.0, 1.0, none=True),
        "calibration_clusters": parameters.Integer(1, none=True),
    }

    # no parameter: experiments replace it to try other values
    constants: Constants = Constants()

    concentration: float
    smoothing: float
    length_exponent: float | None
    embeddings: Any
    uneven_sizes: bool
    n_ensemble: int
    relation_weights: str | Mapping[str, float]
    n_outside_clusters: int | None
    init: Any
    init_names: Mapping[str, int] | None
    init_weight: float
    temperature: float
    doubt: float | None
    calibration_clusters: int | None

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        concentration: float = 2.0,
        smoothing: float = 1.0,
        length_exponent: float | None = None,
        embeddings: Any = "auto",
        uneven_sizes: bool | str = "auto",
        n_ensemble: int = 8,
        relation_weights: str | Mapping[str, float] = "own",
        n_outside_clusters: int | None = None,
        init: Any = "auto",
        init_names: Mapping[str, int] | None = None,
        init_weight: float = 0.0,
        # of 1, 1.5, 2 and 2.5 on the tuning sets; 1 and 1.5 are as well calibrated, but give most documents
        # the same confidence
        temperature: float = 2.0,
        doubt: float | None = None,
        calibration_clusters: int | None = None,
        n_init: int = 1,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def n_clusters_by_type(self, network: Network) -> dict[str, int]:
        """Every type has the groups of the centre, as far as it has objects for them."""
        sizes = {}
        for type_name in related_types(network):
            n_filled = int(np.count_nonzero(network.nonempty(type_name)))
            is_centre = type_name == network.centre
            sizes[type_name] = self.n_clusters if is_centre else max(1, min(self.n_clusters, n_filled))
        return sizes

    def check_network(self, network: Network) -> None:
        """Take any network in which the centre has a relation."""
        check_centre(self.name, network)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> MixtureProblem:
        """Prepare features and named groups; see `mixture.problem`."""
        return prepare_problem(
            network, self.back_end(network), self.n_clusters_by_type(network), guidance, self
        )

    def prediction_options(self) -> dict[str, Any]:
        """The encoders of the fit, which the result does not have."""
        if all(source.is_word_vectors for _, source in list_sources(self.result_.model)):
            return {}
        listed = list_embeddings(self.embeddings)
        return {"embeddings": [entry if is_encoder(entry) else None for entry in listed]}

    def start(self, problem: MixtureProblem, rng: np.random.Generator) -> State:
        """Start from the consensus of the ensemble, or from the user's groups."""
        has_init = problem.init is not None
        start = initialize_from_labels(problem) if has_init else initialize(problem, self.n_ensemble, rng)
        return StateCache.of(problem).first_state(start)

    def sweep(self, problem: MixtureProblem, state: State) -> State:
        """Run one EM iteration: the E-step (eq. 3), then the M-step (eqs. 4 to 6)."""
        cache = StateCache.of(problem)
        priors = cache.priors(state)
        resp = e_step(problem, priors, cache.em_state(state), problem.size_bounds)
        return cache.next_state(state, m_step(problem, priors, resp, cache.feature_links(state)))

    def objective(self, problem: MixtureProblem, state: State) -> float:
        """F (eq. 1) per document."""
        return StateCache.of(problem).em_state(state).free_energy / max(problem.n_documents, 1)

    def labels(self, state: State) -> Mapping[str, Labels]:
        """Documents in groups of outsiders, and outsiders from elsewhere, are in no group."""
        return mask_outside_labels(state)

    def misfits(self, problem: MixtureProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Documents without a label by their largest responsibility, the smallest first."""
        if kind != problem.network.centre or problem.size_bounds is not None:
            return np.zeros(0, dtype=np.int64)
        free = (state.labels[kind] >= 0) & (StateCache.of(problem).priors(state).clamped < 0)
        if problem.outside is not None:
            free[problem.outside.members] = False
        documents = np.flatnonzero(free)
        largest = to_host(state.numbers["resp"].max(axis=1))
        return documents[np.argsort(largest[documents], kind="stable")]

    def train_scores(self, problem: MixtureProblem, state: State) -> dict[str, Floats]:
        """The log of the memberships of documents (eq. 16); log(φ/m) of other objects."""
        cache = StateCache.of(problem)
        priors, em_state = cache.priors(state), cache.em_state(state)
        scores = cache.log_memberships(state)
        labelled = np.flatnonzero((priors.clamped >= 0) & ~problem.frozen & ~problem.suggested)
        # a labelled document is in its group with odds of a hundred to one at least
        scores[labelled, priors.clamped[labelled]] = scores[labelled].max(axis=1) + np.log(100.0)
        centre = problem.network.centre
        documents = {centre: scores[: len(problem.user_network.types[centre])]}
        return documents | feature_scores(problem, em_state)

    def association(self, problem: MixtureProblem, state: State) -> dict[str, Floats]:
        """For each relation of the documents, the mass between their groups and those of the other side."""
        return StateCache.of(problem).association(state)

    def named_groups(self, problem: MixtureProblem, state: State) -> dict[str, int]:
        """Every name of a label or category has a group from the start."""
        return dict(zip(problem.named.names, problem.group_of_name.tolist(), strict=True))

    def statement_costs(self, problem: MixtureProblem, state: State, n_statements: int) -> Floats:
        """The cost of broken links between documents in nats (natural-log units), per document."""
        return StateCache.of(problem).statement_costs(state, n_statements)

    def model(self, problem: MixtureProblem, state: State) -> dict[str, NDArray[Any]]:
        """The arrays for new documents, how far runs agree on documents, and the trust in statements."""
        cache = StateCache.of(problem)
        arrays = model_arrays(
            problem, cache.priors(state), cache.em_state(state), state.numbers["reliability"]
        )
        return {**arrays, "doubt": np.array(cache.doubt(state)), **cache.diagnostics(state)}

    def sum_batch(self, model: Mapping[str, NDArray[Any]], matrix: Any) -> dict[str, NDArray[Any]]:
        """The E-step for new documents, and the sums of eqs. 4 to 6 over them."""
        return sum_documents(model, matrix)

    def model_from_sums(
        self, model: Mapping[str, NDArray[Any]], sums: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        """The M-step (eqs. 4 to 6) from sums."""
        return model_from_sums(model, sums, self.smoothing)

    @staticmethod
    def check_model(model: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for arrays that do not fit each other; see `Method.check_model`."""
        check_model(model)

    @staticmethod
    def predict_scores(
        model: Mapping[str, NDArray[Any]], matrix: Any, vectors: Mapping[str, Floats] | None = None
    ) -> Floats:
        """Scores of new documents (eq. 2), without links."""
        return predict_scores(model, matrix, vectors)

    @staticmethod
    def directions(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats | None:
        """Directions by tf-idf and by the vectors of words, side by side, at unit length."""
        if not {"basis", "eta"} <= model.keys():
            return None
        return np.asarray(model_directions(model, matrix).unit, dtype=np.float64)

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """What each word adds by its counts, its direction, the classifier, and its category."""
        return feature_evidence(model, columns, counts)
