import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import colligate as cg

from .planted_networks import agreement, planted, random_network

SCHEMAS = {
    "star": [("documents", "words"), ("documents", "people"), ("documents", "places")],
    "chain": [("documents", "words"), ("people", "documents"), ("people", "places")],
    "entities": [
        ("documents", "words"),
        ("documents", "people"),
        ("documents", "places"),
        ("people", "places"),
    ],
    "self": [("documents", "words"), ("documents", "documents")],
    "entities among themselves": [("documents", "words"), ("documents", "people"), ("people", "people")],
    "two between the same types": [("documents", "words"), ("documents", "words"), ("words", "documents")],
    "without words": [("documents", "people"), ("people", "places")],
    "no documents": [("people", "places"), ("places", "people"), ("places", "places")],
    "a self-relation alone": [("documents", "documents")],
    "two parts": [("documents", "words"), ("people", "places")],
}
SIZES = {"documents": 30, "words": 24, "people": 12, "places": 9}


def network_of(schema, rng):
    kinds = {kind for pair in SCHEMAS[schema] for kind in pair}
    return random_network(rng, SCHEMAS[schema], {kind: n for kind, n in SIZES.items() if kind in kinds})


def quiet(model, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*arguments, **options)


def information(table):
    p = table / table.sum()
    rows, columns = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    positive = p > 0
    return float((p[positive] * np.log(p[positive] / (rows * columns)[positive])).sum())


def clustered(dense, rows, columns, n_rows, n_columns):
    return np.eye(n_rows)[rows].T @ dense @ np.eye(n_columns)[columns]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_objective_is_the_information_lost_and_never_rises(schema):
    for seed in range(3):
        network = network_of(schema, np.random.default_rng(seed))
        model = quiet(cg.make("hinc", n_clusters=3, n_word_clusters=5, random_state=seed, n_init=1), network)
        history = np.array(model.history_)
        assert np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]))
        lost = 0.0
        for relation in model.result_.network.relations:
            dense = relation.matrix.toarray().astype(float)
            labels = model.result_.labels
            sizes = (model.result_.n_groups(kind) for kind in (relation.rows, relation.columns))
            table = clustered(dense, labels[relation.rows], labels[relation.columns], *sizes)
            lost += relation.weight * (information(dense) - information(table))
        assert model.history_[-1] == pytest.approx(lost, abs=1e-9)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_type_in_a_relation_is_clustered_alike_on_any_number_of_threads(schema):
    network = network_of(schema, np.random.default_rng(5))
    one = quiet(cg.make("hinc", n_clusters=3, random_state=1, n_init=2, n_jobs=1), network).result_
    many = quiet(cg.make("hinc", n_clusters=3, random_state=1, n_init=2, n_jobs=3), network).result_
    assert set(one.labels) == set(network.types)
    for kind, labels in one.labels.items():
        np.testing.assert_array_equal(labels, many.labels[kind])
        assert np.array_equal(labels >= 0, network.nonempty(kind))


