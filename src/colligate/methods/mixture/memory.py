"""What follows from a state and is wanted again: terms of its trust, the position of its memberships."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.faces import one_hot
from colligate.methods.mixture.calm import USUAL, temperature
from colligate.methods.mixture.consensus import stability
from colligate.methods.mixture.others import other_labels
from colligate.methods.mixture.position import Position, evaluated, pulled
from colligate.methods.mixture.terms import Terms, make_terms
from colligate.methods.mixture.ties import Ties, linked_parts, make_ties
from colligate.methods.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.mixture.start import Start
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


@dataclass(eq=False)
class Memory:
    """Keeps the last two positions: a sweep begins where one ended. Arrays of a state are never changed."""

    problem: MixtureProblem
    _terms: tuple[Floats, Terms] | None = None
    _positions: deque[Position] = field(default_factory=lambda: deque(maxlen=2))

    @classmethod
    def of(cls, problem: MixtureProblem) -> Memory:
        """That of a problem."""
        if not problem.memory:
            problem.memory.append(cls(problem))
        found: Memory = problem.memory[0]
        return found

    def terms(self, state: State) -> tuple[Terms, Ties | None]:
        """What knowledge adds at the trust of a state."""
        trust = state.numbers["trust"]
        if self._terms is None or self._terms[0] is not trust:
            self._terms = (trust, make_terms(self.problem, trust, float(state.numbers["faith"])))
        ties = state.numbers.get("ties")
        return self._terms[1], None if ties is None else Ties(state.numbers["tied"], ties)

    def position(self, state: State) -> Position:
        """Tables and objective of a state."""
        q = state.numbers["memberships"]
        for known in self._positions:
            if known.memberships is q:
                return known
        found = evaluated(self.problem, self.terms(state)[0], q, self.terms(state)[1])
        self._positions.append(found)
        return found

    def first(self, start: Start) -> State:
        """The state of a start."""
        problem, centre = self.problem, self.problem.network.centre
        size = len(problem.given.types[centre])
        numbers: dict[str, NDArray[np.generic]] = {
            "memberships": start.memberships,
            "trust": start.trust,
            "faith": np.array(start.faith),
            "judged": start.judged,
            "runs": np.array([run[:size] for run in start.runs], dtype=np.int32).reshape(-1, size),
        }
        if problem.outside is not None:
            numbers[f"inside/{centre}"] = np.array([size, problem.n_inside])
        untied = State({}, numbers)
        if any(True for _ in linked_parts(problem)):
            ties = make_ties(problem, evaluated(problem, self.terms(untied)[0], start.memberships))
            numbers |= {"tied": ties.columns, "ties": ties.counts}
        return self.following(State({}, numbers), start.memberships)

    def following(self, state: State, memberships: Floats) -> State:
        """The state with other memberships, and the labels that follow from them."""
        found = State(state.labels, {**state.numbers, "memberships": memberships})
        terms, _ = self.terms(found)
        placed = self.problem.filled | (terms.firm >= 0)
        if terms.links is not None:
            # a document without words follows those it is linked to
            placed |= terms.links.split(placed[:, None].astype(np.float64))[0][:, 0] > 0
        labels = np.where(placed, memberships.argmax(axis=1), -1).astype(np.int32)
        others = other_labels(self.problem, self.position(found))
        return State({self.problem.network.centre: labels, **others}, found.numbers)

    def association(self, state: State) -> dict[str, Floats]:
        """The mass between the groups of documents and those of what they have, relation by relation."""
        problem, found = self.problem, {}
        inside = problem.n_inside
        for relation in problem.network.relations:
            rows, columns = (
                _inside(state.labels[kind], inside) for kind in (relation.rows, relation.columns)
            )
            table = np.asarray(
                (one_hot(rows, inside).T @ relation.matrix @ one_hot(columns, inside)).todense()
            )
            found[relation.name] = table / max(table.sum(), 1e-300)
        return found

    def statement_costs(self, state: State, n_statements: int) -> Floats:
        """What the broken links of each statement cost."""
        costs = np.zeros(n_statements)
        terms, _ = self.terms(state)
        if terms.links is None:
            return costs
        labels = state.labels[self.problem.network.centre]
        pairs, root = terms.links.pairs, np.sqrt(terms.weight)
        same = (labels[pairs.left] == labels[pairs.right]) & (labels[pairs.left] >= 0)
        broken = np.where(pairs.sign > 0, ~same, same)
        own = pairs.strength * root[pairs.left] * root[pairs.right]
        np.add.at(costs, pairs.statement[broken], own[broken])
        return costs / max(self.problem.n_documents, 1)

    def temperature(self, state: State) -> float:
        """What scores are divided by, so that memberships are as sure as the runs agree."""
        stable = self.stability(state)
        if stable is None:
            return USUAL
        placed = np.flatnonzero(~np.isnan(stable))
        scores = pulled(self.terms(state)[0], self.position(state))
        return temperature(scores[placed], stable[placed])

    def stability(self, state: State) -> NDArray[np.float32] | None:
        """The share of the runs that put each document in its group; None if there was but one."""
        runs = state.numbers["runs"]
        if len(runs) < 2:
            return None
        labels = state.labels[self.problem.network.centre][: runs.shape[1]]
        return stability(list(runs), labels, self.problem.n_groups)

    def accounts(self, state: State) -> dict[str, NDArray[np.generic]]:
        """How stable documents are over the runs, and how far statements are trusted."""
        stable = self.stability(state)
        # below 0 where nothing can be said of a document or a statement
        found: dict[str, NDArray[np.generic]] = {}
        if stable is not None:
            found["stability"] = np.nan_to_num(stable, nan=-1.0)
            found["n_runs"] = np.array(len(state.numbers["runs"]))
        if state.numbers["judged"].any():
            found["trust"] = np.where(state.numbers["judged"], state.numbers["trust"], -1.0)
        return found


def _inside(labels: Labels, n_inside: int) -> Labels:
    return np.where(labels < n_inside, labels, -1).astype(np.int32)
