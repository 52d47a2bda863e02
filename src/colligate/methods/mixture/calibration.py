"""Parameters that are estimated from held-out statements, the ensemble and neighbouring documents.

In the order of the page: the length exponent η (and the concentration κ′ of embeddings), the weight β of the
classifier, the reliability of statements with its error rate ε, and the doubt in memberships.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, logit, rel_entr, softmax

from colligate.kernels import SparseRows
from colligate.methods.mixture.em import TINY, mean_directions, run_em
from colligate.methods.mixture.priors import make_priors, replace_beta, seed_counts
from colligate.shards.matrix import cut_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.kernels import Kernels
    from colligate.knowledge.guidance import PairLinks
    from colligate.methods.mixture.constants import Constants
    from colligate.methods.mixture.em import Estimate
    from colligate.methods.mixture.priors import Priors
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.mixture.views import View

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# probabilities are at least this, and at most 1 less this
MIN_PROB = 1e-12


# --- length exponent η, and κ′ of embeddings ---


@dataclass(frozen=True, eq=False)
class PairSample:
    """Pairs (rows) of documents two neighbours apart, and which half of the documents fits the tables."""

    pairs: Ints
    half: NDArray[np.bool_]


def draw_pairs(problem: MixtureProblem) -> PairSample:
    """Draw pairs of neighbouring documents; if most are copies, one document replaces its copies."""
    # a fixed seed: all restarts share η and κ′
    constants, rng = problem.constants, np.random.default_rng(0)
    filled = np.flatnonzero(problem.filled)
    pairs = _draw_second_neighbours(problem.kernels, problem.unit, filled, rng, constants)
    cosines = np.einsum("ij,ij->i", problem.unit[pairs[:, 0]], problem.unit[pairs[:, 1]])
    if 2 * np.count_nonzero(cosines > constants.copy_cosine) > len(pairs):
        rounded = problem.unit[filled].round(constants.copy_decimals)
        _, distinct = np.unique(rounded, axis=0, return_index=True)
        pairs = _draw_second_neighbours(
            problem.kernels, problem.unit, filled[np.sort(distinct)], rng, constants
        )
    return PairSample(pairs, rng.random(problem.n_documents) < 0.5)


def _draw_second_neighbours(
    kernels: Kernels, unit: NDArray[np.float32], filled: Ints, rng: np.random.Generator, constants: Constants
) -> Ints:
    """Draw documents, and for each a neighbour of a neighbour: direct neighbours often quote each other."""
    # with two documents, the neighbour of the neighbour is always the document itself
    if len(filled) < 3:
        return np.zeros((0, 2), dtype=np.int64)
    rows, count = unit[filled], min(constants.n_neighbours, len(filled) - 1)
    first = rng.permutation(len(filled))[: constants.n_pairs]
    second = first
    for _ in range(2):
        nearest = kernels.nearest(second, rows, count)
        second = nearest[np.arange(len(second)), rng.integers(count, size=len(second))]
    # the neighbour of a neighbour may be the document itself, which would agree with itself
    return np.asarray(filled[np.column_stack([first, second])[first != second]], dtype=np.int64)


def fit_length_exponent(problem: MixtureProblem, resp: Floats, sample: PairSample) -> Floats:
    """Estimate η of every relation (eq. 8); one that too few pairs have keeps its value."""
    eta = problem.tfidf.eta.copy()
    for relation, (best, _) in fit_agreement(problem, resp, sample).items():
        eta[relation] = best
    return eta


def fit_agreement(
    problem: MixtureProblem, resp: Floats, sample: PairSample
) -> dict[int, tuple[float, float]]:
    """Find for each relation the η at which pairs agree best (eq. 8), and that agreement in nats."""
    constants, bounds = problem.constants, problem.tfidf.bounds.tolist()
    shares, occurrences = problem.tfidf.shares(problem.counts, problem.kernels)
    best: dict[int, tuple[float, float]] = {}
    for relation, (start, stop) in enumerate(pairwise(bounds)):
        of_relation = cut_columns(shares, start, stop)
        pairs = sample.pairs[np.diff(of_relation.indptr)[sample.pairs].all(axis=1)]
        if len(pairs) < constants.min_pairs:
            continue
        n = occurrences[:, relation]
        scores = _cross_fit_scores(problem, of_relation, resp, n, sample.half)
        agreement = [
            pair_agreement([scores[side] * n[side, None] ** eta for side in pairs.T], resp.mean(axis=0))
            for eta in constants.etas
        ]
        number = int(np.argmax(agreement))
        best[relation] = (constants.etas[number], agreement[number])
    return best


def _cross_fit_scores(
    problem: MixtureProblem, shares: csr_array, resp: Floats, n: Floats, half: NDArray[np.bool_]
) -> Floats:
    """Compute each document's mean log(φ/m), with φ from the half of the documents that it is not in."""
    rows = SparseRows.of(shares).with_blocks(problem.kernels)
    total = rows.column_sums()
    m = total / max(total.sum(), TINY)
    used = m > 0
    scores = np.zeros_like(resp)
    for fitted in (half, ~half):
        # shares times √n are y at η = ½, at which φ is fitted before η is known
        weighted = np.ascontiguousarray(resp * (fitted * np.sqrt(n))[:, None])
        phi = problem.kernels.transposed_product(rows, weighted)
        phi += problem.constants.pair_smoothing * phi.sum() / resp.shape[1] * m[:, None]
        phi /= np.maximum(phi.sum(axis=0), TINY)
        phi[used] = np.log(np.maximum(phi[used], TINY) / m[used, None])
        phi[~used] = 0.0
        scores[~fitted] = problem.kernels.product(rows, phi)[~fitted]
    return scores


