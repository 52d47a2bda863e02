import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg
from colligate.methods.mixture.calibration import (
    calibrate_trust,
    fit_error_rate,
    fit_temperature,
    posterior_correct,
)
from colligate.methods.mixture.constants import Constants

from ..planted_documents import planted


def prepared(counts, **parameters):
    method = cg.make("colligate", n_clusters=4, n_jobs=1, **parameters)
    return method.problem(cg.Network.from_matrix(counts), {})


def fitted_eta(counts):
    return prepared(counts).tfidf.eta[0]


def test_independent_words_count_more_than_words_that_repeat_each_other():
    """Each word drawn twenty times over is no more evidence than once."""
    counts, _ = planted(noise=0.12, strong=0.16)
    rng = np.random.default_rng(0)
    bursts = sparse.csr_array(counts.multiply(rng.integers(1, 40, counts.shape)))
    assert fitted_eta(bursts) < fitted_eta(counts)


def test_a_length_exponent_of_the_user_is_used():
    counts, _ = planted()
    assert prepared(counts, length_exponent=0.7).tfidf.eta.tolist() == [0.7]


def test_copies_do_not_raise_the_exponent():
    counts, _ = planted(strong=0.25)
    many = sparse.csr_array(sparse.vstack([counts] * 20, format="csr"))
    assert abs(fitted_eta(counts) - fitted_eta(many)) < 0.15


@pytest.mark.parametrize("seed", range(8))
def test_better_embeddings_get_a_higher_kappa(seed):
    counts, truth = planted()
    noise = np.random.default_rng(seed).normal(size=(len(truth), 4))
    kappas = []
    for clear in (0.0, 1.0, 5.0):
        rows = clear * np.eye(4)[truth] + noise
        kappas.append(sum(view.kappa for view in prepared(counts, embeddings=rows).views[1:]))
    assert kappas[0] <= 1.0
    assert kappas == sorted(set(kappas))


def labelled(classes):
    return cg.Knowledge().label({i: f"g{classes[i]}" for i in range(0, len(classes), 3)})


def fitted_beta(counts, knowledge, n_clusters, **parameters):
    method = cg.make("colligate", n_clusters=n_clusters, random_state=0, **parameters)
    return method.fit(counts, knowledge=knowledge).result_.model["classifier_beta"]


def test_beta_is_higher_where_labels_are_not_the_obvious_groups():
    counts, topics = planted(n=600)
    plain = fitted_beta(counts, labelled(topics), 4)
    order = np.random.default_rng(0).permutation(600)
    faint, classes = (array[order] for array in planted(n=600, groups=2, strong=0.1, seed=1))
    hidden = fitted_beta(sparse.hstack([counts, faint]).tocsr(), labelled(classes), 2)
    assert hidden > 1.0 > plain


def test_few_labels_and_single_runs_leave_the_default_beta():
    counts, topics = planted()
    few = cg.Knowledge().label({i: f"g{topics[i]}" for i in range(4)})
    assert fitted_beta(counts, few, 4) == Constants().default_beta
    assert fitted_beta(counts, labelled(topics), 4, n_ensemble=1) == Constants().default_beta


def test_an_odd_statement_is_believed_where_the_others_are_right():
    mostly_right = np.append(np.full(40, 0.9), 0.05)
    mostly_wrong = np.append(np.full(40, 0.05), 0.9)
    assert posterior_correct(mostly_right, 3.0, Constants())[-1] > 0.3
    assert posterior_correct(mostly_wrong, 3.0, Constants())[0] < 0.1


def test_the_error_rate_is_that_of_the_statements():
    log_odds = np.repeat([6.0, -6.0], [80, 20])
    _, correct = fit_error_rate(log_odds, 1.0, Constants())
    np.testing.assert_allclose(correct.mean(), 0.8, atol=0.05)


def fit_planted(knowledge, seed=0):
    counts, truth = planted(strong=0.4)
    return cg.make("colligate", n_clusters=4, random_state=seed).fit(
        counts, knowledge=knowledge
    ).result_, truth


def test_wrong_labels_are_less_reliable_and_noted_in_the_audit():
    _, truth = planted()
    statements = {number: f"g{truth[number]}" for number in range(40)}
    for number in (0, 1, 2, 3):
        statements[number] = f"g{(truth[number] + 1) % 4}"
    result, _ = fit_planted(cg.Knowledge().label(statements))
    wrong, right = result.trust[:4], result.trust[4:]
    assert wrong.min() < 0.5
    assert wrong.max() < 0.7 < 0.9 < right.min()
    notes = [result.audit().statement(number).note for number in range(40)]
    for note, trust in zip(notes[:4], wrong.tolist(), strict=True):
        assert note == (
            "disagrees with the rest of the evidence" if trust < 0.5 else "little else supports it"
        )
    assert not any(notes[4:])
    (source,) = result.audit().sources()
    assert (source.statements, source.doubtful) == (40, 4)


