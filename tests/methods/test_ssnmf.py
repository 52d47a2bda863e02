import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.knowledge import Guidance
from colligate.methods.factorisation import metric
from colligate.methods.factorisation.metric import cross_validation_splits
from colligate.methods.factorisation.problem import FactorRelation, Metric
from colligate.network import Network

from .planted_networks import planted
from .test_cstrinmf import mixed


def labels_of(truth, every):
    labels = np.where(np.arange(len(truth)) % every == 0, truth, -1)
    return Guidance(len(truth), labels=labels, label_names=("a", "b", "c"))


def labelled(truth, every=2):
    labels = labels_of(truth, every)
    return labels.with_groups(labels.label_groups())


def test_a_stretch_is_the_product_it_stands_for():
    rng = np.random.default_rng(0)
    R, G, F = rng.random((8, 6)), rng.random((8, 3)), rng.random((6, 3))
    U = np.linalg.qr(rng.normal(size=(6, 2)))[0]
    whole = R @ (np.eye(6) + 1.5 * U @ U.T)
    stretch = Metric.along(U, sparse.csr_array(R), 1.5)
    np.testing.assert_allclose(R @ F + stretch.added_product(F, transposed=False), whole @ F)
    np.testing.assert_allclose(R.T @ G + stretch.added_product(G, transposed=True), whole.T @ G)
    assert np.square(R).sum() + stretch.added_norm == pytest.approx(np.square(whole).sum())


def test_scatters_are_sums_over_pairs():
    rng = np.random.default_rng(1)
    truth = np.arange(9) % 3
    Z = rng.normal(size=(9, 4))
    links = labelled(truth, 1)
    together, apart = metric.link_scatters(Z, links)
    expected = np.zeros((2, 4, 4))
    for i in range(9):
        for j in range(i):
            expected[int(truth[i] != truth[j])] += np.outer(Z[i] - Z[j], Z[i] - Z[j])
    np.testing.assert_allclose(together, expected[0])
    np.testing.assert_allclose(apart, expected[1])


def test_the_metric_brings_documents_of_one_label_closer():
    counts, truth = mixed(np.random.default_rng(2))
    method = cg.make("ssnmf", n_clusters=3)
    network = Network.from_matrix(sparse.csr_array(counts))
    problem = method.problem(network, {"documents": labels_of(truth, 2)})
    piece = problem.relations[0]
    plain = piece.matrix.toarray()
    learned = plain + piece.metric.mu * piece.metric.RU @ piece.metric.U.T

    def ratio(rows):
        centred = np.array([rows[truth == k].mean(axis=0) for k in range(3)])[truth]
        return np.square(centred - rows.mean(axis=0)).sum() / np.square(rows - centred).sum()

    assert ratio(learned) > 2 * ratio(plain)


def test_new_documents_meet_profiles_in_the_metric():
    """A score is a multiple, for each document, of its stretched row times the profile."""
    counts, truth = mixed(np.random.default_rng(2))
    method = cg.make("ssnmf", n_clusters=3, categories=False)
    network = Network.from_matrix(sparse.csr_array(counts))
    problem = method.problem(network, {"documents": labels_of(truth, 2)})
    state = method.start(problem, np.random.default_rng(0))
    model = method.model(problem, state)
    piece, profiles = problem.relations[0], method.profiles(problem, state)[0]
    assert piece.metric.mu > 0
    rows = piece.matrix.toarray() + piece.metric.mu * piece.metric.RU @ piece.metric.U.T
    expected = rows @ (profiles / np.linalg.norm(profiles, axis=0))
    scores = method.predict_scores(model, sparse.csr_array(counts))
    nonzero = np.abs(expected).max(axis=1) > 0
    scale = np.abs(scores[nonzero]).max(axis=1) / np.abs(expected[nonzero]).max(axis=1)
    np.testing.assert_allclose(scores[nonzero], expected[nonzero] * scale[:, None], rtol=1e-6, atol=1e-9)


def test_a_relation_that_tells_the_labels_counts_more_than_noise():
    rng = np.random.default_rng(3)
    truth = np.arange(60) % 3
    telling, noise = np.eye(3)[truth] + 0.1 * rng.random((60, 3)), rng.random((60, 40))
    pieces = [
        FactorRelation("r", "documents", "x", sparse.csr_array(rows), False) for rows in (noise, telling)
    ]
    stretched, weights = metric.learn_metrics(pieces, labelled(truth), 2, 3.0)
    assert weights[1] == 1.0
    assert weights[0] < 0.3
    assert [piece.squared_norm for piece in stretched] == pytest.approx([p.squared_norm for p in pieces])