def pair_agreement(sides: Sequence[Floats], share: Floats) -> float:
    """Compute the agreement of pairs on their groups by the scores of both sides, in nats (eq. 8)."""
    log_share = np.log(np.maximum(share, MIN_PROB))
    left, right = (softmax(scores + log_share, axis=1) for scores in sides)
    p = np.sqrt(np.maximum(left.mean(axis=0) * right.mean(axis=0), TINY))
    return float(np.log(np.maximum((left * right / p).sum(axis=1), TINY)).mean())


def fit_kappas(
    problem: MixtureProblem, resp: Floats, views: Sequence[View], sample: PairSample
) -> list[float]:
    """Estimate κ′ of views (eq. 22), each beside words and the views before it; 0 if it adds nothing."""
    if not views:
        return []
    constants, share = problem.constants, resp.mean(axis=0)
    scores, kappas = _word_scores(problem, resp, sample, problem.tfidf.weight), []
    # e is made from the same words: what it tells is nothing that embeddings add
    first = problem.views[0]
    scores += first.kappa * _cross_fit_cosines(problem, resp, first, sample.half)

    def agreement(pairs: Ints, scale: float, kappa: float) -> float:
        return pair_agreement([scale * scores[side] + kappa * cosines[side] for side in pairs.T], share)

    for view in views:
        unit, filled = np.asarray(view.directions.unit), view.directions.filled
        cosines = _cross_fit_cosines(problem, resp, view, sample.half)
        pairs = sample.pairs[filled[sample.pairs].all(axis=1)]
        near = _draw_second_neighbours(
            problem.kernels, unit, np.flatnonzero(filled), np.random.default_rng(0), constants
        )
        scale, kappa = 0.0, view.kappa
        if len(near) and agreement(near, 1.0, 0.0) > constants.min_agreement_gain:
            # the view speaks of the same groups as the words: what does it add?
            scale, pairs = 1.0, np.vstack([pairs, near])
        if len(pairs) >= constants.min_pairs:
            agreements = [agreement(pairs, scale, value) for value in constants.kappas]
            is_useful = max(agreements) > agreement(pairs, scale, 0.0) + constants.min_agreement_gain
            kappa = constants.kappas[int(np.argmax(agreements))] if is_useful else 0.0
        scores += kappa * cosines
        kappas.append(kappa)
    return kappas


