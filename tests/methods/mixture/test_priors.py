from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg
from colligate.methods.guidance import compile_for
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.priors import LabelClassifier, find_linked_groups, make_priors

from ..planted_documents import planted

COUNTS = np.array([[9, 0, 0, 3], [1, 0, 0, 3], [1, 2, 0, 40], [0, 0, 4, 1], [0, 0, 0, 0]])


def priors_of(knowledge, counts=COUNTS, reliability=1.0):
    method = cg.make("colligate", n_clusters=2, random_state=0, length_exponent=0.5)
    network = cg.Network.from_matrix(counts)
    problem = method.problem(network, compile_for(method, network, knowledge).guidance)
    return problem, make_priors(problem, np.full(problem.n_statements, reliability), 0.5)


@pytest.fixture
def categories():
    return cg.Knowledge().category("x", words=[0, 1]).category("y", words=[2])


def test_a_seed_word_counts_once_however_often_it_occurs(categories):
    _, priors = priors_of(categories)
    assert priors.seed_counts.tolist() == [[1, 0], [1, 0], [2, 0], [0, 1], [0, 0]]


def test_seed_scores_grow_with_the_evidence_of_a_document(categories):
    problem, priors = priors_of(categories)
    assert problem.y_sum == pytest.approx(np.sqrt([12, 4, 43, 5, 0]))
    expected = Constants().seed_scale * np.sqrt([[12], [4], [43], [5], [0]]) * np.log1p(priors.seed_counts)
    assert priors.u == pytest.approx(expected)


def test_a_seed_word_counts_once_where_entries_are_weights_below_one(categories):
    _, priors = priors_of(categories, counts=COUNTS / 50)
    assert priors.seed_counts.tolist() == [[1, 0], [1, 0], [2, 0], [0, 1], [0, 0]]


def test_seed_words_count_by_a_root_of_their_reliability(categories):
    _, priors = priors_of(categories, reliability=0.5)
    assert priors.seed_counts[2].tolist() == pytest.approx([2 * 0.5 ** Constants().reliability_power, 0.0])


def test_evidence_adds_up_to_the_scores_with_seed_words(categories):
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.repeat([[3, 2, 0.1, 1], [0.1, 0.1, 3, 1]], 30, axis=0))
    method = cg.make("colligate", n_clusters=2, random_state=0, doubt=0.0).fit(counts, knowledge=categories)
    model, row = method.result_.model, csr_array(counts[[0]].astype(float))
    evidence = method.evidence(model, row.indices.astype(np.int64), row.data).sum(axis=0)
    log_pi = model["log_pi"] / model["temperature"]
    assert np.diff(evidence + log_pi) == pytest.approx(np.diff(method.predict_scores(model, row)[0]))


def test_new_documents_have_the_seed_scores_of_those_in_the_run(categories):
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.repeat([[3, 2, 0.1, 1], [0.1, 0.1, 3, 1]], 30, axis=0))
    method = cg.make("colligate", n_clusters=2, random_state=0).fit(counts, knowledge=categories)
    assert method.transform(counts) == pytest.approx(method.result_.memberships["documents"], abs=1e-5)


def test_groups_without_labels_are_neither_helped_nor_harmed():
    rng = np.random.default_rng(0)
    classifier = LabelClassifier(np.array([0, 2]), rng.normal(size=(5, 2)), np.zeros(2), beta=0.5, n_inside=4)
    scores = classifier.scores(rng.normal(size=(7, 5)), n_groups=5)
    assert np.array_equal(scores[:, 1], scores[:, [0, 2]].max(axis=1))
    assert np.array_equal(scores[:, 1], scores[:, 3])
    assert not scores[:, 4].any()
    assert np.allclose(np.exp(scores[:, [0, 2]] / 0.5).sum(axis=1), 2.0)


