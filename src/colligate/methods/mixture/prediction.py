"""What follows from a state: labels, diagnostics, the groups of features, and the model for new documents."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from colligate._array import unit_columns
from colligate.corpus.encoders import list_sources
from colligate.kernels import SparseRows
from colligate.kernels.arrays import to_host
from colligate.methods.loop import State
from colligate.methods.mixture.calibration import add_doubt, calibrate_trust, fit_doubt
from colligate.methods.mixture.em import TINY, EMState, add_size_offsets, clamp, m_step, scores_with_links
from colligate.methods.mixture.features import TemperedTfidf
from colligate.methods.mixture.priors import (
    FeatureLinks,
    LabelClassifier,
    Priors,
    linked_parts,
    make_priors,
    presence,
    smooth_linked_features,
)
from colligate.methods.mixture.views import LatentSpace, centre_rows, join_directions
from colligate.methods.schema import related_types
from colligate.methods.sizes import assign_within_bounds
from colligate.methods.spherical import make_dense_directions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.mixture.ensemble import Start
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.spherical import Directions
    from colligate.network import Part

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
            priors = make_priors(
                self.problem, reliability, float(state.numbers["beta"]), state.numbers.get("linked_groups")
            )
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
        numbers: dict[str, NDArray[np.generic]] = {
            "resp": start.resp,
            "reliability": start.reliability,
            "beta": np.array(start.beta),
            "judged": start.judged,
        }
        if start.linked_groups is not None:
            numbers["linked_groups"] = start.linked_groups
        if start.agreement is not None:
            numbers["agreement"] = start.agreement
        if problem.outside is not None:
            numbers[f"inside/{centre}"] = np.array([n_documents, problem.n_inside])
        priors = self.priors(State({}, numbers))
        if problem.size_bounds is not None:
            logs = np.log(np.maximum(start.resp, TINY))
            bounded = softmax(add_size_offsets(problem, priors, logs, problem.size_bounds), axis=1)
            start = replace(start, resp=clamp(priors, bounded))
            numbers["resp"] = start.resp
        if any(True for _ in linked_parts(problem)):
            em_state = m_step(problem, priors, start.resp).on_host()
            links = smooth_linked_features(problem, em_state, start.implied_links)
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
        labels = np.where(placed, to_host(resp.argmax(axis=1)), -1).astype(np.int32)
        if self.problem.size_bounds is not None:
            cost = -np.log(np.maximum(to_host(resp)[placed], TINY))
            labels[placed] = assign_within_bounds(cost, self.problem.size_bounds)
        features = feature_labels(self.problem, em_state)
        return State({self.problem.network.centre: labels, **features}, {**state.numbers, "resp": resp})

    def association(self, state: State) -> dict[str, Floats]:
        """Compute the mass between the groups of both sides of every relation."""
        problem, n_inside = self.problem, self.problem.n_inside
        inside = {
            name: np.where(labels < n_inside, labels, -1).astype(np.int32)
            for name, labels in state.labels.items()
        }
        tables = {}
        for relation in problem.network.relations:
            # a type has no groups if all its relations to documents have the weight 0
            if not {relation.rows, relation.columns} <= inside.keys():
                continue
            sides = inside[relation.rows], inside[relation.columns]
            rows = SparseRows.of(relation.matrix)
            table = problem.kernels.block_sums(rows, *sides, n_inside, n_inside)
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

    def log_memberships(self, state: State) -> Floats:
        """Return the log of the memberships of documents (eq. 16), as words and knowledge say."""
        closed = self.problem.forbidden
        return add_doubt(self._tempered_scores(state), self.doubt(state), closed)

    def _tempered_scores(self, state: State) -> Floats:
        """Return the scores of documents with links, divided by the temperature."""
        problem, priors = self.problem, self.priors(state)
        scores = to_host(scores_with_links(priors, self.em_state(state)))
        scores = add_size_offsets(problem, priors, scores, problem.size_bounds)
        # memberships tell what words and knowledge say, not that a document was in a group before
        return np.asarray((scores - problem.init_scores()) / problem.temperature)

    def doubt(self, state: State) -> float:
        """Return the share of memberships that goes to all groups alike (eq. 16)."""
        agreement = self.agreement(state)
        if self.problem.doubt is not None:
            return self.problem.doubt
        if agreement is None:
            return self.problem.constants.default_doubt
        placed = np.flatnonzero(~np.isnan(agreement))
        return fit_doubt(self._tempered_scores(state)[placed], agreement[placed])

    def agreement(self, state: State) -> Floats | None:
        """Return how probable the group of each document is in the mean run; None without an ensemble.

        It is NaN for documents in no group.
        """
        posterior = state.numbers.get("agreement")
        if posterior is None:
            return None
        labels = state.labels[self.problem.network.centre]
        of_group = posterior[np.arange(len(labels)), np.maximum(labels, 0)].astype(np.float64)
        return np.where(labels >= 0, of_group, np.nan)

    def diagnostics(self, state: State) -> Arrays:
        """Return the agreement of the runs on documents and the trust in statements, -1 where unknown."""
        diagnostics: Arrays = {}
        agreement = self.agreement(state)
        if agreement is not None:
            n_documents = len(self.problem.user_network.types[self.problem.network.centre])
            diagnostics["agreement"] = np.nan_to_num(agreement[:n_documents], nan=-1.0).astype(np.float32)
        judged = state.numbers["judged"][: self.problem.n_stated]
        if judged.any():
            scores = feature_scores(self.problem, self.em_state(state))
            typical_group = {type_name: of_type.argmax(axis=1) for type_name, of_type in scores.items()}
            trust = calibrate_trust(
                self.problem, state.numbers["reliability"], state.numbers["judged"], typical_group
            )
            # labels that names suggest come last; they are no statements
            diagnostics["trust"] = np.where(judged, trust[: len(judged)], -1.0)
        return diagnostics


# --- features and other objects ---


def feature_scores(problem: MixtureProblem, em_state: EMState) -> dict[str, Floats]:
    """Compute log(φ/m) in the groups inside for every type but documents.

    The objects of a relation that counts nothing have groups too, by the documents that have them. A type
    without a relation to documents gets the mean of its neighbours.
    """
    network, log_phi_ratio = problem.network, to_host(em_state.log_phi_ratio)
    scores: dict[str, Floats] = {}
    for part, weight in zip(problem.parts, problem.tfidf.weight, strict=True):
        if part.other != network.centre:
            log_ratio = log_phi_ratio[part.start : part.stop, : problem.n_inside]
            if weight == 0.0:
                log_ratio = _unweighted_ratio(problem, part, to_host(em_state.resp))
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


def _unweighted_ratio(problem: MixtureProblem, part: Part, resp: Floats) -> Floats:
    """Compute log(φ/m) of a relation at weight 1 (eq. 4), in the groups inside."""
    shares = problem.tfidf.shares(problem.counts)[0][:, part.start : part.stop]
    c = np.asarray(shares.T @ resp)
    m = c.sum(axis=1) / max(c.sum(), TINY)
    c += problem.smoothing * c.sum() / problem.n_groups * m[:, None]
    phi = c / np.maximum(c.sum(axis=0), TINY)  # eq. 4
    ratio = np.maximum(phi[:, : problem.n_inside], TINY) / np.where(m > 0, m, 1.0)[:, None]
    return np.where(m[:, None] > 0, np.log(ratio), 0.0)


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


# --- new documents: the scores of eq. 2 without links, labels and rows of embeddings ---


def model_arrays(problem: MixtureProblem, priors: Priors, em_state: EMState, reliability: Floats) -> Arrays:
    """Return the arrays that `predict_scores` and `feature_evidence` need."""
    model: Arrays = {
        "log_phi_ratio": to_host(em_state.log_phi_ratio),
        "log_pi": em_state.log_pi,
        "kappa": np.array([view.kappa for view in problem.views]),
        "kappa_mu": problem.views[0].kappa * em_state.mu[0],
        "basis": problem.space.basis,
        "idf": problem.tfidf.idf,
        "bounds": problem.tfidf.bounds,
        "eta": problem.tfidf.eta,
        "relation_weight": problem.tfidf.weight,
        "seed_scale": np.array(problem.constants.seed_scale),
        "calibration_clusters": np.array(problem.calibration_clusters),
        "temperature": np.array(problem.temperature),
    }
    for view, mu in zip(problem.views[1:], em_state.mu[1:], strict=True):
        if view.space is not None:
            model |= {f"words_{name}": np.asarray(value) for name, value in vars(view.space).items()}
            model |= {"words_kappa_mu": view.kappa * mu, "words_length": np.array(problem.view_length(view))}
    model |= _row_arrays(problem, priors, em_state)
    if priors.classifier is not None:
        model |= {f"classifier_{name}": np.asarray(value) for name, value in vars(priors.classifier).items()}
        model["classifier_slope"] = priors.classifier.slope[_rows_of_spaces(problem)]
    seeds = np.zeros((len(problem.tfidf.idf), problem.n_groups))
    for part in problem.parts:
        for entries in problem.named.entries:
            if entries.type_name == part.other != problem.network.centre:
                weight = entries.strength * entries.weights(reliability, problem.constants)
                groups = problem.group_of_name[entries.name]
                np.add.at(seeds, (part.start + entries.member, groups), weight)
    return {**model, "seeds": seeds} if seeds.any() else model


def _row_arrays(problem: MixtureProblem, priors: Priors, em_state: EMState) -> Arrays:
    """Return the arrays for vectors of new documents, those of each view under names of their own."""
    arrays: Arrays = {}
    ranges = _dimensions(problem)
    for number, view in enumerate(problem.views):
        if view.stored:
            key = f"rows{number}_"
            arrays |= {f"{key}{name}": np.asarray(value) for name, value in view.stored.items()}
            arrays[f"{key}kappa_mu"] = view.kappa * em_state.mu[number]
            arrays[f"{key}length"] = np.array(problem.view_length(view))
            if priors.classifier is not None:
                arrays[f"{key}slope"] = priors.classifier.slope[ranges[number]]
    return arrays


def _dimensions(problem: MixtureProblem) -> list[NDArray[np.int64]]:
    """List the dimensions of joint directions by view."""
    ends = np.cumsum([np.asarray(view.directions.unit).shape[1] for view in problem.views])
    return [np.arange(start, stop) for start, stop in pairwise([0, *ends.tolist()])]


def _rows_of_spaces(problem: MixtureProblem) -> NDArray[np.int64]:
    """List the dimensions of joint directions that all new documents have: tf-idf and word vectors."""
    ranges = _dimensions(problem)
    of_words = [
        rows for view, rows in zip(problem.views[1:], ranges[1:], strict=True) if view.space is not None
    ]
    # the model has the vectors of words once
    return np.concatenate([ranges[0], *of_words[-1:]])


def predict_scores(
    model: Mapping[str, NDArray[Any]], counts: csr_array, vectors: Mapping[str, Floats] | None = None
) -> Floats:
    """Compute the log of the memberships of new documents (eqs. 2 and 16).

    `vectors` has those of the documents by the beginnings of the names of the model's arrays.
    """
    y = _transformer(model).transform(counts)
    scores = np.asarray(y @ model["log_phi_ratio"])
    rows = {key: _row_directions(model, key, part) for key, part in (vectors or {}).items()}
    spaces = _spaces_beside(model, rows)
    for name, space in spaces.items():
        scores += space.unit(counts) @ model[f"{name}kappa_mu"]
    for key, part in rows.items():
        scores += np.asarray(part.unit) @ model[f"{key}kappa_mu"]
    if "classifier_slope" in model:
        unit = np.asarray(model_directions(model, counts, rows).unit)
        classifier = _classifier(model)
        n_dimensions = sum(space.basis.shape[1] for space in spaces.values())
        slope = np.vstack([classifier.slope[:n_dimensions], *(model[f"{key}slope"] for key in rows)])
        scores += replace(classifier, slope=slope).scores(unit, scores.shape[1])  # eq. 11
    if "seeds" in model:
        v = np.asarray(presence(counts) @ model["seeds"])
        scores += model["seed_scale"] * np.asarray(y.sum(axis=1))[:, None] * np.log1p(v)  # eq. 10
    tempered = np.asarray((scores + model["log_pi"]) / model["temperature"])
    # models of earlier versions have no doubt
    return add_doubt(tempered, float(model.get("doubt", 0.0)))


def sum_documents(model: Mapping[str, NDArray[Any]], counts: csr_array) -> Arrays:
    """Compute the responsibilities of new documents (eq. 3 without links), and the sums of eqs. 4 to 6.

    `c` is features × groups, `sizes` the documents of each group, and each latent space has the sums of the
    directions.
    """
    counts = csr_array(counts[np.flatnonzero(np.diff(counts.indptr))])
    # doubt and temperature belong to memberships, not to responsibilities
    scores = predict_scores({**model, "doubt": np.array(0.0)}, counts) * model["temperature"]
    resp = softmax(scores, axis=1)
    c = np.asarray(_transformer(model).transform(counts).T @ resp)
    directions = {f"{name}directions": space.unit(counts).T @ resp for name, space in _spaces(model).items()}
    return {"c": c, "sizes": resp.sum(axis=0), **directions}


def model_from_sums(
    model: Mapping[str, NDArray[Any]], sums: Mapping[str, NDArray[Any]], smoothing: float
) -> Arrays:
    """Compute the parameters that minimise F for sums over documents (eqs. 4 to 6)."""
    c, bounds = sums["c"], model["bounds"]
    total, n_groups = c.sum(axis=1), c.shape[1]
    log_phi_ratio = np.zeros_like(c)
    for start, stop in pairwise(bounds.tolist()):
        mass = total[start:stop].sum()
        m = total[start:stop] / max(mass, TINY)
        phi = c[start:stop] + (smoothing * mass / n_groups * m)[:, None]
        phi /= np.maximum(phi.sum(axis=0), TINY)  # eq. 4
        used = m > 0
        log_phi_ratio[start:stop][used] = np.log(np.maximum(phi[used], TINY) / m[used, None])
    updated = {**model, "log_phi_ratio": log_phi_ratio}
    updated["log_pi"] = np.log(np.maximum(sums["sizes"], TINY) / max(sums["sizes"].sum(), TINY))  # eq. 5
    for name in _spaces(model):
        # all columns of κ·μ have the length κ, but those of empty groups
        kappa = np.sqrt(np.square(model[f"{name}kappa_mu"]).sum(axis=0)).max(initial=0.0)
        updated[f"{name}kappa_mu"] = kappa * unit_columns(sums[f"{name}directions"])  # eq. 6
    return updated


def _row_directions(model: Mapping[str, NDArray[Any]], key: str, vectors: Floats) -> Directions:
    """Compute new documents as directions by their vectors."""
    return make_dense_directions(centre_rows(vectors, model[f"{key}mean"]), np.abs(vectors).sum(axis=1) > 0)


def model_directions(
    model: Mapping[str, NDArray[Any]], counts: csr_array, rows: Mapping[str, Directions] | None = None
) -> Directions:
    """Compute documents as directions: by their tf-idf, by word vectors, and by vectors of their own."""
    rows = dict(rows or {})
    parts = {name: space.directions(counts) for name, space in _spaces_beside(model, rows).items()} | rows
    return join_directions(list(parts.values()), [float(model.get(f"{name}length", 1.0)) for name in parts])


def feature_evidence(
    model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
) -> Floats:
    """Compute what each feature of one document adds to its scores, features × groups."""
    row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
    y = _transformer(model).transform(row).data
    evidence = y[:, None] * model["log_phi_ratio"][columns]
    parts = {name: space.feature_parts(row) for name, space in _spaces(model).items()}
    for name, direction in parts.items():
        evidence += direction @ model[f"{name}kappa_mu"]
    if "classifier_slope" in model:
        joint = np.hstack([model.get(f"{name}length", 1.0) * direction for name, direction in parts.items()])
        joint /= max(float(np.sqrt(np.square(joint.sum(axis=0)).sum())), TINY)
        evidence += _classifier_evidence(_classifier(model), joint, evidence.shape[1])
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


def _transformer(model: Mapping[str, NDArray[Any]]) -> TemperedTfidf:
    return TemperedTfidf(model["idf"], model["bounds"], model["eta"], model["relation_weight"])


def _spaces(model: Mapping[str, NDArray[Any]]) -> dict[str, LatentSpace]:
    """Return the latent spaces by the beginning of the names of their arrays."""
    basis = model["basis"]
    spaces = {"": LatentSpace(_transformer(model).weighted_idf, basis, np.zeros(basis.shape[1]))}
    if "words_basis" in model:
        arrays = (model[f"words_{name}"] for name in ("weight", "basis", "mean"))
        spaces["words_"] = LatentSpace(*arrays)
    return spaces


def _spaces_beside(
    model: Mapping[str, NDArray[Any]], rows: Mapping[str, Directions]
) -> dict[str, LatentSpace]:
    """Return the latent spaces without that of words if documents have vectors of their whole texts."""
    spaces = _spaces(model)
    if any(source.is_word_vectors for key, source in list_sources(model) if key in rows):
        del spaces["words_"]
    return spaces