def fit_mention_weight(
    problem: MixtureProblem, resp: Floats, sample: PairSample, is_mention: NDArray[np.bool_]
) -> float:
    """Estimate w of the relations that are mentions (eq. 27); 0 if they add nothing to words."""
    constants, share = problem.constants, resp.mean(axis=0)
    of_words, of_mentions = (
        _word_scores(problem, resp, sample, np.where(selected, 1.0, 0.0))
        for selected in (~is_mention, is_mention)
    )
    agreements = [
        pair_agreement([of_words[side] + weight * of_mentions[side] for side in sample.pairs.T], share)
        for weight in constants.mention_weights
    ]
    is_useful = max(agreements) > agreements[0] + constants.min_agreement_gain
    return constants.mention_weights[int(np.argmax(agreements))] if is_useful else 0.0


def _word_scores(problem: MixtureProblem, resp: Floats, sample: PairSample, weight: Floats) -> Floats:
    """Compute the first sum of eq. 2 with cross-fitted φ, at the weights of relations."""
    scores = np.zeros_like(resp)
    shares, occurrences = problem.tfidf.shares(problem.counts, problem.kernels)
    for relation, (start, stop) in enumerate(pairwise(problem.tfidf.bounds.tolist())):
        if weight[relation] > 0.0:
            n, of_relation = occurrences[:, relation], cut_columns(shares, start, stop)
            lift = _cross_fit_scores(problem, of_relation, resp, n, sample.half)
            scores += weight[relation] * lift * n[:, None] ** problem.tfidf.eta[relation]
    return scores


def _cross_fit_cosines(problem: MixtureProblem, resp: Floats, view: View, half: NDArray[np.bool_]) -> Floats:
    """Compute each document's cosines with μ′, from the half of the documents that it is not in."""
    unit = np.asarray(view.directions.unit, dtype=np.float64)
    cosines = np.zeros_like(resp)
    for fitted in (half, ~half):
        mu = mean_directions(problem.kernels, view.directions, resp * (fitted & problem.filled)[:, None])
        cosines[~fitted] = unit[~fitted] @ mu
    return cosines


# --- weights of features ---


def information_gain(problem: MixtureProblem, resp: Floats) -> Floats:
    """Estimate what each feature tells of the group of a document, relative to the mean feature (eq. 23).

    Small counts look informative by chance. So the expected gain of a feature that tells nothing is
    subtracted.
    """
    n_documents, used = problem.document_frequency, problem.counts_in_mean
    if not used.any():
        return np.zeros(len(used))
    mass = problem.kernels.transposed_product(problem.y, resp.astype(np.float32))
    p = mass / np.maximum(mass.sum(axis=1, keepdims=True), TINY)
    share = np.maximum(resp.mean(axis=0), TINY)
    by_chance = np.minimum((resp.shape[1] - 1) / (2.0 * np.maximum(n_documents, 1)), np.log1p(n_documents))
    gain = np.maximum(rel_entr(p, share).sum(axis=1) - by_chance, 0.0)
    return np.asarray(gain / max(gain[used].mean(), TINY))


def average_gain(problem: MixtureProblem, gains: Sequence[Floats]) -> Floats:
    """Average the gains of features over runs; rare features are drawn towards the mean (eq. 23)."""
    n_documents, prior = problem.document_frequency, problem.constants.gain_prior
    gain = np.mean(gains, axis=0)
    if not gain.any():
        return np.ones(len(gain))
    mean = gain[problem.counts_in_mean].mean()
    # rounded, because sums of other kernels or threads differ in the last digits, which would change draws
    return np.asarray(((n_documents * gain + prior * mean) / (n_documents + prior)).round(6))


# --- statements that runs hold out ---


def split_statements(problem: MixtureProblem, n_ensemble: int, rng: np.random.Generator) -> list[Floats]:
    """Return for each run 1 for the statements that it uses and 0 for those it holds out.

    Every `hold_out_every` runs the statements are divided anew. A single run uses all, as do all runs where
    statements are few; every name keeps a statement.
    """
    every, n_statements = problem.constants.hold_out_every, problem.n_statements
    if not problem.runs_use_knowledge:
        # no draw: the runs are those without knowledge
        return [np.ones(n_statements)] * n_ensemble
    use_all = n_ensemble == 1 or n_statements < problem.constants.min_statements
    uses: list[Floats] = []
    for number in range(n_ensemble):
        if number % every == 0:
            part = rng.integers(every, size=n_statements)
        use = (part != number % every).astype(np.float64)
        for name in range(len(problem.named.names)):
            parts = [entries.statement[entries.name == name] for entries in problem.named.entries]
            statements = np.concatenate([np.zeros(0, np.int64), *parts])
            statements = statements[statements >= 0]
            if len(statements) and not use[statements].any():
                use[statements] = 1.0
        uses.append(np.ones(n_statements) if use_all else use)
    return uses


