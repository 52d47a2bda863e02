"""What follows from a state and is wanted again: terms of its trust, the position of its memberships.

What is kept of a fit for new documents: the same scores without links, labels and given embeddings.

The groups of words and other objects: each is in the group of documents that uses it most for its size.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate._array import one_hot
from colligate.methods.loop import State
from colligate.methods.mixture.calibration import USUAL, temperature
from colligate.methods.mixture.em import Position, evaluated, pulled
from colligate.methods.mixture.ensemble import stability
from colligate.methods.mixture.features import Scale, Space
from colligate.methods.mixture.priors import (
    VOTE,
    Expert,
    Terms,
    Ties,
    counted,
    linked_parts,
    make_terms,
    make_ties,
    present,
)
from colligate.methods.schema import related_types
from colligate.network import list_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.mixture.ensemble import Start
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Arrays = dict[str, NDArray[Any]]

TINY = 1e-300


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
        size = len(problem.user_network.types[centre])
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
            placed |= terms.links.gain_and_loss(placed[:, None].astype(np.float64))[0][:, 0] > 0
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
            found["n_ensemble"] = np.array(len(state.numbers["runs"]))
        if state.numbers["judged"].any():
            found["trust"] = np.where(state.numbers["judged"], state.numbers["trust"], -1.0)
        return found


def _inside(labels: Labels, n_inside: int) -> Labels:
    return np.where(labels < n_inside, labels, -1).astype(np.int32)


def model_of(problem: MixtureProblem, terms: Terms, at: Position, trust: Floats) -> Arrays:
    """The arrays: columns × groups of lifts and leanings, directions × groups of slopes, and the scales."""
    assert problem.scale is not None
    assert problem.space is not None
    found: Arrays = {
        "lifts": at.lifts,
        "basis": problem.space.basis,
        "slope": problem.views[0].concentration * at.centres[0],
        "offset": at.log_share,
        "idf": problem.scale.idf,
        "bounds": problem.scale.bounds,
        "exponent": problem.scale.exponent,
        "weight": problem.scale.weight,
        "concentrations": np.array([view.concentration for view in problem.views]),
    }
    if terms.expert is not None:
        found |= {f"taught_{name}": np.asarray(value) for name, value in vars(terms.expert).items()}
    leanings = _leanings(problem, trust)
    return found if leanings is None else {**found, "leanings": leanings}


def _leanings(problem: MixtureProblem, trust: Floats) -> Floats | None:
    """How much every column leans to every group; None if no column does."""
    from colligate.network import list_parts

    assert problem.scale is not None
    found = np.zeros((len(problem.scale.idf), problem.n_groups))
    for part in list_parts(problem.network, problem.network.centre):
        for leaning in problem.names.leanings:
            if leaning.kind == part.other != problem.network.centre:
                groups = problem.group_of_name[leaning.name]
                own = leaning.strength * counted(leaning, trust)
                np.add.at(found, (part.start + leaning.member, groups), own)
    return found if found.any() else None


def scores_of(model: Mapping[str, NDArray[Any]], matrix: csr_array) -> Floats:
    """The scores of documents in every group, in nats."""
    scale, space = _scales(model)
    evidence = scale.evidence(matrix)
    found = np.asarray(evidence @ model["lifts"])
    unit = _unit(space.placed(matrix))
    found += unit @ model["slope"]
    if "taught_slope" in model:
        found += _expert(model).nats(unit, found.shape[1])
    if "leanings" in model:
        votes = np.asarray(present(matrix) @ model["leanings"])
        found += VOTE * np.asarray(evidence.sum(axis=1))[:, None] * np.log1p(votes)
    return np.asarray((found + model["offset"]) / model["temperature"])


def evidence_of(
    model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
) -> Floats:
    """What each entry of one document adds to its scores."""
    scale, space = _scales(model)
    row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
    evidence = scale.evidence(row).data
    found = evidence[:, None] * model["lifts"][columns]
    lengths = _lengths(space, row)
    along = lengths[:, None] * space.basis[columns]
    found += along @ model["slope"]
    if "taught_slope" in model:
        expert = _expert(model)
        slope = expert.faith * (expert.slope - expert.slope.mean(axis=1, keepdims=True))
        best = int((along.sum(axis=0) @ expert.slope + expert.offset).argmax())
        own = np.zeros_like(found)
        # groups without labels have what the best of those with labels has, see `Expert.nats`
        own[:, : expert.n_inside] = along @ slope[:, [best]]
        own[:, expert.groups] = along @ slope
        found += own
    if "leanings" in model:
        votes = model["leanings"][columns]
        total = votes.sum(axis=0)
        found += VOTE * evidence.sum() * votes * (np.log1p(total) / np.maximum(total, 1e-300))
    return np.asarray(found / model["temperature"])


def _expert(model: Mapping[str, NDArray[Any]]) -> Expert:
    groups, slope, offset = (model[f"taught_{name}"] for name in ("groups", "slope", "offset"))
    return Expert(groups, slope, offset, float(model["taught_faith"]), int(model["taught_n_inside"]))


def _lengths(space: Space, row: csr_array) -> Floats:
    """What each entry of a document's tf-idf is in units of the length of its direction."""
    from colligate.methods.spherical import tfidf

    length = float(np.sqrt(np.square(space.placed(row)).sum()))
    return np.asarray(tfidf(row, space.idf).data / max(length, 1e-300))


def _scales(model: Mapping[str, NDArray[Any]]) -> tuple[Scale, Space]:
    scale = Scale(model["idf"], model["bounds"], model["exponent"], model["weight"])
    return scale, Space(model["idf"], model["basis"])


def _unit(rows: Floats) -> Floats:
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(length > 0, length, 1.0))


def other_scores(problem: MixtureProblem, at: Position) -> dict[str, Floats]:
    """For every other type in a relation, log lifts in the groups inside.

    A type that documents have is read off the tables; one farther away has the mean of its neighbours.
    """
    network, inside = problem.network, problem.n_inside
    found: dict[str, Floats] = {}
    for part in list_parts(network, network.centre):
        if part.other != network.centre:
            own = at.lifts[part.start : part.stop, :inside]
            found[part.other] = found[part.other] + own if part.other in found else own.copy()
    left = [kind for kind in related_types(network) if kind not in found and kind != network.centre]
    while left:
        reached = {kind: scores for kind in left if (scores := _farther(problem, kind, found)) is not None}
        if not reached:
            break
        found |= reached
        left = [kind for kind in left if kind not in reached]
    return found


def _farther(problem: MixtureProblem, kind: str, found: dict[str, Floats]) -> Floats | None:
    sums, mass = None, np.zeros(len(problem.network.types[kind]))
    around = problem.network.neighbourhood(kind)
    for part in around.parts:
        if part.other in found and part.other != kind:
            matrix = around.cut(part)
            own = np.asarray(matrix @ found[part.other])
            sums = own if sums is None else sums + own
            mass += np.asarray(matrix.sum(axis=1)).ravel()
    return None if sums is None else np.asarray(sums / np.maximum(mass, TINY)[:, None])


def other_labels(problem: MixtureProblem, at: Position) -> dict[str, Labels]:
    """The group of every object; what knowledge names stays where it is said to belong."""
    found = {}
    for kind, scores in other_scores(problem, at).items():
        labels = np.where(problem.network.nonempty(kind), scores.argmax(axis=1), -1)
        for leaning in problem.names.leanings:
            if leaning.kind == kind:
                labels[leaning.member] = problem.group_of_name[leaning.name]
        found[kind] = labels.astype(np.int32)
    return found
