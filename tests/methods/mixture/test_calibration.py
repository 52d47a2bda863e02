import numpy as np
import pytest
from scipy import sparse
from scipy.special import softmax
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg
from colligate.knowledge.statements import Statements
from colligate.methods.mixture.calibration import (
    add_doubt,
    calibrate_trust,
    fit_doubt,
    fit_error_rate,
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
def test_embeddings_that_tell_of_the_groups_get_a_higher_kappa_than_noise(seed):
    counts, truth = planted()
    noise = np.random.default_rng(seed).normal(size=(len(truth), 4))
    kappas = []
    for clear in (0.0, 1.0, 5.0):
        rows = clear * np.eye(4)[truth] + noise
        kappas.append(sum(view.kappa for view in prepared(counts, embeddings=rows).views[1:]))
    assert kappas[0] <= 1.0
    assert min(kappas[1:]) >= 0.5


def labelled(classes):
    return cg.Knowledge().label({i: f"g{classes[i]}" for i in range(0, len(classes), 3)})


def fitted_beta(counts, knowledge, n_clusters, **parameters):
    method = cg.make("colligate", n_clusters=n_clusters, random_state=0, **parameters)
    return method.fit(counts, knowledge=knowledge).result_.model["classifier_beta"]


def test_beta_is_higher_where_labels_are_not_the_obvious_groups():
    counts, topics = planted(n=600)
    plain = fitted_beta(counts, labelled(topics), 4)
    order = np.random.default_rng(0).permutation(600)
    faint, classes = (array[order] for array in planted(n=600, groups=2, strong=0.15, seed=1))
    hidden = fitted_beta(sparse.hstack([counts, faint]).tocsr(), labelled(classes), 2)
    assert hidden > 1.3 * plain


def test_few_labels_and_single_runs_leave_the_default_beta():
    counts, topics = planted()
    few = cg.Knowledge().label({i: f"g{topics[i]}" for i in range(4)})
    assert fitted_beta(counts, few, 4) == Constants().default_beta
    assert fitted_beta(counts, labelled(topics), 4, n_ensemble=1) == Constants().default_beta


def test_an_odd_statement_is_believed_where_the_others_are_right():
    mostly_right = np.append(np.full(40, 0.9), 0.05)
    mostly_wrong = np.append(np.full(40, 0.05), 0.9)
    one_source = np.zeros(41, dtype=np.int64)
    assert posterior_correct(mostly_right, one_source, 3.0, Constants())[-1] > 0.3
    assert posterior_correct(mostly_wrong, one_source, 3.0, Constants())[0] < 0.1


def test_a_source_that_is_often_wrong_does_not_cost_another_its_credit():
    p = np.concatenate([np.append(np.full(40, 0.95), 0.01), np.full(30, 0.95), np.full(11, 0.01)])
    sources, alone = np.repeat([0, 1], 41), np.zeros(82, dtype=np.int64)
    apart, pooled = (posterior_correct(p, source, 3.0, Constants()) for source in (sources, alone))
    assert apart[40] > 0.5 > pooled[40] > apart[-1]


def test_sources_with_few_statements_are_judged_together():
    p = np.concatenate([np.full(40, 0.95), np.full(5, 0.1)])
    each, one = np.arange(45), np.zeros(45, dtype=np.int64)
    np.testing.assert_array_equal(
        posterior_correct(p, each, 3.0, Constants()), posterior_correct(p, one, 3.0, Constants())
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_model_that_is_wrong_in_one_answer_of_four_is_trusted_less_than_a_right_user(seed):
    counts, truth = planted(strong=0.4)
    rng = np.random.default_rng(seed)
    documents = rng.permutation(len(truth))[:120]
    by_user, by_model = documents[:60], documents[60:]
    answers = (truth[by_model] + np.where(np.arange(60) % 4 == 0, rng.integers(1, 4, 60), 0)) % 4
    knowledge = cg.Knowledge(contradictions="report")
    knowledge.label({int(i): f"g{truth[i]}" for i in by_user}, source="user")
    knowledge.label(
        {int(i): f"g{group}" for i, group in zip(by_model, answers, strict=True)}, source="model:quick"
    )
    result = cg.make("colligate", n_clusters=4, random_state=seed).fit(counts, knowledge=knowledge).result_
    user, model = (source.trust for source in result.audit().sources())
    assert user > 0.97
    assert model < user - 0.13
    assert _mean_trust(result, by_model[::4]) < 0.5 < 0.9 < _mean_trust(result, by_model[1::4])


@pytest.mark.parametrize(("source", "stays"), [("user", True), ("model:quick", False)])
def test_a_label_against_all_evidence_holds_for_a_user_but_not_for_a_model(source, stays):
    counts, truth = planted(strong=0.4)
    named, wrong = np.arange(120), np.arange(0, 120, 9)
    stated = truth[named]
    stated[wrong] = (stated[wrong] + 1) % 4
    knowledge = cg.Knowledge().label({int(i): f"g{stated[i]}" for i in named}, source=source)
    result = cg.make("colligate", n_clusters=4, random_state=0).fit(counts, knowledge=knowledge).result_
    group_of = {int(truth[i]): int(result.labels["documents"][i]) for i in range(120, 240)}
    refuted = wrong[result.trust[wrong] < 0.5]
    assert len(refuted) >= len(wrong) / 2
    expected = stated if stays else truth[named]
    groups = [int(result.labels["documents"][i]) for i in refuted]
    assert groups == [group_of[int(expected[i])] for i in refuted]
    assert {result.audit().statement(int(i)).status for i in refuted} == {"kept" if stays else "broken"}


def _mean_trust(result, documents):
    subjects = [int(subject) for subject in result.compiled.statements.subject]
    return result.trust[np.isin(subjects, documents)].mean()


def test_labels_that_the_program_added_say_nothing_about_the_user():
    """The documents that stand for a group are in it, so they would make every answer look right."""
    statements = cg.Knowledge().label({0: "a"}, source="an answer").statements
    added = cg.Knowledge().label({1: "a", 2: "a"}, source="an answer (stands for its group)").statements
    both = Statements((*statements.blocks, *added.blocks))
    assert both.source_number.tolist() == [0, -1, -1]
    p = np.concatenate([np.full(20, 0.95), np.full(20, 0.01), np.full(200, 0.99)])
    apart = posterior_correct(p, np.repeat([0, -1], [40, 200]), 3.0, Constants())
    pooled = posterior_correct(p, np.zeros(240, dtype=np.int64), 3.0, Constants())
    assert apart[20] < pooled[20]


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
    assert result.model["agreement"].shape == (240,)
    assert result.model["agreement"].mean() > 0.9


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


def test_the_mean_confidence_becomes_the_agreement_of_the_runs():
    scores = 20.0 * np.random.default_rng(0).normal(size=(500, 4))
    log_memberships = add_doubt(scores, fit_doubt(scores, np.full(500, 0.7)))
    memberships = np.exp(log_memberships)
    np.testing.assert_allclose(memberships.sum(axis=1), 1.0)
    np.testing.assert_allclose(memberships.max(axis=1).mean(), 0.7)
    np.testing.assert_array_equal(memberships.argmax(axis=1), scores.argmax(axis=1))


def test_scores_that_are_not_overconfident_stay_as_they_are():
    scores = np.random.default_rng(0).normal(size=(10, 4))
    assert fit_doubt(scores, np.ones(10)) == 0.0
    assert fit_doubt(np.zeros((0, 4)), np.ones(0)) == 0.0
    assert fit_doubt(np.zeros((3, 1)), np.full(3, 0.5)) == 0.0
    np.testing.assert_allclose(np.exp(add_doubt(scores, 0.0)), softmax(scores, axis=1))


def test_no_doubt_goes_to_closed_groups():
    closed = np.array([[False, False, True]])
    memberships = np.exp(add_doubt(np.array([[0.0, -50.0, -1e30]]), 0.4, closed))
    np.testing.assert_allclose(memberships, [[0.8, 0.2, 0.0]], atol=1e-9)


def test_the_mean_confidence_of_a_result_is_the_mean_agreement_of_its_runs():
    counts, _ = planted(noise=0.1, strong=0.2)
    result = cg.make("colligate", n_clusters=4, random_state=0).fit(counts).result_
    assert 0 < result.model["doubt"] < 1
    np.testing.assert_allclose(result.confidence.mean(), result.model["agreement"].mean(), atol=1e-3)


def test_new_documents_are_doubted_as_those_of_the_run():
    counts, _ = planted(noise=0.1, strong=0.2)
    model = cg.make("colligate", n_clusters=4, random_state=0).fit(counts)
    new, old = model.transform(counts), model.result_.memberships["documents"]
    np.testing.assert_allclose(new, old, atol=1e-3)
    assert new.max() <= 1 - 0.75 * float(model.result_.model["doubt"]) + 1e-6


def test_the_user_may_set_the_doubt():
    counts, _ = planted(strong=0.4)
    result = cg.make("colligate", n_clusters=4, random_state=0, doubt=0.4).fit(counts).result_
    assert result.model["doubt"] == 0.4
    assert result.confidence.max() == pytest.approx(0.7, abs=0.01)


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