def _held_out_probability(statement: Ints, p: Floats, uses: Sequence[Floats]) -> Floats:
    """Average p (runs × statements) over the runs that hold a statement out; NaN if none does."""
    # a statement of -1 looks up the last one; the second condition leaves it out
    held_out = np.array([use[statement] == 0 for use in uses]) & (statement >= 0)
    n_runs = held_out.sum(axis=0)
    return np.where(n_runs > 0, (p * held_out).sum(axis=0) / np.maximum(n_runs, 1), np.nan)


# --- weight β of the classifier ---


def fit_classifier_weight(problem: MixtureProblem, uses: Sequence[Floats], runs: Sequence[Estimate]) -> float:
    """Estimate β from the labels that runs held out (eq. 12)."""
    constants = problem.constants
    if len(constants.betas) == 1:
        return constants.betas[0]
    member, group, statement = _labelled_documents(problem)
    held_out = np.array([use[statement] == 0 for use in uses])
    judged = np.flatnonzero(held_out.any(axis=0))
    if not len(judged) or len(np.unique(group)) < 2:
        return constants.default_beta
    resp = np.zeros((len(constants.betas), len(judged), problem.n_groups))
    # the same runs go on with each β: separate runs differ by more than the weights do
    tasks = (
        partial(
            _resp_by_beta, problem, make_priors(problem, use, constants.default_beta), run, member[judged]
        )
        for use, run in zip(uses, runs, strict=True)
    )
    for out, by_beta in zip(
        held_out, problem.kernels.run_side_by_side(tasks, problem.max_running), strict=True
    ):
        resp += by_beta * out[judged, None]
    n_correct = np.count_nonzero(resp.argmax(axis=2) == group[judged], axis=1)
    betas = np.array(constants.betas)
    log_p = _label_log_likelihood(n_correct, len(judged), problem.n_inside)
    log_p -= constants.nats_per_halving * np.abs(np.log2(betas / constants.default_beta))
    p = np.exp(log_p - log_p.max())
    # the posterior mean, on a log scale because the grid is geometric
    return float(np.exp2(p @ np.log2(betas) / p.sum()))


def _resp_by_beta(problem: MixtureProblem, priors: Priors, run: Estimate, documents: Ints) -> Floats:
    """Continue a run with each β, and return the responsibilities of documents, β × documents × groups."""
    max_iter, tol = problem.constants.beta_max_iter, problem.constants.ensemble_tol
    # kept in single precision where there are many
    resp = run.resp.astype(np.float64, copy=False)
    states = (
        run_em(problem, replace_beta(problem, priors, beta), resp, max_iter, tol)
        for beta in problem.constants.betas
    )
    return np.array([state.resp[documents] for state in states])


def _labelled_documents(problem: MixtureProblem) -> tuple[Ints, Ints, Ints]:
    """List labelled documents with features, their groups, and the statements that label them."""
    none = np.zeros(0, dtype=np.int64)
    parts: list[tuple[Ints, Ints, Ints]] = [(none, none, none)]
    for entries in problem.document_labels:
        numbered = np.flatnonzero((entries.statement >= 0) & problem.filled[entries.member])
        group = problem.group_of_name[entries.name]
        parts.append((entries.member[numbered], group[numbered], entries.statement[numbered]))
    member, group, statement = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return member, group, statement