@given(counts=st.integers(0, 2**32 - 1), seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_with_one_relation_it_is_itcc_to_the_bit(counts, seed):
    rng = np.random.default_rng(counts)
    matrix = rng.poisson(0.7, (40, 25)) * (rng.random((40, 1)) > 0.1)
    parameters = {
        "n_clusters": 4,
        "n_word_clusters": 6,
        "random_state": seed,
        "n_init": 2,
        "polish": bool(seed % 2),
    }
    plain = quiet(cg.make("itcc", **parameters), matrix)
    for network in (cg.Network.from_matrix(matrix), matrix):
        result = quiet(cg.make("hinc", **parameters), network)
        np.testing.assert_array_equal(plain.labels_, result.labels_)
        np.testing.assert_array_equal(plain.word_labels_, result.word_labels_)
        assert plain.history_ == result.history_


def test_planted_groups_of_every_type_are_found_in_a_star_with_weak_words():
    sizes = {"documents": 150, "words": 60, "people": 30, "places": 24}
    network = planted(
        sizes,
        {
            ("documents", "words"): (0.25, 0.15),
            ("documents", "people"): (0.4, 0.01),
            ("documents", "places"): (0.4, 0.01),
        },
    )
    words = cg.Network({kind: network.types[kind] for kind in ("documents", "words")}, network.relations[:1])
    parameters = {"n_clusters": 3, "n_entity_clusters": 3, "random_state": 0, "n_init": 10}
    alone = cg.make("hinc", **parameters).fit(words)
    labels = cg.make("hinc", **parameters).fit(network).result_.labels
    assert agreement(labels["documents"]) > 0.95 > agreement(alone.labels_) + 0.2
    assert agreement(labels["people"]) > 0.95
    assert agreement(labels["places"]) > 0.95


def test_groups_reach_the_end_of_a_chain():
    sizes = {"documents": 90, "words": 60, "people": 30, "places": 24}
    network = planted(
        sizes,
        {
            ("documents", "words"): (0.6, 0.05),
            ("people", "documents"): (0.4, 0.02),
            ("people", "places"): (0.5, 0.02),
        },
    )
    labels = cg.make("hinc", n_clusters=3, n_entity_clusters=3, random_state=0).fit(network).result_.labels
    assert min(agreement(labels[kind]) for kind in ("documents", "people", "places")) > 0.9


@pytest.mark.parametrize(
    "relations",
    [
        {("documents", "documents"): (0.3, 0.02)},
        {("documents", "words"): (0.22, 0.15), ("documents", "documents"): (0.3, 0.02)},
    ],
)
def test_documents_that_cite_each_other_are_grouped(relations):
    network = planted({"documents": 120, "words": 40}, relations)
    model = cg.make("hinc", n_clusters=3, random_state=0, n_init=10).fit(network)
    assert agreement(model.labels_) > 0.9


def test_a_type_of_one_object_and_an_empty_relation_change_nothing_else():
    base = planted({"documents": 60, "words": 40}, {("documents", "words"): (0.6, 0.05)})
    types = {
        **base.types,
        "journal": cg.ObjectType("journal", ["the only one"]),
        "people": cg.ObjectType("people", range(7)),
        "lonely": cg.ObjectType("lonely", range(3)),
    }
    ones, nothing = sparse.csr_array(np.ones((60, 1))), sparse.csr_array((60, 7))
    relations = [cg.Relation("documents", "journal", ones), cg.Relation("documents", "people", nothing)]
    model = cg.make("hinc", n_clusters=3, random_state=0).fit(
        cg.Network(types, (*base.relations, *relations))
    )
    labels = model.result_.labels
    assert agreement(labels["documents"]) == pytest.approx(1.0)
    assert labels["journal"].tolist() == [0]
    assert labels["people"].tolist() == [-1] * 7
    assert "lonely" not in labels


def test_documents_without_words_are_grouped_by_their_people():
    network = planted(
        {"documents": 90, "words": 60, "people": 30},
        {("documents", "words"): (0.6, 0.05), ("documents", "people"): (0.4, 0.02)},
    )
    words = network.relations[0].matrix.tolil()
    words[:9] = 0
    relations = (cg.Relation("documents", "words", words.tocsr()), network.relations[1])
    model = cg.make("hinc", n_clusters=3, random_state=0).fit(cg.Network(network.types, relations))
    known = np.diff(network.relations[1].matrix[:9].indptr) > 0
    assert known.sum() >= 7
    assert np.array_equal(model.labels_[:9] >= 0, known)
    assert agreement(model.labels_) > 0.85


def test_parts_that_are_not_connected_are_clustered_each_for_itself():
    network = planted(
        {"documents": 60, "words": 40, "people": 60, "places": 30},
        {("documents", "words"): (0.6, 0.05), ("people", "places"): (0.8, 0.03)},
    )
    labels = cg.make("hinc", n_clusters=3, n_entity_clusters=3, random_state=0).fit(network).result_.labels
    assert min(agreement(labels[kind]) for kind in ("documents", "people", "places")) > 0.9


def test_the_numbers_of_clusters_of_each_type():
    network = network_of("star", np.random.default_rng(0))
    sizes = cg.make("hinc", n_clusters=2).n_clusters_by_type(network)
    assert sizes == {"documents": 2, "words": 16, "people": 4, "places": 4}
    assert cg.make("hinc", n_clusters=2, n_entity_clusters=3).n_clusters_by_type(network)["places"] == 3
    asked = cg.make("hinc", n_clusters=2, n_entity_clusters={"people": 5}).n_clusters_by_type(network)
    assert (asked["people"], asked["places"]) == (5, 4)
    # a rule never asks for more clusters than there are objects; a person who does is told
    assert cg.make("hinc", n_clusters=9).n_clusters_by_type(network)["places"] == int(
        network.nonempty("places").sum()
    )
    with pytest.raises(cg.errors.ParameterError, match="99 groups of people"):
        cg.make("hinc", n_clusters=2, n_entity_clusters={"people": 99}).fit(network)
    with pytest.raises(
        cg.errors.ParameterError,
        match="has an entry for cars, which is not allowed; allowed types: people, places",
    ):
        cg.make("hinc", n_clusters=2, n_entity_clusters={"cars": 2}).fit(network)
    with pytest.raises(cg.errors.ParameterError, match="n_entity_clusters must be a whole number"):
        cg.make("hinc", n_clusters=2, n_entity_clusters={"people": 0}).fit(network)


def test_a_centre_in_no_relation_is_refused():
    types = {kind: cg.ObjectType(kind, range(3)) for kind in ("documents", "people", "places")}
    network = cg.Network(types, [cg.Relation("people", "places", np.eye(3))])
    with pytest.raises(cg.errors.InputError, match="no relation with a weight above 0"):
        cg.make("hinc", n_clusters=2).fit(network)


def test_a_given_start_is_taken_for_documents_and_words():
    network = network_of("star", np.random.default_rng(0))
    init = np.arange(30) % 3
    model = cg.make("hinc", n_clusters=3, init=init, word_init=np.arange(24) % 16, n_init=1)
    state = model.start(model.problem(network, {}), np.random.default_rng(0))
    filled = network.nonempty("documents")
    np.testing.assert_array_equal(state.labels["documents"][filled], init[filled])


@pytest.mark.parametrize("init", ["svd", "tfidf", "random"])
def test_every_start_reaches_all_types_of_a_chain(init):
    network = network_of("chain", np.random.default_rng(0))
    model = cg.make("hinc", n_clusters=3, init=init, word_init=init)
    state = model.start(model.problem(network, {}), np.random.default_rng(0))
    assert set(state.labels) == set(network.types)
    assert len(set(state.labels["places"][network.nonempty("places")])) > 1


def test_a_run_is_resumed_only_on_its_own_network_and_with_its_own_types(tmp_path):
    from colligate.methods.fit import RunOptions

    rng = np.random.default_rng(0)
    dense = sparse.csr_array(rng.poisson(0.6, (20, 20)))
    kinds = ("documents", "words", "people", "people.npy")
    types = {kind: cg.ObjectType(kind, range(20)) for kind in kinds}
    described = cg.Relation("documents", "words", dense)

    def network(rows):
        other = cg.Relation("documents", "people.npy", sparse.csr_array(rng.poisson(0.6, (20, 20))), name="s")
        return cg.Network(types, [described, cg.Relation(rows, "people", dense, name="r"), other])

    one = network("documents")
    parameters = {"n_clusters": 3, "n_word_clusters": 4, "random_state": 0, "n_init": 3}
    whole = quiet(cg.make("hinc", **parameters), one)
    for stop in (2, 5, 9):
        path = tmp_path / f"{stop}.npz"
        looks = iter([False] * stop + [True])
        options = RunOptions(
            checkpoint=path, checkpoint_interval=0.0, cancelled=lambda looks=looks: next(looks)
        )
        with pytest.raises(cg.errors.CancelledError):
            quiet(cg.make("hinc", **parameters), one, options=options)
        again = quiet(cg.make("hinc", **parameters), one, options=RunOptions(checkpoint=path))
        for kind in whole.result_.labels:
            np.testing.assert_array_equal(whole.result_.labels[kind], again.result_.labels[kind])
        turned = cg.Network(
            types, [described, cg.Relation("words", "people", dense, name="r"), one.relations[2]]
        )
        with pytest.raises(cg.errors.StoreError, match="belongs to a run with other documents"):
            quiet(cg.make("hinc", **parameters), turned, options=RunOptions(checkpoint=path))


def test_words_of_two_relations_count_in_both():
    network = planted({"documents": 60, "words": 40}, {("documents", "words"): (0.6, 0.05)})
    title = sparse.csr_array(np.eye(60, 40))
    relations = (*network.relations, cg.Relation("documents", "words", title, name="title"))
    both = cg.Network(network.types, relations)
    expected = network.relations[0].matrix.toarray() + np.eye(60, 40)
    np.testing.assert_array_equal(both.counts.toarray(), expected)