def test_wrong_links_are_trusted_less():
    _, _truth = planted()
    right = [(i, i + 4) for i in range(0, 60, 2)]
    wrong = [(i, i + 1) for i in range(100, 112, 2)]
    result, _ = fit_planted(cg.Knowledge().together(documents=right + wrong))
    assert result.trust[: len(right)].min() > result.trust[len(right) :].max()


def test_wrong_seed_words_are_trusted_less():
    knowledge = cg.Knowledge()
    for group in range(4):
        words = [30 * group + i for i in range(5)]
        knowledge = knowledge.category(f"g{group}", words=[*words, 30 * ((group + 1) % 4) + 10])
    result, _ = fit_planted(knowledge)
    audit = result.audit()
    wrong = [audit.statement(i).trust for i in range(len(audit)) if i % 6 == 5]
    right = [audit.statement(i).trust for i in range(len(audit)) if i % 6 != 5]
    assert max(wrong) < min(right)


@pytest.mark.parametrize("wrong", [0.2, 0.4])
def test_wrong_labels_do_not_spoil_the_others(wrong):
    _, truth = planted()
    rng = np.random.default_rng(0)
    statements = {
        number: f"g{(truth[number] + (rng.random() < wrong) * rng.integers(1, 4)) % 4}"
        for number in range(60)
    }
    result, _ = fit_planted(cg.Knowledge().label(statements))
    others = np.arange(60, 240)
    assert normalized_mutual_info_score(result.labels["documents"][others], truth[others]) > 0.8


def test_without_statements_there_is_no_reliability():
    result, _ = fit_planted(None)
    assert result.trust is None
    assert result.audit().sources() == ()
    assert result.stability.shape == (240,)
    assert result.stability.mean() > 0.9


def test_statements_too_few_to_be_judged_have_no_trust():
    result, _ = fit_planted(cg.Knowledge().label({0: "a", 1: "b"}))
    assert result.trust is None
    assert result.audit().statement(0).trust is None


def test_one_run_or_a_user_start_judges_nothing():
    counts, truth = planted(strong=0.4)
    knowledge = cg.Knowledge().label({number: f"g{truth[number]}" for number in range(40)})
    for parameters in ({"n_ensemble": 1}, {"init": truth.astype(np.int64)}):
        model = cg.make("colligate", n_clusters=4, random_state=0, **parameters)
        assert model.fit(counts, knowledge=knowledge).result_.trust is None


def test_the_mean_confidence_becomes_the_stability():
    rng = np.random.default_rng(0)
    scores = 20.0 * rng.normal(size=(500, 4))
    temperature = fit_temperature(scores, np.full(500, 0.7, dtype=np.float32), Constants())
    probabilities = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
    np.testing.assert_allclose((probabilities.max(axis=1) / probabilities.sum(axis=1)).mean(), 0.7, atol=1e-3)


def test_scores_that_are_not_overconfident_stay_as_they_are():
    assert fit_temperature(np.zeros((10, 4)), np.ones(10, dtype=np.float32), Constants()) == 1.0
    assert fit_temperature(np.zeros((0, 4)), np.ones(0, dtype=np.float32), Constants()) == 1.0


def test_the_mean_confidence_of_a_result_is_its_mean_stability():
    counts, _ = planted(noise=0.1, strong=0.16)
    result = cg.make("colligate", n_clusters=4, random_state=0).fit(counts).result_
    assert result.model["temperature"] > 1
    np.testing.assert_allclose(result.confidence.mean(), result.stability.mean(), atol=0.02)


def test_a_word_of_the_group_that_its_category_has_is_not_called_wrong():
    knowledge = cg.Knowledge()
    for group in range(4):
        knowledge = knowledge.category(f"g{group}", words=[30 * group + i for i in range(5)])
    model = cg.make("colligate", n_clusters=4, random_state=0)
    network = cg.Network.from_matrix(planted()[0])
    compiled = knowledge.compile(network.names)
    problem = model.problem(network, compiled.guidance)
    (entries,) = problem.named.entries
    group = problem.group_of_name[entries.name]
    typical = np.zeros(len(network.types["words"]), dtype=np.int64)
    typical[entries.member] = group
    reliability = np.ones(problem.n_statements)
    # a few of the words are improbable where they are held out
    reliability[:4] = 0.04
    judged = np.ones(problem.n_statements, dtype=bool)
    trust = calibrate_trust(problem, reliability, judged, {"words": typical})
    assert trust.min() > 0.7
    elsewhere = calibrate_trust(problem, reliability, judged, {"words": (typical + 1) % 4})
    assert elsewhere[:4].max() < 0.7 < elsewhere[4:].min()
