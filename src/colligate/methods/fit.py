"""One fit: can the clusters be filled, the loop with and without knowledge, and the result of it all.

What a caller may ask of one run beside the method's own parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from colligate.errors import NumericalError, ParameterError
from colligate.methods.checkpoint import Checkpoint, compute_fingerprint, serialise_parameters
from colligate.methods.guidance import CompiledKnowledge
from colligate.methods.loop import Outcome, Settings, optimise
from colligate.progress import Listener, ignore_events
from colligate.result import Result
from colligate.result.confidence import soft_memberships

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.methods.base import Method
    from colligate.methods.loop import Labels, Problem, State
    from colligate.network import Network


def check_sizes(method: Method, network: Network) -> None:
    """Refuse more clusters of a type than it has objects to fill them with.

    Types other than the centre may be empty throughout: then there is nothing of them to cluster.
    """
    for kind, n_clusters in method.sizes(network).items():
        present = int(network.nonempty(kind).sum())
        if n_clusters > present and (present or kind == network.centre):
            raise ParameterError(
                f"{n_clusters} clusters of {kind} are more than the n_samples={present} {kind} that are not "
                f"empty; ask {type(method).__name__} for fewer"
            )


def fit_result(
    method: Method, network: Network, asked: CompiledKnowledge, seed: int, options: RunOptions
) -> Result:
    """The result of a method on a network, and, if asked to compare, what it finds without knowledge."""
    with threadpool_limits(1):
        problem, outcome = _optimised(method, network, asked, seed, options)
        before = _without_knowledge(method, network, asked, outcome.seed, options)
        return _result(method, problem, outcome, asked, before)


def _optimised(
    method: Method, network: Network, asked: CompiledKnowledge, seed: int, options: RunOptions
) -> tuple[Problem, Outcome]:
    problem = method.problem(network, asked.guidance)
    settings = Settings(
        seed,
        method.n_init,
        method.max_iter,
        method.tol,
        options.listener,
        options.checkpoint_for(method, network, asked),
        options.cancelled,
    )
    return problem, optimise(method, problem, settings)


def _without_knowledge(
    method: Method, network: Network, asked: CompiledKnowledge, seed: int, options: RunOptions
) -> Mapping[str, Labels] | None:
    if not options.compare or not asked.guidance or method.needs:
        return None
    bare = CompiledKnowledge(None, {})
    _, outcome = _optimised(method, network, bare, seed, options.alone())
    return method.labels(outcome.best.state)


def _result(
    method: Method,
    problem: Problem,
    outcome: Outcome,
    asked: CompiledKnowledge,
    before: Mapping[str, Labels] | None,
) -> Result:
    state = outcome.best.state
    labels = method.labels(state)
    memberships = _memberships(method, problem, state)
    model = method.model(problem, state)
    _refuse_not_finite(method, {**model, **memberships})
    n_statements = 0 if asked.compiled is None else len(asked.compiled.statements)
    return Result(
        method=method.name,
        parameters=serialise_parameters(method),
        seed=outcome.seed,
        network=problem.user_network,
        corpus=problem.user_network.corpus,
        labels=labels,
        memberships=memberships,
        association=method.association(problem, state),
        history=outcome.best.history,
        n_iter=len(outcome.best.history) - 1,
        converged=outcome.best.converged,
        restarts=outcome.restarts,
        chosen=outcome.chosen,
        model=model,
        compiled=asked.compiled,
        statement_costs=method.statement_costs(problem, state, n_statements),
        before=before,
    )


def _memberships(method: Method, problem: Problem, state: State) -> dict[str, NDArray[np.float32]]:
    """Memberships from scores; those of the centre beyond its groups are of being outside.

    Other types have no outsiders, and categories may give them more groups than were asked for.
    """
    centre, scored, found = problem.user_network.centre, dict(method.train_scores(problem, state)), {}
    for kind, labels in method.labels(state).items():
        if kind in scored:
            inside = method.sizes(problem.user_network)[kind] if kind == centre else None
            own = np.ascontiguousarray(soft_memberships(scored.pop(kind))[:, :inside])
            own[labels < 0] = 0.0
            found[kind] = own
    return found


def _refuse_not_finite(method: Method, arrays: Mapping[str, NDArray[Any]]) -> None:
    for name, values in arrays.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise NumericalError(f"{name} of {method.name} is not finite; this is a defect, please report it")


@dataclass(frozen=True)
class RunOptions:
    """Who listens, where the run is kept while it goes, whether to stop, and whether to compare.

    With `compare`, the same method is run again without the knowledge, so that the result can say what the
    knowledge changed. A run goes on from `checkpoint` if that file is there,
    and leaves it there: whoever named it removes it once the result is safe.
    """

    listener: Listener = ignore_events
    checkpoint: Path | None = None
    checkpoint_interval: float = 1.0
    cancelled: Callable[[], bool] = bool
    compare: bool = False

    def checkpoint_for(self, method: Method, network: Network, asked: CompiledKnowledge) -> Checkpoint | None:
        """The checkpoint of one problem, known by what the problem is made of."""
        if self.checkpoint is None:
            return None
        return Checkpoint(
            self.checkpoint, compute_fingerprint(method, network, asked), self.checkpoint_interval
        )

    def alone(self) -> RunOptions:
        """The same without a checkpoint, for the run without knowledge."""
        return replace(self, checkpoint=None)
