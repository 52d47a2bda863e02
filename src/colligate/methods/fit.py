"""One fit: run the loop with and without knowledge, and build the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from colligate._array import softmax_rows
from colligate._machine import read_memory
from colligate.errors import NumericalError, ParameterError
from colligate.kernels.arrays import refuse_full_device
from colligate.methods.checkpoint import Checkpoint, compute_fingerprint, serialise_parameters
from colligate.methods.guidance import CompiledKnowledge
from colligate.methods.loop import Outcome, Settings, optimise
from colligate.progress import Event, Listener, ignore_events, reporting_to
from colligate.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.corpus.duplicates import Duplicates
    from colligate.methods.base import Method
    from colligate.methods.loop import Labels, Problem, State
    from colligate.network import Network


MEMBERSHIP_BYTES = 12
"""Of an object and a group in the result: a score in double precision, and a membership in single."""


@dataclass(frozen=True)
class RunOptions:
    """Options of one run that are no parameters of the method.

    Parameters
    ----------
    listener : callable
        Receives progress events.
    checkpoint : Path or None
        A file to save the run in. If it exists, the run resumes from it. It is not deleted at the end: the
        caller deletes it once the result is stored.
    checkpoint_interval : float
        The least seconds between two saves.
    cancelled : callable
        Returns True when the run should stop.
    compare : bool
        Whether to run the method again without the knowledge, so that the result shows what it changed.
    fold_duplicates : bool or Duplicates
        Whether documents that are copies of each other count once. The copies get the group of their
        original, and what is known about them counts for it. Pass what `Corpus.duplicates` returns to fold
        by another threshold.
    fit_part : int, float or None
        Fit on a random part of the documents, of so many or of this share of them, and place all others as
        `predict` does. `labels_` has the groups of all documents, `result_` is that of the part. Documents
        that the knowledge names are always in the part.
    """

    listener: Listener = ignore_events
    checkpoint: Path | None = None
    checkpoint_interval: float = 1.0
    cancelled: Callable[[], bool] = bool
    compare: bool = False
    fold_duplicates: bool | Duplicates = False
    fit_part: int | float | None = None

    def checkpoint_for(
        self, method: Method, network: Network, knowledge: CompiledKnowledge
    ) -> Checkpoint | None:
        """Return the checkpoint of one problem, if any; its fingerprint identifies the problem."""
        if self.checkpoint is None:
            return None
        fingerprint = compute_fingerprint(method, network, knowledge)
        return Checkpoint(self.checkpoint, fingerprint, self.checkpoint_interval)


def check_sizes(method: Method, network: Network) -> None:
    """Refuse more clusters of a type than it has nonempty objects, or than fit into memory.

    Types other than the centre may be empty throughout: they have nothing to cluster.
    """
    memory = read_memory().total
    for kind, n_clusters in method.n_clusters_by_type(network).items():
        n_filled = int(network.nonempty(kind).sum())
        if n_clusters > n_filled and (n_filled or kind == network.centre):
            # scikit-learn's checks want the words "one sample" here
            nonempty = "one sample is" if n_filled == 1 else f"{n_filled} {kind} are"
            raise ParameterError(
                f"{type(method).__name__} cannot make {n_clusters} groups of {kind}, because only "
                f"{nonempty} not empty; choose fewer groups",
                parameter="n_clusters" if kind == network.centre else None,
            )
        needed = MEMBERSHIP_BYTES * len(network.types[kind]) * n_clusters
        if memory is not None and needed > memory:
            raise ParameterError(
                f"{type(method).__name__} cannot make {n_clusters} groups of {len(network.types[kind])} "
                f"{kind}: their memberships alone take {needed / 1e9:.1f} GB, and this machine has "
                f"{memory / 1e9:.1f} GB; choose fewer groups, and cluster large ones again",
                parameter="n_clusters" if kind == network.centre else None,
            )


def fit_result(
    method: Method, network: Network, knowledge: CompiledKnowledge, seed: int, options: RunOptions
) -> Result:
    """Run a method on a network, without knowledge as well if `options.compare` is set."""
    # one thread for the linear algebra: its sums, and so the labels, depend on the number of threads
    with threadpool_limits(1), refuse_full_device():
        problem, outcome = _run(method, network, knowledge, seed, options)
        before = None
        # a method that needs knowledge cannot run without it
        if options.compare and knowledge.guidance and not method.needs:
            # no checkpoint: the file belongs to the run with knowledge, and its fingerprint would not match
            bare, alone = CompiledKnowledge(None, {}), replace(options, checkpoint=None)
            # the seed that was used, drawn or resumed, so that the two runs differ in the knowledge alone
            _, without = _run(method, network, bare, outcome.seed, alone)
            before = method.labels(without.best.state)
        return _build_result(method, problem, outcome, knowledge, before)


def _run(
    method: Method, network: Network, knowledge: CompiledKnowledge, seed: int, options: RunOptions
) -> tuple[Problem, Outcome]:
    options.listener(Event("preparing", 0, 1))
    with reporting_to(options.listener):
        problem = method.problem(network, knowledge.guidance)
    options.listener(Event("preparing", 1, 1))
    settings = Settings(
        seed,
        method.n_init,
        method.max_iter,
        method.tol,
        options.listener,
        options.checkpoint_for(method, network, knowledge),
        options.cancelled,
    )
    return problem, optimise(method, problem, settings)


def _build_result(
    method: Method,
    problem: Problem,
    outcome: Outcome,
    knowledge: CompiledKnowledge,
    before: Mapping[str, Labels] | None,
) -> Result:
    state = outcome.best.state
    memberships = _memberships(method, problem, state)
    model = method.model(problem, state)
    _check_finite(method, {**model, **memberships})
    n_statements = 0 if knowledge.compiled is None else len(knowledge.compiled.statements)
    return Result(
        method=method.name,
        parameters=serialise_parameters(method),
        seed=outcome.seed,
        network=problem.user_network,
        corpus=problem.user_network.corpus,
        labels=method.labels(state),
        memberships=memberships,
        association=method.association(problem, state),
        history=outcome.best.history,
        n_iter=len(outcome.best.history) - 1,
        converged=outcome.best.converged,
        restarts=outcome.restarts,
        chosen=outcome.chosen,
        model=model,
        compiled=knowledge.compiled,
        statement_costs=method.statement_costs(problem, state, n_statements),
        named_groups=method.named_groups(problem, state),
        before=before,
    )


def _memberships(method: Method, problem: Problem, state: State) -> dict[str, NDArray[np.float32]]:
    """Turn scores into memberships.

    Columns of the centre beyond its groups are those of outsiders and are dropped. Other types have no
    outsiders, and categories may give them more groups than the parameter sets.
    """
    centre, scores = problem.user_network.centre, dict(method.train_scores(problem, state))
    memberships = {}
    for kind, labels in method.labels(state).items():
        if kind in scores:
            n_inside = method.n_clusters_by_type(problem.user_network)[kind] if kind == centre else None
            shares = np.ascontiguousarray(softmax_rows(scores.pop(kind))[:, :n_inside])
            shares[labels < 0] = 0.0
            memberships[kind] = shares
    return memberships


def _check_finite(method: Method, arrays: Mapping[str, NDArray[Any]]) -> None:
    for name, values in arrays.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise NumericalError(f"{name} of {method.name} is not finite; this is a defect, please report it")
