"""A suggested number of groups, without labels, the numbers that are as plausible, and the curve behind them.

The mixture of `colligate` makes many small groups, twice. Each time they are merged, two at a time, always
the two whose documents are neighbours most often beyond chance. The score of every number on the way is the
modularity of the groups (Newman, 2006): the share of neighbours in the same group, less the share that is
expected by chance. The number with the highest score is suggested. It is clear if fewer groups
have a much lower score, and both runs find the same groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import adjusted_rand_score
from threadpoolctl import threadpool_limits

from colligate.errors import InputError, ParameterError
from colligate.knowledge import find_kind
from colligate.methods.colligate import Colligate
from colligate.methods.mixture.problem import first_groups
from colligate.methods.parameters import Integer
from colligate.progress import Event, Listener, ignore_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Knowledge
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Merges = list[tuple[int, int]]

LEAST, MOST = 2, 100
# small groups to begin with; doubled, up to the largest, while more than half of them remain
FIRST_GROUPS, MAX_GROUPS = 64, 256
# documents that a small group must have in the mean
MIN_GROUP_SIZE = 5
N_RUNS = 2
# documents whose neighbours are counted, and the neighbours of each; chosen on the tuning corpora (3, 5, 10,
# 15, 30). A sample of a fixed size makes the number depend on the groups rather than on the documents.
N_SAMPLED, N_NEIGHBOURS = 1500, 20
# neighbours are at most this share of the sample, so that they fit into a small group
MAX_NEIGHBOUR_SHARE = 0.1
# numbers are as plausible as the best if their score is at least this share of its score
NEAR_BEST = 0.98
# a number is clear if no plausible one is below this share of it, and two runs agree on its groups by this
# much beyond chance; seen on the tuning corpora, where clear numbers are near those of classes
CLEAR_SHARE, CLEAR_AGREEMENT = 0.75, 0.7
# groups on which two runs agree less are no groups to speak of
MIN_AGREEMENT = 0.1


@dataclass(frozen=True)
class Plausible:
    """A number of groups, and in words what speaks for it."""

    n_clusters: int
    reason: str


@dataclass(frozen=True)
class Suggestion:
    """A number of groups to begin with; `str()` says in words how clear it is.

    Parameters
    ----------
    n_clusters : int
        The suggested number.
    is_clear : bool
        Whether other numbers are clearly worse.
    plausible : tuple of Plausible
        The plausible numbers, the smallest first, each with a reason. The suggested number is among them.
    curve : tuple of (int, float)
        For every number, how much more often than by chance documents share a group with their neighbours,
        as a share of all neighbours; higher is better.
    """

    n_clusters: int
    is_clear: bool
    plausible: tuple[Plausible, ...]
    curve: tuple[tuple[int, float], ...]

    def __str__(self) -> str:
        if self.is_clear:
            first = f"{self.n_clusters} groups are suggested."
        elif len(self.plausible) == 1:
            first = f"No clear number of groups; {self.n_clusters} is suggested."
        else:
            *numbers, last = [str(one.n_clusters) for one in self.plausible]
            plausible = f"{', '.join(numbers)} and {last}"
            first = (
                f"No clear number of groups; plausible ones are {plausible}. {self.n_clusters} is suggested."
            )
        return "\n".join([first, *(f"{one.n_clusters}: {one.reason}." for one in self.plausible)])


def suggest_clusters(
    X: Any,
    *,
    least: int = 1,
    most: int = MOST,
    n_jobs: int | None = None,
    listener: Listener = ignore_events,
) -> Suggestion:
    """Suggest a number of groups, as `n_clusters="auto"` does.

    Parameters
    ----------
    X : list of texts, frame, Corpus, matrix, Network or another form that `fit` takes
        The documents.
    least : int
        The smallest number to suggest, such as the number of groups that knowledge names.
    most : int
        The largest number to suggest. A suggestion below it does not depend on it.
    n_jobs : int, optional
        The number of threads.
    listener : callable
        It is called with an `Event` before each run.

    Returns
    -------
    Suggestion
        The number, other plausible ones, and the curve. How fine groups should be is the user's decision.
    """
    for name, value, smallest in (("most", most, LEAST), ("least", least, 0)):
        if not Integer(smallest).holds(value):
            message = f"{name} must be a whole number of at least {smallest}; got {value!r:.60}"
            raise ParameterError(message, parameter=name)
    # words alone, at a concentration at which short runs do not collapse
    method = Colligate(n_clusters=1, concentration=5.0, length_exponent=0.5, embeddings=None, n_jobs=n_jobs)
    method.constants = replace(method.constants, n_gain_runs=0)
    network = method.make_network(X)
    n_filled = int(np.count_nonzero(network.nonempty(network.centre)))
    largest = min(n_filled // MIN_GROUP_SIZE, MAX_GROUPS)
    if largest < LEAST:
        raise InputError(
            f"{n_filled} {network.centre} are too few to suggest a number of groups; set the number yourself"
        )
    with threadpool_limits(1):
        problem = method.problem(network, {})
        documents, neighbours = _sample_neighbours(problem)
        n_groups = min(FIRST_GROUPS, largest)
        while True:
            runs = []
            for seed in range(N_RUNS):
                listener(Event("number of groups", seed, N_RUNS, f"merging {n_groups} groups"))
                labels = first_groups(problem.with_groups(n_groups), seed).argmax(axis=1)
                runs.append(MergedGroups.of(labels, documents, neighbours))
            best = _best_number(_mean_scores(runs))
            if 2 * best <= n_groups or n_groups >= largest:
                break
            n_groups = min(2 * n_groups, largest)
    return _conclude(runs, max(least, 1), max(most, least))


def count_named_groups(knowledge: Knowledge | None) -> int:
    """Count the groups that the knowledge names: at least so many are suggested."""
    statements = () if knowledge is None else knowledge
    return len({statement.object for statement in statements if find_kind(statement.kind).names_groups})


@dataclass(frozen=True, eq=False)
class MergedGroups:
    """Groups of one run, merged two at a time down to two.

    `labels` has the groups before any merge, `merges` the pairs in their order (the second joins the
    first), and `scores` the modularity of every number of groups that was reached.
    """

    labels: Ints
    merges: Merges
    scores: dict[int, float]

    @classmethod
    def of(cls, labels: Ints, documents: Ints, neighbours: Ints) -> MergedGroups:
        """Merge the groups of all documents by the neighbours (rows of documents) of the sampled ones."""
        used, labels = np.unique(labels[documents], return_inverse=True)
        # a document may be nobody's neighbour, so the largest number is that of the documents
        position = np.full(int(documents.max(initial=0)) + 1, -1)
        position[documents] = labels
        # the share of neighbours between any two groups
        joint = np.zeros((len(used), len(used)))
        np.add.at(joint, (np.repeat(labels, neighbours.shape[1]), position[neighbours].ravel()), 1.0)
        joint = (joint + joint.T) / (2.0 * max(neighbours.size, 1))
        merges: Merges = []
        scores = {len(used): _modularity(joint)}
        alive = np.ones(len(used), dtype=bool)
        while alive.sum() > LEAST:
            share = joint.sum(axis=1)
            # rounded, so that the order of merges does not depend on the last digits
            gain = (joint - np.outer(share, share)).round(9)
            gain[~alive], gain[:, ~alive] = -np.inf, -np.inf
            np.fill_diagonal(gain, -np.inf)
            first, second = sorted(map(int, np.unravel_index(int(gain.argmax()), gain.shape)))
            joint[first] += joint[second]
            joint[:, first] += joint[:, second]
            joint[second], joint[:, second], alive[second] = 0.0, 0.0, False
            merges.append((first, second))
            scores[int(alive.sum())] = _modularity(joint)
        return cls(labels, merges, scores)

    def groups(self, number: int) -> Ints:
        """Return the groups of the sampled documents when so many are left."""
        labels = self.labels.copy()
        for first, second in self.merges[: max(int(labels.max()) + 1 - number, 0)]:
            labels[labels == second] = first
        return labels


def _modularity(joint: Floats) -> float:
    """Return the share of neighbours in the same group, less that expected by chance."""
    return float(np.trace(joint) - np.square(joint.sum(axis=1)).sum())


def _sample_neighbours(problem: MixtureProblem) -> tuple[Ints, Ints]:
    """Draw documents, and find for each the documents of the sample that are nearest to it."""
    filled = np.flatnonzero(problem.filled)
    documents = np.sort(np.random.default_rng(0).permutation(filled)[:N_SAMPLED])
    count = max(1, min(N_NEIGHBOURS, int(MAX_NEIGHBOUR_SHARE * len(documents))))
    cosines = problem.unit[documents] @ problem.unit[documents].T
    np.fill_diagonal(cosines, -np.inf)
    return documents, documents[np.argpartition(-cosines, count - 1, axis=1)[:, :count]]


def _mean_scores(runs: Sequence[MergedGroups]) -> dict[int, float]:
    """Return the mean score of every number that all runs reached."""
    shared = sorted(set.intersection(*(set(run.scores) for run in runs)))
    return {number: float(np.mean([run.scores[number] for run in runs])) for number in shared}


def _best_number(scores: dict[int, float]) -> int:
    """Return the number with the highest score, the smallest of equal ones."""
    return max(scores, key=lambda number: (round(scores[number], 6), -number))


def _conclude(runs: Sequence[MergedGroups], least: int, most: int) -> Suggestion:
    """Choose among the numbers from `least` to `most`, and say why."""
    scores = _mean_scores(runs)
    curve = tuple((number, round(score, 6)) for number, score in scores.items())
    best = _best_number(scores)
    agreement = _agreement(runs, best)
    if agreement < MIN_AGREEMENT:
        number = max(LEAST, least)
        reason = "two runs do not find the same groups at any number, so this is the smallest one"
        return Suggestion(number, False, (Plausible(number, reason),), curve)
    if (number := min(max(best, least), most)) != best:
        bound = "smallest" if best < least else "largest"
        reason = f"the {bound} number allowed; without this bound {best} groups"
        return Suggestion(number, False, (Plausible(number, reason),), curve)
    near = [number for number, score in scores.items() if score >= NEAR_BEST * scores[best]]
    reasons = {
        min(near): "the fewest groups that are nearly as separate",
        max(near): "the most groups that are nearly as separate",
        best: "the most separate groups: similar documents share one most often, compared with chance",
    }
    is_clear = min(near) >= CLEAR_SHARE * best and agreement >= CLEAR_AGREEMENT
    numbers = [best] if is_clear else [number for number in sorted(reasons) if least <= number <= most]
    plausible = [
        Plausible(number, f"{reasons[number]}; two runs agree by {_agreement(runs, number):.0%}")
        for number in numbers
    ]
    return Suggestion(best, is_clear, tuple(plausible), curve)


def _agreement(runs: Sequence[MergedGroups], number: int) -> float:
    """Return how far the first two runs agree beyond chance when so many groups are left."""
    return float(adjusted_rand_score(*(run.groups(number) for run in runs[:2])))