def test_labels_of_some_groups_teach_what_separates_them():
    counts, topics = planted(strong=0.15, n=400)
    labels = {i: f"g{topics[i]}" for i in range(200) if topics[i] < 2}
    model = cg.make("colligate", n_clusters=4, random_state=0).fit(
        counts, knowledge=cg.Knowledge().label(labels)
    )
    assert model.result_.model["classifier_groups"].tolist() == [0, 1]
    placed = model.predict(counts)
    unlabelled = (topics < 2) & (np.arange(len(topics)) >= 200)
    assert (placed[unlabelled] == topics[unlabelled]).mean() > 0.9


def test_evidence_adds_up_to_the_scores_where_some_groups_have_labels():
    counts, topics = planted(strong=0.15, n=400)
    labels = {i: f"g{topics[i]}" for i in range(200) if topics[i] < 2}
    method = cg.make("colligate", n_clusters=4, random_state=0).fit(
        counts, knowledge=cg.Knowledge().label(labels)
    )
    model = method.result_.model
    rest = []
    for row in range(40):
        entries = slice(*counts.indptr[row : row + 2])
        evidence = method.evidence(model, counts.indices[entries].astype(np.int64), counts.data[entries]).sum(
            axis=0
        )
        offset = method.predict_scores(model, counts[[row]])[0] - evidence
        rest.append(offset - offset.mean())
    # what is left are offsets, and those of groups without labels are of the better of the two with labels
    is_first = np.isclose(rest, rest[0], atol=1e-5).all(axis=1)
    others = np.array(rest)[~is_first]
    assert len(others)
    np.testing.assert_allclose(others, np.broadcast_to(others[0], others.shape), atol=1e-5)


def test_documents_with_links_teach_the_classifier_by_their_strongest_link():
    knowledge = cg.Knowledge().together(documents=[[0, 1]]).apart(documents=[[0, 3]], strength=0.5)
    problem, priors = priors_of(knowledge)
    resp = np.array([[0.9, 0.1], [0.8, 0.2], [1.0, 0.0], [0.1, 0.9], [0.0, 1.0]])
    groups = find_linked_groups(problem, priors, resp)
    # the third has no link, the last neither a link nor words
    assert groups.tolist() == [0, 0, -1, 1, -1]
    taught = make_priors(problem, np.ones(problem.n_statements), 0.5, groups)
    assert taught.classifier.groups.tolist() == [0, 1]
    assert taught.u[3, 1] > taught.u[3, 0]
    assert taught.clamped.tolist() == [-1] * 5
    # links that are known to be wrong teach nothing
    assert make_priors(problem, np.zeros(problem.n_statements), 0.5, groups).classifier is None


def test_documents_between_groups_and_outsiders_teach_nothing():
    knowledge = cg.Knowledge().together(documents=[[0, 1], [1, 3]]).outside([3])
    problem, priors = priors_of(knowledge)
    resp = np.array([[0.5, 0.5, 0.0], [0.1, 0.9, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    assert find_linked_groups(problem, priors, resp).tolist() == [-1, 1, -1, -1, -1]


def test_documents_without_links_gain_by_what_links_teach():
    gains = []
    for seed in range(3):
        # four subjects hide the two groups that the links are about
        counts, _ = planted(n=400, noise=0.05, strong=0.2, seed=seed)
        rng = np.random.default_rng(seed)
        truth = rng.integers(2, size=400)
        rates = np.full((2, 20), 0.1)
        rates[0, :10] = rates[1, 10:] = 0.4
        counts = csr_array(hstack([counts, rng.poisson(rates[truth])]))
        pairs = rng.integers(200, size=(300, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        knowledge = cg.Knowledge().together(documents=pairs[same]).apart(documents=pairs[~same])
        scores = []
        for constants in (Constants(), replace(Constants(), betas=(0.0,))):
            method = cg.make("colligate", n_clusters=2, random_state=0)
            method.constants = constants
            labels = method.fit(counts, knowledge=knowledge).result_.labels["documents"]
            scores.append(normalized_mutual_info_score(truth[200:], labels[200:]))
        gains.append(scores[0] - scores[1])
    assert np.mean(gains) > 0.03
    assert np.min(gains) > -0.01
