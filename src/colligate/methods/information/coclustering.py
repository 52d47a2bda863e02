"""What the information methods have in common as methods: documents and words clustered in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.kernels import Rows, kernels
from colligate.methods import domains
from colligate.methods.contract import Method
from colligate.methods.information import step
from colligate.methods.information.energies import statement_costs
from colligate.methods.information.problem import InformationProblem
from colligate.methods.information.start import is_auto, shaped_by_ties, starting_labels
from colligate.methods.information.tables import log_table
from colligate.methods.state import State
from colligate.network import DOCUMENTS, WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.domains import Domain
    from colligate.network import Network
    from colligate.result import Result

    Floats = NDArray[np.float64]

FIRST_SMOOTHING = 0.01
LAST_SMOOTHING = 1e-9
# new documents hold words that their group has not seen
PREDICT_SMOOTHING = 1e-4
POLISH_ROUNDS = 20
LOOK_AHEAD = 3
# by which share of the objective another start must be better: a link that holds anyway should change nothing
CLEARLY = 1e-4


class CoClustering(Method):
    """Documents and words in turn, from a common state, with tables that start smooth and sharpen."""

    family: ClassVar[str] = "information"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_word_clusters": domains.Integer(1, none=True),
        "init": domains.Choice(("auto", "svd", "tfidf", "random"), array=True),
        "word_init": domains.Choice(("auto", "svd", "tfidf", "random"), array=True),
        "polish": domains.Flag(),
    }

    n_word_clusters: int | None
    init: Any
    word_init: Any
    polish: bool

    def sizes(self, network: Network) -> dict[str, int]:
        """`n_clusters` documents; words as asked, or by the rule max(16, 6·n_clusters)."""
        n_words = self.n_word_clusters
        if n_words is None:
            n_words = min(max(16, 6 * self.n_clusters), _occurring(network))
        return {DOCUMENTS: self.n_clusters, WORDS: n_words}

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Prepare the sides."""
        return InformationProblem(network, kernels("fast", self.n_jobs), self.sizes(network), guidance)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """The best of a few starts by `init` and `word_init`, and the order in which linked objects follow.

        Objects tied together may start as wholes; but a single wrong link can tie all there is together. So a
        start shaped by ties is taken only if it stands clearly lower after a few sweeps.
        """
        inits = {DOCUMENTS: self.init, WORDS: self.word_init}
        labels = {kind: starting_labels(problem, kind, init, rng) for kind, init in inits.items()}
        orders = {f"order/{kind}": links.order(rng) for kind, links in problem.links.items()}
        numbers = {"smoothing": np.array(FIRST_SMOOTHING), **orders}
        free = [kind for kind, init in inits.items() if is_auto(init) and kind in problem.links]
        starts = [State(found, numbers) for found in (labels, *shaped_by_ties(problem, labels, free, rng))]
        if len(starts) == 1:
            return starts[0]
        reached = np.array([self._reached(problem, state) for state in starts])
        best = int(reached.argmin())
        return starts[best if reached[best] < reached[0] * (1.0 - CLEARLY) else 0]

    def _reached(self, problem: InformationProblem, state: State) -> float:
        """The objective a few sweeps after a start."""
        for _ in range(LOOK_AHEAD):
            state = self.sweep(problem, state)
        return self.objective(problem, state)

    def sweep(self, problem: InformationProblem, state: State) -> State:
        """Update documents, then words, and halve the smoothing."""
        smoothing = float(state.numbers["smoothing"])
        orders = {kind: state.numbers[f"order/{kind}"] for kind in problem.links}
        labels = state.labels
        for kind in (DOCUMENTS, WORDS):
            labels = step.update(problem, labels, kind, smoothing, orders)
        halved = smoothing / 2.0 if smoothing > LAST_SMOOTHING else 0.0
        return State(labels, {**state.numbers, "smoothing": np.array(halved)})

    def objective(self, problem: InformationProblem, state: State) -> float:
        """J of `information.step`."""
        return problem.evaluate(state.labels).objective

    def finish(self, problem: InformationProblem, state: State) -> State:
        """Sequential moves of single objects, if `polish` is set; objects with links stay."""
        if not self.polish:
            return state
        labels = state.labels
        for _ in range(POLISH_ROUNDS):
            moved = 0
            for kind in (DOCUMENTS, WORDS):
                labels, moves = step.polished(problem, labels, kind)
                moved += moves
            if not moved:
                break
        return State(labels, state.numbers, settled=True)

    def misfits(self, problem: InformationProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Objects without links by how much they lose in their cluster, the greatest loss first."""
        return step.misfits(problem, state.labels, kind)

    def association(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """The cluster tables as joint masses."""
        tables = problem.evaluate(state.labels).tables
        return {
            relation.name: table / max(table.sum(), 1e-300)
            for relation, table in zip(problem.network.relations, tables, strict=True)
        }

    def statement_costs(self, problem: InformationProblem, state: State, n_statements: int) -> Floats:
        """The cost of the broken links of each statement, in the units of the objective."""
        costs = np.zeros(n_statements)
        for kind, links in problem.links.items():
            costs += statement_costs(links, state.labels[kind][links.where], n_statements)
        return costs

    def scored(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """Mean log-likelihood per occurrence, links included, times the cube root of the occurrences.

        Words of one document depend on each other, so that n of them are worth far fewer.
        """
        found = {}
        for kind, side in problem.sides.items():
            scores = step.scores(problem, state.labels, kind, PREDICT_SMOOTHING)
            # an object without entries has links alone to go by, weighed as those of an average one
            mass = np.where(side.mass > 0, side.mass, side.mass.mean())
            found[kind] = scores / mass[:, None] * _worth(np.maximum(side.counts, 1.0))[:, None]
        return found

    def model(self, problem: InformationProblem, state: State) -> dict[str, NDArray[Any]]:
        """The groups of the words, and log p(word group | document group)."""
        side = problem.sides[DOCUMENTS]
        table = (
            log_table(side, problem.evaluate(state.labels).tables, PREDICT_SMOOTHING) / side.pieces[0].scale
        )
        return {"word_labels": state.labels[WORDS], "table": table}

    @staticmethod
    def scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `scored`."""
        found = kernels().score_rows(Rows.of(matrix), model["word_labels"], model["table"])
        counts = np.asarray(matrix.sum(axis=1, dtype=np.float64)).ravel()
        return np.asarray(found * (_worth(np.maximum(counts, 1.0)) / np.maximum(counts, 1e-300))[:, None])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Counts · log p(the word's group | document group), on the scale of `scores`."""
        labels = model["word_labels"][columns]
        log_p = np.where((labels >= 0)[:, None], model["table"][np.maximum(labels, 0)], 0.0)
        total = np.asarray(counts.sum(dtype=np.float64))
        return np.asarray(
            counts[:, None] * log_p * (_worth(np.maximum(total, 1.0)) / np.maximum(total, 1e-300))
        )

    def _keep(self, result: Result) -> None:
        super()._keep(result)
        self.word_labels_ = result.labels[WORDS]
        self.row_labels_ = self.labels_
        self.column_labels_ = self.word_labels_


def _worth(occurrences: Floats) -> Floats:
    """How many independent occurrences so many in one object are worth."""
    return np.cbrt(occurrences)


def _occurring(network: Network) -> int:
    """How many words some document has."""
    return int(np.count_nonzero(np.bincount(network.relations[0].matrix.indices)))
