import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.registry import find_method

from ..planted_networks import agreement, planted, random_network

TRI = ("tnmf", "cp", "cp-links", "strinmf", "cstrinmf", "ssnmf", "nmf-triplet")
SIZES = {"documents": 90, "words": 60, "people": 45}
STAR = {("documents", "words"): (0.6, 0.1), ("people", "documents"): (0.5, 0.05)}


@pytest.fixture(scope="module")
def star():
    return planted(SIZES, STAR)


def made(name, **parameters):
    return cg.make(name, **{"n_clusters": 3, "random_state": 0, "n_init": 2, **parameters})


@pytest.mark.parametrize("name", TRI)
def test_planted_groups_of_every_type_are_found(name, star):
    model = made(name, n_word_clusters=3, n_entity_clusters={"people": 3}).fit(star)
    assert agreement(model.labels_) > 0.9
    assert agreement(model.result_.labels["people"]) > 0.8
    assert model.result_.association["people × documents"].shape == (3, 3)
    assert model.word_labels_ is model.result_.labels["words"]


def test_src_takes_all_relations_of_the_documents(star):
    assert agreement(made("src").fit(star).labels_) > 0.9


@pytest.mark.parametrize("name", ["tnmf", "src"])
def test_a_relation_helps_where_words_tell_little(name):
    network = planted(SIZES, {("documents", "words"): (0.3, 0.2), ("documents", "people"): (0.5, 0.02)})
    words = cg.Network.from_matrix(network.relations[0].matrix)
    both, alone = made(name).fit(network), made(name).fit(words)
    assert agreement(both.labels_) > agreement(alone.labels_) + 0.3


@pytest.mark.parametrize("name", TRI)
def test_the_objective_never_rises_on_random_networks(name):
    schema = [("documents", "words"), ("people", "documents"), ("people", "places"), ("documents", "places")]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        sizes = {"documents": 12, "words": 9, "people": 7, "places": 5}
        network = random_network(rng, schema, sizes)
        history = np.array(made(name, n_clusters=2, n_init=1).fit(network).history_)
        assert np.all(np.diff(history) <= 1e-9 * history[0])


def test_a_relation_without_entries_changes_nothing_of_the_documents(star):
    relations = [star.relations[0], cg.Relation("documents", "people", sparse.csr_array((90, 45)))]
    with_empty = made("tnmf").fit(cg.Network(star.types, relations))
    words = made("tnmf").fit(cg.Network.from_matrix(star.relations[0].matrix))
    np.testing.assert_array_equal(with_empty.labels_, words.labels_)
    assert set(with_empty.result_.labels["people"]) == {-1}


def weights(name, network, asked):
    relations = made(name, relation_weights=asked).fit(network).result_.network.relations
    return {relation.name: relation.weight for relation in relations}


def test_relations_count_by_occurrences_by_rows_or_as_given(star):
    totals = {relation.name: relation.total for relation in star.relations}
    whole = sum(totals.values())
    assert weights("tnmf", star, "share") == pytest.approx({n: t / whole for n, t in totals.items()})
    rows = {"documents × words": np.diff(star.relations[0].matrix.indptr).astype(bool).sum()}
    rows["people × documents"] = len(np.unique(star.relations[1].matrix.indices))
    every = sum(rows.values())
    assert weights("src", star, "plain") == pytest.approx({n: r / every for n, r in rows.items()})
    mapping = {"documents × words": 0.9, "people × documents": 0.3}
    assert weights("tnmf", star, mapping) == mapping
    with pytest.raises(cg.errors.ParameterError, match="relation_weights has an entry for 'people'"):
        weights("tnmf", star, {"people": 1.0})
    with pytest.raises(cg.errors.ParameterError, match="relation_weights must be one of 'share', 'plain'"):
        weights("tnmf", star, "learned")


def test_a_relation_of_weight_nothing_has_no_say():
    network = planted(SIZES, {("documents", "words"): (0.6, 0.1), ("documents", "people"): (0.3, 0.3)})
    asked = {"documents × words": 1.0, "documents × people": 0.0}
    model = made("tnmf", relation_weights=asked).fit(network)
    assert agreement(model.labels_) > 0.9
    words = made("tnmf").fit(cg.Network.from_matrix(network.relations[0].matrix))
    np.testing.assert_array_equal(model.labels_, words.labels_)


@pytest.mark.parametrize("name", [*TRI, "src"])
def test_a_relation_of_a_type_with_itself_is_refused_by_name(name, star):
    reflexive = cg.Relation("people", "people", sparse.csr_array(np.ones((45, 45))))
    with pytest.raises(
        cg.errors.InputError, match=f"{name} does not accept people × people, because both sides"
    ):
        made(name).fit(cg.Network(star.types, [*star.relations, reflexive]))


def test_a_network_whose_documents_stand_alone_is_refused(star):
    relation = cg.Relation("people", "words", sparse.csr_array(np.ones((45, 60))))
    with pytest.raises(cg.errors.InputError, match="tnmf groups documents, but no relation"):
        made("tnmf").fit(cg.Network(star.types, [relation]))


@pytest.mark.parametrize("name", ["tnmf", "ssnmf", "src"])
@pytest.mark.parametrize("weighting", ["tfidf", "counts"])
def test_new_documents_follow_all_relations_or_some(name, weighting, star):
    y = np.where(np.arange(90) % 4 == 0, np.arange(90) % 3, -1) if name == "ssnmf" else None
    model = made(name, weighting=weighting).fit(star, y)
    fresh = planted(SIZES, STAR, seed=1)
    for new in (fresh, {"words": fresh.relations[0].matrix}, {"people": fresh.relations[1].matrix.T}):
        predicted = model.result_.predict(new)
        assert agreement(predicted) > 0.4, list(new) if isinstance(new, dict) else "network"
        assert model.result_.predict_memberships(new).shape == (90, 3)


@pytest.mark.parametrize("name", ["tnmf", "ssnmf"])
def test_the_evidence_of_all_objects_around_a_document_is_its_score(name, star):
    model = made(name).fit(star).result_.model
    matrix = sparse.csr_array(star.neighbourhood("documents").matrix[:12].astype(np.float32))
    scores = find_method(name).predict_scores(model, matrix)
    for row, (a, b) in enumerate(zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)):
        columns = matrix.indices[a:b].astype(np.int64)
        np.testing.assert_allclose(
            find_method(name).evidence(model, columns, matrix.data[a:b]).sum(axis=0), scores[row]
        )