def _label_log_likelihood(n_correct: Ints, n: int, n_groups: int) -> Floats:
    """Compute the log-likelihood of n labels of which so many are right (eq. 12)."""
    n_wrong = max(n_groups - 1.0, 1.0)
    # half a label more on either side, and no worse than a guess
    a = np.maximum((n_correct + 0.5) / (n + 1.0), 1.0 / (n_wrong + 1.0))
    return np.asarray(n * (a * np.log(a) + (1.0 - a) * np.log((1.0 - a) / n_wrong)))


# --- reliability of statements and their error rate ε ---


def estimate_reliability(
    problem: MixtureProblem, uses: Sequence[Floats], runs: Sequence[Estimate]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Estimate t of every statement (eq. 14), and mark those that were judged; the others keep 1."""
    reliability = np.ones(problem.n_statements)
    judged = np.zeros(problem.n_statements, dtype=bool)
    for statement, p_of_run, n_wrong in _statement_probabilities(problem, runs):
        p = _held_out_probability(statement, p_of_run, uses)
        seen = np.flatnonzero(~np.isnan(p))
        if len(seen) < problem.constants.min_statements:
            continue
        t = posterior_correct(p[seen], problem.sources[statement[seen]], n_wrong, problem.constants)
        # a statement with several entries is as reliable as the least probable of them
        reliability[statement[seen]] = np.minimum(reliability[statement[seen]], t)
        judged[statement[seen]] = True
    reliability[_refuted_answers(problem, reliability, judged)] = 0.0
    return reliability, judged


def _refuted_answers(problem: MixtureProblem, reliability: Floats, judged: NDArray[np.bool_]) -> Ints:
    """List the document labels of language models that are more probably wrong than right (eq. 20).

    A document stays where the user puts it, but not where a model puts it against all evidence.
    """
    parts = [np.zeros(0, dtype=np.int64)]
    for entries in problem.document_labels:
        statement = entries.statement[(entries.statement >= 0) & judged[entries.statement]]
        log_odds = _trust_log_odds(problem, statement, reliability, problem.constants.trust_of_labels)
        parts.append(statement[problem.by_model[statement] & (log_odds < 0.0)])
    return np.concatenate(parts)


def _statement_probabilities(
    problem: MixtureProblem, runs: Sequence[Estimate]
) -> Iterator[tuple[Ints, Floats, float]]:
    """Yield for each kind of statement their numbers, p in every run, and m, the wrong answers there are."""
    n_wrong = max(problem.n_inside - 1.0, 1.0)
    for entries in problem.named.entries:
        group = problem.group_of_name[entries.name]
        if entries.type_name == problem.network.centre:
            p = np.array([run.resp[entries.member, group] for run in runs])
        else:
            posteriors = [_feature_posterior(problem, run, entries.type_name) for run in runs]
            p = np.array([posterior[entries.member, group] for posterior in posteriors])
        yield entries.statement, p, n_wrong
    known = problem.document_guidance
    if known is not None and len(known.pairs):
        p = _link_probability(known.pairs, runs)
        for sign in (1, -1):
            signed = known.pairs.sign == sign
            if signed.any():
                yield known.pairs.statement[signed], p[:, signed], 1.0


def _link_probability(pairs: PairLinks, runs: Sequence[Estimate]) -> Floats:
    """Compute how probable every link is in every run, if together and apart are equally likely before."""
    same = np.array([_same_group_probability(run, pairs.left, pairs.right) for run in runs])
    return np.where(pairs.sign > 0, same, 1.0 - same)


def _same_group_probability(run: Estimate, left: Ints, right: Ints) -> Floats:
    """Compute how probable two documents are in one group, in odds against two drawn at random."""
    together = np.einsum("ik,ik->i", run.resp[left], run.resp[right])
    chance = float(np.square(np.exp(run.log_pi)).sum())
    odds = together / np.maximum(1.0 - together, MIN_PROB) * (1.0 - chance) / max(chance, MIN_PROB)
    return np.asarray(odds / (1.0 + odds))


def _feature_posterior(problem: MixtureProblem, run: Estimate, type_name: str) -> Floats:
    """Compute the posterior of the groups after several occurrences of an object, from equal priors."""
    log_ratio = np.zeros((len(problem.network.types[type_name]), problem.n_groups))
    for part in problem.parts:
        if part.other == type_name:
            log_ratio += run.log_phi_ratio[part.start : part.stop]
    return np.asarray(softmax(problem.constants.feature_occurrences * log_ratio, axis=1))


def posterior_correct(p: Floats, source: Ints, n_wrong: float, constants: Constants) -> Floats:
    """Compute t of statements of one kind (eq. 14), at the power of the odds that is most likely.

    Every source has its own ε. Sources with too few statements of the kind share one.
    """
    p = np.clip(p, MIN_PROB, 1.0 - MIN_PROB)
    log_odds = np.log(p) - np.log((1.0 - p) / n_wrong)
    pool = _pool_sources(source, constants)
    best, t = -np.inf, np.ones(len(p))
    for power in constants.odds_powers:
        log_posterior, t_at_power = constants.nats_per_halving * float(np.log2(power)), np.ones(len(p))
        for number in np.unique(pool):
            rows = pool == number
            of_pool, t_at_power[rows] = fit_error_rate(log_odds[rows] * power, n_wrong, constants)
            log_posterior += of_pool
        if log_posterior > best:
            best, t = log_posterior, t_at_power
    return t


def _pool_sources(source: Ints, constants: Constants) -> Ints:
    """Number the sources of statements of one kind; those with too few statements share a number.

    Labels that the program added to the answers of a user are right by construction, and stay apart (-1).
    """
    _, number, count = np.unique(source, return_inverse=True, return_counts=True)
    few = count[number] < constants.min_statements
    return np.where(source < 0, -1, np.where(few, source.max(initial=0) + 1, source))


def fit_error_rate(log_odds: Floats, n_wrong: float, constants: Constants) -> tuple[float, Floats]:
    """Find the best ε (eq. 15); return its log posterior, and t of every statement (eq. 14)."""
    bounded = np.clip(log_odds, -constants.max_log_odds, constants.max_log_odds)
    p = 1.0 / (1.0 + n_wrong * np.exp(-bounded))
    eps, wrong = np.array(constants.error_rates), (1.0 - p) / n_wrong
    log_posterior = np.log(np.outer(1.0 - eps, p) + np.outer(eps, wrong)).sum(axis=1)  # eq. 15
    log_posterior += constants.error_prior[0] * np.log(1.0 - eps) + constants.error_prior[1] * np.log(eps)
    best = int(log_posterior.argmax())
    correct, error = (1.0 - eps[best]) * p, eps[best] * wrong
    return float(log_posterior[best]), np.asarray(correct / (correct + error))  # eq. 14


def seed_precision(problem: MixtureProblem, uses: Sequence[Floats], runs: Sequence[Estimate]) -> float | None:
    """Compute how much more often than by chance documents are in the group of their held-out seeds.

    It is 0 by chance and 1 if all are (eq. 26); None if fewer than `min_statements` seeds are held out.
    """
    seeds = [entries.statement for entries in problem.feature_seeds]
    statement = np.concatenate([np.zeros(0, dtype=np.int64), *seeds])
    held_out = np.array([use[statement] == 0 for use in uses]) & (statement >= 0)
    counts = seed_counts(problem, np.ones(problem.n_statements))
    if counts is None or np.count_nonzero(held_out.any(axis=0)) < problem.constants.min_statements:
        return None
    n_right, n_by_chance, n = 0.0, 0.0, 0
    for use, run in zip(uses, runs, strict=True):
        used = seed_counts(problem, use)
        assert used is not None
        v = counts - used
        largest = v.max(axis=1)
        clear = np.flatnonzero((largest > 0) & (2.0 * largest > v.sum(axis=1)))
        group = v[clear].argmax(axis=1)
        n_right += float(run.resp[clear, group].sum())
        n_by_chance += float(run.resp.mean(axis=0)[group].sum())
        n += len(clear)
    # rounded, because it decides: sums of other kernels or threads differ in the last digits
    return round((n_right - n_by_chance) / max(n - n_by_chance, MIN_PROB), 6)


def discount_seeds(problem: MixtureProblem, reliability: Floats) -> Floats:
    """Return the reliability with 0 for all seeds, so that they name groups and move no document."""
    reliability = reliability.copy()
    for entries in problem.feature_seeds:
        reliability[entries.statement[entries.statement >= 0]] = 0.0
    return reliability


# --- trust: the reliability as a calibrated probability ---


def calibrate_trust(
    problem: MixtureProblem,
    reliability: Floats,
    judged: NDArray[np.bool_],
    typical_group: Mapping[str, NDArray[np.integer[Any]]],
) -> Floats:
    """Turn the reliability of statements into the probability that they are right (eq. 20).

    `typical_group` has the group that each feature of a type is most typical of. Members of groups of
    features keep their reliability.
    """
    constants, trust = problem.constants, reliability.copy()
    for entries in problem.named.entries:
        seen = (entries.statement >= 0) & judged[entries.statement]
        if not seen.any():
            continue
        statement, is_typical = entries.statement[seen], np.zeros(np.count_nonzero(seen))
        fitted = constants.trust_of_labels
        if entries.type_name != problem.network.centre:
            fitted = constants.trust_of_features
            group = problem.group_of_name[entries.name]
            is_typical = (typical_group[entries.type_name][entries.member] == group)[seen]
        log_odds = _trust_log_odds(problem, statement, reliability, fitted)
        trust[statement] = expit(log_odds + constants.trust_of_typical * is_typical)  # eq. 20
        if entries.type_name != problem.network.centre:
            # seeds that are not used, because together they tell nothing
            trust[statement[reliability[statement] == 0.0]] = 0.0
    known = problem.document_guidance
    if known is not None:
        for sign, (a, b) in ((1, constants.trust_of_together), (-1, constants.trust_of_apart)):
            statement = known.pairs.statement[known.pairs.sign == sign]
            trust[statement] = expit(a + b * _bounded_logit(reliability[statement], constants))  # eq. 20
    return trust


def _bounded_logit(reliability: Floats, constants: Constants) -> Floats:
    return np.clip(logit(reliability), -constants.trust_max_log_odds, constants.trust_max_log_odds)


def _trust_log_odds(
    problem: MixtureProblem, statement: Ints, reliability: Floats, fitted: tuple[float, float]
) -> Floats:
    """Return the log odds of the trust in statements that name a group, without h (eq. 20)."""
    constants, (a, b) = problem.constants, fitted
    t = reliability[statement]
    # where statements of all sources are improbable, groups and subjects differ, and one says less
    return np.asarray(
        a + b * _best_source(t, problem.sources[statement], constants) ** 2 * _bounded_logit(t, constants)
    )


def _best_source(reliability: Floats, source: Ints, constants: Constants) -> float:
    """Return the mean reliability of the source that has the highest, of one kind of statements."""
    pool = _pool_sources(source, constants)
    means = [
        reliability[pool == number].mean()
        for number in np.unique(pool[source >= 0])
        if np.count_nonzero(pool == number) >= constants.min_statements
    ]
    return float(max(means, default=reliability.mean() if len(reliability) else 1.0))


# --- confidence ---


def fit_doubt(scores: Floats, agreement: Floats) -> float:
    """Find the doubt at which the mean confidence is the mean agreement of the runs (eq. 16); at least 0."""
    n_groups = scores.shape[1]
    if not len(scores) or n_groups < 2:
        return 0.0
    certain = float(softmax(scores, axis=1).max(axis=1).mean())
    excess = certain - float(agreement.mean())
    # a guess is right in one of K cases, so no doubt brings the confidence below 1 / K
    return float(np.clip(excess / max(certain - 1.0 / n_groups, MIN_PROB), 0.0, 1.0))


def add_doubt(scores: Floats, doubt: float, closed: NDArray[np.bool_] | None = None) -> Floats:
    """Return the log of memberships: a share `doubt` of each goes to all groups that are open (eq. 16)."""
    open_groups = np.ones(scores.shape) if closed is None else (~closed).astype(np.float64)
    evenly = open_groups / np.maximum(open_groups.sum(axis=1, keepdims=True), 1.0)
    mixed = (1.0 - doubt) * softmax(scores, axis=1) + doubt * evenly
    return np.asarray(np.log(np.maximum(mixed, TINY)))
