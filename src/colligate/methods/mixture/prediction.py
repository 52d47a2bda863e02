"""What follows from a state: labels, diagnostics, the groups of features, and the model for new documents."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from colligate._array import one_hot
from colligate.methods.loop import State
from colligate.methods.mixture.calibration import calibrate_trust, fit_temperature
from colligate.methods.mixture.em import TINY, EMState, add_size_offsets, clamp, m_step, scores_with_links
from colligate.methods.mixture.ensemble import document_stability
from colligate.methods.mixture.features import LatentSpace, TemperedTfidf
from colligate.methods.mixture.priors import (
    FeatureLinks,
    LabelClassifier,
    Priors,
    linked_parts,
    make_priors,
    presence,
    smooth_linked_features,
)
from colligate.methods.schema import related_types
from colligate.methods.sizes import assign_within_bounds
from colligate.methods.spherical import tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.mixture.ensemble import Start
    from colligate.methods.mixture.problem import MixtureProblem

    Floats = NDArray[np.float64]
    Arrays = dict[str, NDArray[Any]]


@dataclass(eq=False)
class StateCache:
    """Keeps the priors and the last two EM states of a problem, so that nothing is computed twice.

    A `State` of the loop contains only arrays; they are never changed, and are looked up by identity.
    """

    problem: MixtureProblem
    _priors: tuple[Floats, Priors] | None = None
    _em_states: deque[EMState] = field(default_factory=lambda: deque(maxlen=2))

    @classmethod
    def of(cls, problem: MixtureProblem) -> StateCache:
        """Return the cache of a problem."""
        if not problem.cache:
            problem.cache.append(cls(problem))
        cache: StateCache = problem.cache[0]
        return cache

    def priors(self, state: State) -> Priors:
        """Return the terms of knowledge at the reliability and β of a state."""
        reliability = state.numbers["reliability"]
        if self._priors is None or self._priors[0] is not reliability:
            priors = make_priors(self.problem, reliability, float(state.numbers["beta"]))
            self._priors = (reliability, priors)
        return self._priors[1]

    def em_state(self, state: State) -> EMState:
        """Return parameters, scores and F of a state."""
        resp = state.numbers["resp"]
        for em_state in self._em_states:
            if em_state.resp is resp:
                return em_state
        em_state = m_step(self.problem, self.priors(state), resp, self.feature_links(state))
        self._em_states.append(em_state)
        return em_state

    @staticmethod
    def feature_links(state: State) -> FeatureLinks | None:
        """Return ψ′, the further counts of linked features; None if there are none."""
        counts = state.numbers.get("feature_link_counts")
        return None if counts is None else FeatureLinks(state.numbers["feature_link_columns"], counts)

    def first_state(self, start: Start) -> State:
        """Return the state of a start."""
        problem, centre = self.problem, self.problem.network.centre
        n_documents = len(problem.user_network.types[centre])
        runs = np.array([labels[:n_documents] for labels in start.runs], dtype=np.int32)
        numbers: dict[str, NDArray[np.generic]] = {
            "resp": start.resp,
            "reliability": start.reliability,
            "beta": np.array(start.beta),
            "judged": start.judged,
            "runs": runs.reshape(-1, n_documents),
        }
        if problem.outside is not None:
            numbers[f"inside/{centre}"] = np.array([n_documents, problem.n_inside])
        priors = self.priors(State({}, numbers))
        if problem.size_bounds is not None:
            logs = np.log(np.maximum(start.resp, TINY))
            bounded = softmax(add_size_offsets(problem, priors, logs, problem.size_bounds), axis=1)
            start = replace(start, resp=clamp(priors, bounded))
            numbers["resp"] = start.resp
        if any(True for _ in linked_parts(problem)):
            links = smooth_linked_features(problem, m_step(problem, priors, start.resp), start.implied_links)
            numbers |= {"feature_link_columns": links.columns, "feature_link_counts": links.counts}
        state = State({}, numbers)
        return self.next_state(state, self.em_state(state))

    def next_state(self, state: State, em_state: EMState) -> State:
        """Return the state with other responsibilities, and the labels that follow from them."""
        if em_state not in self._em_states:
            self._em_states.append(em_state)
        priors, resp = self.priors(state), em_state.resp
        placed = self.problem.filled | (priors.clamped >= 0)
        if priors.links is not None:
            # a document without features follows the documents that it is linked to
            placed |= priors.links.gain_and_loss(placed[:, None].astype(np.float64))[0][:, 0] > 0
        labels = np.where(placed, resp.argmax(axis=1), -1).astype(np.int32)
        if self.problem.size_bounds is not None:
            cost = -np.log(np.maximum(resp[placed], TINY))
            labels[placed] = assign_within_bounds(cost, self.problem.size_bounds)
        features = feature_labels(self.problem, em_state)
        return State({self.problem.network.centre: labels, **features}, {**state.numbers, "resp": resp})

    def association(self, state: State) -> dict[str, Floats]:
        """Compute the mass between the groups of both sides of every relation."""
        problem, n_inside = self.problem, self.problem.n_inside
        inside = {
            name: one_hot(np.where(labels < n_inside, labels, -1).astype(np.int32), n_inside)
            for name, labels in state.labels.items()
        }
        tables = {}
        for relation in problem.network.relations:
            mass = inside[relation.rows].T @ relation.matrix @ inside[relation.columns]
            table = np.asarray(mass.todense())
            tables[relation.name] = table / max(table.sum(), TINY)
        return tables

    def statement_costs(self, state: State, n_statements: int) -> Floats:
        """Compute what the broken links of each statement cost, in nats per document."""
        costs, priors = np.zeros(n_statements), self.priors(state)
        if priors.links is None:
            return costs
        labels = state.labels[self.problem.network.centre]
        pairs, root = priors.links.pairs, np.sqrt(priors.lam)
        same = (labels[pairs.left] == labels[pairs.right]) & (labels[pairs.left] >= 0)
        broken = np.where(pairs.sign > 0, ~same, same)
        # the weight of a pair in the last sum of eq. 1
        nats = pairs.strength * root[pairs.left] * root[pairs.right]
        np.add.at(costs, pairs.statement[broken], nats[broken])
        return costs / max(self.problem.n_documents, 1)

    def temperature(self, state: State) -> float:
        """Return the temperature that scores are divided by (eq. 16)."""
        constants, stability = self.problem.constants, self.stability(state)
        if self.problem.temperature is not None:
            return self.problem.temperature
        if stability is None:
            return constants.default_temperature
        placed = np.flatnonzero(~np.isnan(stability))
        scores = scores_with_links(self.priors(state), self.em_state(state))
        return fit_temperature(scores[placed], stability[placed], constants)

    def stability(self, state: State) -> NDArray[np.float32] | None:
        """Return the share of runs that put each document in its group; None if there was one run at most."""
        runs = state.numbers["runs"]
        if len(runs) < 2:
            return None
        labels = state.labels[self.problem.network.centre][: runs.shape[1]]
        return document_stability(list(runs), labels, self.problem.n_groups)

    def diagnostics(self, state: State) -> Arrays:
        """Return the stability of documents and the trust in statements, -1 where unknown."""
        diagnostics: Arrays = {}
        stability = self.stability(state)
        if stability is not None:
            diagnostics["stability"] = np.nan_to_num(stability, nan=-1.0)
            diagnostics["n_ensemble"] = np.array(len(state.numbers["runs"]))
        if state.numbers["judged"].any():
            scores = feature_scores(self.problem, self.em_state(state))
            typical_group = {type_name: of_type.argmax(axis=1) for type_name, of_type in scores.items()}
            trust = calibrate_trust(
                self.problem, state.numbers["reliability"], state.numbers["judged"], typical_group
            )
            diagnostics["trust"] = np.where(state.numbers["judged"], trust, -1.0)
        return diagnostics


# --- features and other objects ---


def feature_scores(problem: MixtureProblem, em_state: EMState) -> dict[str, Floats]:
    """Compute log(φ/m) in the groups inside for every type but documents.

    A type without a relation to documents gets the mean of its neighbours.
    """
    network = problem.network
    scores: dict[str, Floats] = {}
    for part in problem.parts:
        if part.other != network.centre:
            log_ratio = em_state.log_phi_ratio[part.start : part.stop, : problem.n_inside]
            scores[part.other] = scores[part.other] + log_ratio if part.other in scores else log_ratio.copy()
    left = [name for name in related_types(network) if name not in scores and name != network.centre]
    while left:
        means = {name: _neighbour_mean(problem, name, scores) for name in left}
        reached = {name: mean for name, mean in means.items() if mean is not None}
        if not reached:
            break
        scores |= reached
        left = [name for name in left if name not in reached]
    return scores


def _neighbour_mean(problem: MixtureProblem, type_name: str, scores: dict[str, Floats]) -> Floats | None:
    """Average the scores of the neighbours of every object; None if no type beside it has scores."""
    sums, mass = None, np.zeros(len(problem.network.types[type_name]))
    around = problem.network.neighbourhood(type_name)
    for part in around.parts:
        if part.other in scores and part.other != type_name:
            matrix = around.cut(part)
            of_part = np.asarray(matrix @ scores[part.other])
            sums = of_part if sums is None else sums + of_part
            mass += np.asarray(matrix.sum(axis=1)).ravel()
    return None if sums is None else np.asarray(sums / np.maximum(mass, TINY)[:, None])


def feature_labels(problem: MixtureProblem, em_state: EMState) -> dict[str, Labels]:
    """Label every object but documents with its best group; named objects keep the group of their name."""
    labels = {}
    for type_name, scores in feature_scores(problem, em_state).items():
        best = np.where(problem.network.nonempty(type_name), scores.argmax(axis=1), -1)
        for entries in problem.named.entries:
            if entries.type_name == type_name:
                best[entries.member] = problem.group_of_name[entries.name]
        labels[type_name] = best.astype(np.int32)
    return labels


# --- new documents: the scores of eq. 2 without links, labels and embeddings ---


def model_arrays(problem: MixtureProblem, priors: Priors, em_state: EMState, reliability: Floats) -> Arrays:
    """Return the arrays that `predict_scores` and `feature_evidence` need."""
    model: Arrays = {
        "log_phi_ratio": em_state.log_phi_ratio,
        "log_pi": em_state.log_pi,
        "kappa": np.array([view.kappa for view in problem.views]),
        "kappa_mu": problem.views[0].kappa * em_state.mu[0],
        "basis": problem.space.basis,
        "idf": problem.tfidf.idf,
        "bounds": problem.tfidf.bounds,
        "eta": problem.tfidf.eta,
        "relation_weight": problem.tfidf.weight,
        "seed_scale": np.array(problem.constants.seed_scale),
    }
    if priors.classifier is not None:
        model |= {f"classifier_{name}": np.asarray(value) for name, value in vars(priors.classifier).items()}
    seeds = np.zeros((len(problem.tfidf.idf), problem.n_groups))
    for part in problem.parts:
        for entries in problem.named.entries:
            if entries.type_name == part.other != problem.network.centre:
                weight = entries.strength * entries.weights(reliability, problem.constants)
                groups = problem.group_of_name[entries.name]
                np.add.at(seeds, (part.start + entries.member, groups), weight)
    return {**model, "seeds": seeds} if seeds.any() else model


def predict_scores(model: Mapping[str, NDArray[Any]], counts: csr_array) -> Floats:
    """Compute the scores of new documents (eq. 2), divided by the temperature."""
    transformer, space = _feature_spaces(model)
    y = transformer.transform(counts)
    scores = np.asarray(y @ model["log_phi_ratio"])
    projected = space.project(counts)
    length = np.sqrt(np.square(projected).sum(axis=1, keepdims=True))
    unit = np.asarray(projected / np.where(length > 0, length, 1.0))
    scores += unit @ model["kappa_mu"]
    if "classifier_slope" in model:
        scores += _classifier(model).scores(unit, scores.shape[1])  # eq. 11
    if "seeds" in model:
        v = np.asarray(presence(counts) @ model["seeds"])
        scores += model["seed_scale"] * np.asarray(y.sum(axis=1))[:, None] * np.log1p(v)  # eq. 10
    return np.asarray((scores + model["log_pi"]) / model["temperature"])


def feature_evidence(
    model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
) -> Floats:
    """Compute what each feature of one document adds to its scores, features × groups."""
    transformer, space = _feature_spaces(model)
    row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
    y = transformer.transform(row).data
    evidence = y[:, None] * model["log_phi_ratio"][columns]
    length = float(np.sqrt(np.square(space.project(row)).sum()))
    # the projection is linear, so the direction of the document is the sum over its features
    share = np.asarray(tfidf(row, space.idf).data / max(length, TINY))
    direction = share[:, None] * space.basis[columns]
    evidence += direction @ model["kappa_mu"]
    if "classifier_slope" in model:
        evidence += _classifier_evidence(_classifier(model), direction, evidence.shape[1])
    if "seeds" in model:
        v = model["seeds"][columns]
        total = v.sum(axis=0)
        # log(1 + v) of the document, divided among its features by their part of v
        evidence += model["seed_scale"] * y.sum() * v * (np.log1p(total) / np.maximum(total, TINY))
    return np.asarray(evidence / model["temperature"])


def _classifier_evidence(classifier: LabelClassifier, direction: Floats, n_groups: int) -> Floats:
    """Compute what each feature adds by the classifier; groups without labels follow the best with labels."""
    slope = classifier.beta * (classifier.slope - classifier.slope.mean(axis=1, keepdims=True))
    best = int((direction.sum(axis=0) @ classifier.slope + classifier.offset).argmax())
    evidence = np.zeros((len(direction), n_groups))
    evidence[:, : classifier.n_inside] = direction @ slope[:, [best]]
    evidence[:, classifier.groups] = direction @ slope
    return evidence


def _classifier(model: Mapping[str, NDArray[Any]]) -> LabelClassifier:
    groups, slope, offset = (model[f"classifier_{name}"] for name in ("groups", "slope", "offset"))
    beta, n_inside = float(model["classifier_beta"]), int(model["classifier_n_inside"])
    return LabelClassifier(groups, slope, offset, beta, n_inside)


def _feature_spaces(model: Mapping[str, NDArray[Any]]) -> tuple[TemperedTfidf, LatentSpace]:
    transformer = TemperedTfidf(model["idf"], model["bounds"], model["eta"], model["relation_weight"])
    return transformer, LatentSpace(transformer.weighted_idf, model["basis"])