def test_no_object_is_learned_from_and_judged_by():
    truth = np.arange(60) % 3
    for split in cross_validation_splits(labelled(truth)):
        learned_from = set(split.links.groups[0].member.tolist())
        judged_by = set(split.pairs.left.tolist()) | set(split.pairs.right.tolist())
        assert learned_from
        assert judged_by
        assert not learned_from & judged_by
        same = truth[split.pairs.left] == truth[split.pairs.right]
        np.testing.assert_array_equal(split.pairs.target, same)


def test_the_metric_does_not_depend_on_the_weight_of_a_relation():
    """So that learning it again for weighted relations changes nothing: one round is the fixed point."""
    rng = np.random.default_rng(5)
    truth = np.arange(40) % 3
    Z = rng.normal(size=(40, 6)) + np.eye(6)[truth]
    first, again = (
        metric.discriminant_directions(scale * Z, labelled(truth), 2, 0.1) for scale in (1.0, 0.01)
    )
    np.testing.assert_allclose(first @ first.T, again @ again.T, atol=1e-9)


def test_labels_help():
    counts, truth = mixed(np.random.default_rng(4))
    y = np.where(np.arange(90) % 2 == 0, truth, -1)
    alone = cg.make("ssnmf", n_clusters=3, random_state=0).fit(counts).result_
    guided = cg.make("ssnmf", n_clusters=3, random_state=0).fit(counts, y).result_
    assert guided.evaluate(truth)["nmi"] > alone.evaluate(truth)["nmi"] + 0.3


def fit_with_labels(network, **parameters):
    """Fit with the labels of every fourth document."""
    y = np.where(np.arange(90) % 4 == 0, np.arange(90) % 3, -1)
    return cg.make("ssnmf", n_clusters=3, random_state=0, **parameters).fit(network, y).result_


@pytest.fixture(scope="module")
def tagged():
    """Telling words, and tags that tell nothing."""
    return planted(
        {"documents": 90, "words": 60, "tags": 40},
        {("documents", "words"): (0.5, 0.1), ("documents", "tags"): (0.3, 0.3)},
    )


@pytest.fixture(scope="module")
def with_labels(tagged):
    return fit_with_labels(tagged)


def test_labels_make_categories_a_third_type(tagged, with_labels):
    result = with_labels
    assert result.network.types["categories"].names == ("0", "1", "2")
    assert len(set(result.labels["categories"])) == 3
    relation = result.network.relations[-1]
    assert (relation.name, relation.matrix.nnz) == ("documents × categories", 23)
    assert result.audit().counts()["kept"] == 23
    assert "categories" not in fit_with_labels(tagged, categories=False, n_init=1).network.types
    # a network that has them keeps its own
    assert len(fit_with_labels(result.network, n_init=1).network.relations) == 3


def test_links_alone_make_no_categories(tagged):
    knowledge = cg.Knowledge().together(documents=[(0, 3), (1, 4)]).apart(documents=[(0, 1), (3, 4), (1, 2)])
    result = cg.make("ssnmf", n_clusters=3, random_state=0).fit(tagged, knowledge=knowledge).result_
    assert set(result.network.types) == {"documents", "words", "tags"}


def test_the_importance_of_every_relation_is_in_the_result_and_its_report(with_labels, tmp_path):
    result = with_labels
    weights = {relation.name: relation.weight for relation in result.network.relations}
    assert sum(weights.values()) == pytest.approx(1.0)
    assert weights["documents × words"] > 2 * weights["documents × tags"]
    assert list(weights.values()) == result.model["modality_importance"].tolist()
    assert {part.relation: part.weight for part in result.contributions()} == weights
    page = result.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Contribution of each relation" in page
    assert f"{weights['documents × tags']:.2f}" in page


def test_a_single_label_links_nothing_and_teaches_nothing(tagged):
    weights = [
        cg.make("ssnmf", n_clusters=3, categories=False, random_state=0)
        .fit(tagged, knowledge=known)
        .result_.model["modality_importance"]
        for known in (None, cg.Knowledge().label({0: "a"}))
    ]
    np.testing.assert_allclose(weights[1], weights[0])


def test_a_result_with_categories_is_stored_and_predicts(tagged, with_labels, tmp_path):
    result = with_labels
    result.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.labels["categories"], result.labels["categories"])
    words = {"words": tagged.relations[0].matrix}
    np.testing.assert_array_equal(loaded.predict(words), result.predict(words))
