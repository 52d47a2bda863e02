"""Colligate's own method: every kind of knowledge in one mixture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.mixture.em import improved, pulled
from colligate.methods.mixture.ensemble import begun, given_start
from colligate.methods.mixture.prediction import Memory, evidence_of, model_of, other_scores, scores_of
from colligate.methods.mixture.problem import prepared
from colligate.methods.outsiders import mask_outside_labels
from colligate.methods.schema import assign_weights, check_centre, related_types
from colligate.methods.spherical import check_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels, State
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]


class Colligate(Method):
    """Colligate's own method: all relations, and knowledge of every kind, in one mixture of groups.

    min Σ_d λ_d·KL(q_d ‖ π·e^s_d) − Σ_k Σ_o α_o·log(φ_ko/m_o) − ½·Σ A_ij·√(λ_i·λ_j)·⟨q_i, q_j⟩
    s_dk = Σ_o y_do·log(φ_ko/m_o) + κ·cos(e_d, μ_k) + u_dk

    q_d are the memberships of document d; y_do what its word (name, …) o counts, (1 + log count)·idf at a sum
    of n^η for n occurrences, η found without labels; φ_k what group k uses, smoothed towards the whole m; e_d
    its direction in the leading singular vectors of tf-idf and μ_k that of the group; u_dk what categories
    and a classifier taught by labels add; A links, in nats; λ_d is 1, and more for documents that knowledge
    names. Starts from what several runs agree on; statements that the runs without them find unlikely are
    trusted less.

    Parameters
    ----------
    n_clusters : int
        The number of groups.
    concentration : float
        κ, the nats that it is worth to point where a group points.
    smoothing : float
        How much of the whole is in what each group uses, in units of the mean group.
    length_exponent : float, optional
        The exponent η; found from the documents unless given.
    embeddings : array or {"glove", "minilm"}, optional
        A further direction for every document: rows of your own, or a model of the extra `embeddings`.
    uneven_sizes : bool
        Whether subjects are of very different sizes: say so where one has a large part of the documents.
        Links between documents find it out by themselves.
    n_ensemble : int
        How many runs agree on the start.
    relation_weights : "own" or mapping of relations to float
        How much each relation counts; 1 unless given here or by the network.
    n_outside_clusters : int, optional
        As in `citcc`.
    init : {"auto"} or array
        A grouping to start from in place of what runs agree on.
    n_init, max_iter, tol, random_state, n_jobs
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
    )
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "concentration": parameters.Real(0.0, 1e3),
        "smoothing": parameters.Real(1e-6, 1e3),
        "length_exponent": parameters.Real(0.0, 1.0, none=True),
        "embeddings": parameters.Choice(("glove", "minilm"), array=True, none=True),
        "uneven_sizes": parameters.Flag(),
        "n_ensemble": parameters.Integer(1),
        "relation_weights": parameters.ByName(parameters.Choice(("own",)), "relations", parameters.Real(0.0)),
        "n_outside_clusters": parameters.Integer(1, none=True),
        "init": parameters.Choice(("auto",), array=True),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        concentration: float = 5.0,
        smoothing: float = 1.0,
        length_exponent: float | None = None,
        embeddings: Any = None,
        uneven_sizes: bool = False,
        n_ensemble: int = 8,
        relation_weights: str | Mapping[str, float] = "own",
        n_outside_clusters: int | None = None,
        init: Any = "auto",
        n_init: int = 1,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.concentration = concentration
        self.smoothing = smoothing
        self.length_exponent = length_exponent
        self.embeddings = embeddings
        self.uneven_sizes = uneven_sizes
        self.n_ensemble = n_ensemble
        self.relation_weights = relation_weights
        self.n_outside_clusters = n_outside_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def sizes(self, network: Network) -> dict[str, int]:
        """Every type has the groups of the centre, as far as it has objects for them."""
        found = {}
        for kind in related_types(network):
            filled = int(np.count_nonzero(network.nonempty(kind)))
            found[kind] = self.n_clusters if kind == network.centre else max(1, min(self.n_clusters, filled))
        return found

    def check_network(self, network: Network) -> None:
        """Any network in which the centre has a relation."""
        check_centre(self.name, network)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> MixtureProblem:
        """See `mixture.prepare`."""
        weighted = assign_weights(network, self.relation_weights, [1.0] * len(network.relations))
        return prepared(weighted, make_kernels("fast", self.n_jobs), self.sizes(network), guidance, self)

    def start(self, problem: MixtureProblem, rng: np.random.Generator) -> State:
        """What runs agree on, or the user's own groups."""
        if isinstance(self.init, str):
            found = begun(problem, self.n_ensemble, rng)
        else:
            found = given_start(problem, self._given(problem))
        return Memory.of(problem).first(found)

    def _given(self, problem: MixtureProblem) -> Labels:
        centre, given = problem.network.centre, problem.user_network
        matrix = given.neighbourhood(centre).matrix
        own = check_labels(self.init, matrix, self.n_clusters, centre)
        further = problem.n_documents - len(own)
        labels = np.pad(own, (0, further), constant_values=-1)
        if problem.outside is not None:
            labels[problem.outside.members] = problem.n_inside
        return labels

    def sweep(self, problem: MixtureProblem, state: State) -> State:
        """The memberships where the objective is lowest for the tables, then the tables."""
        memory = Memory.of(problem)
        terms, _ = memory.terms(state)
        return memory.following(state, improved(problem, terms, memory.position(state)))

    def objective(self, problem: MixtureProblem, state: State) -> float:
        """F of `mixture.position`, per document."""
        return Memory.of(problem).position(state).value / max(problem.n_documents, 1)

    def labels(self, state: State) -> Mapping[str, Labels]:
        """Documents in groups of outsiders, and outsiders from elsewhere, are in no group."""
        return mask_outside_labels(state)

    def misfits(self, problem: MixtureProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Documents by their largest membership, the smallest first."""
        if kind != problem.network.centre:
            return np.zeros(0, dtype=np.int64)
        free = (state.labels[kind] >= 0) & (Memory.of(problem).terms(state)[0].firm < 0)
        if problem.outside is not None:
            free[problem.outside.members] = False
        where = np.flatnonzero(free)
        return where[np.argsort(state.numbers["memberships"][where].max(axis=1), kind="stable")]

    def train_scores(self, problem: MixtureProblem, state: State) -> dict[str, Floats]:
        """Scores of the documents, links included; log lifts of other objects."""
        memory = Memory.of(problem)
        terms, at = memory.terms(state)[0], memory.position(state)
        found = pulled(terms, at) / memory.temperature(state)
        firm = np.flatnonzero(terms.firm >= 0)
        lead = found[firm].max(axis=1)
        found[firm, terms.firm[firm]] = lead + np.log(100.0)
        own = {problem.network.centre: found[: len(problem.user_network.types[problem.network.centre])]}
        return own | other_scores(problem, at)

    def association(self, problem: MixtureProblem, state: State) -> dict[str, Floats]:
        """For each relation of the documents, the mass between their groups and those of the other side."""
        return Memory.of(problem).association(state)

    def statement_costs(self, problem: MixtureProblem, state: State, n_statements: int) -> Floats:
        """The nats that broken links between documents cost, per document."""
        return Memory.of(problem).statement_costs(state, n_statements)

    def model(self, problem: MixtureProblem, state: State) -> dict[str, NDArray[Any]]:
        """See `mixture.model`; with the stability of documents and the trust in statements."""
        memory = Memory.of(problem)
        arrays = model_of(problem, memory.terms(state)[0], memory.position(state), state.numbers["trust"])
        return {**arrays, "temperature": np.array(memory.temperature(state)), **memory.accounts(state)}

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`; without links, and without embeddings."""
        return scores_of(model, matrix)

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """What a word adds by itself, by its direction, and by the category it leans to."""
        return evidence_of(model, columns, counts)
