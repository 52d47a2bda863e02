"""`reading="printed"`: what the papers print, beside the objectives of the pages."""

import numpy as np
import pytest

import colligate as cg
from colligate.registry import load_methods

from .planted_documents import blocks
from .test_cp import TITLES, categories

READINGS = sorted(name for name, cls in load_methods().items() if "reading" in cls.domains)


def labelled(truth, every=5):
    return cg.Knowledge().label({i: str(truth[i]) for i in range(0, len(truth), every)})


KNOWLEDGE = {
    "cp": cg.Knowledge().category("a", words=range(12)).category("b", words=range(12, 36)),
    "cp-links": cg.Knowledge().together(words=[(0, 1), (12, 13)]).apart(words=[(0, 12)]),
}


@pytest.fixture(scope="module")
def documents():
    return blocks(np.random.default_rng(0))


def fitted(name, documents, **parameters):
    counts, truth = documents
    knowledge = KNOWLEDGE.get(
        name, labelled(truth) if "labels:documents" in load_methods()[name].takes else None
    )
    return cg.make(name, n_clusters=3, random_state=0, **parameters).fit(counts, knowledge=knowledge)


def test_these_methods_have_a_printed_reading():
    assert READINGS == ["chinc", "citcc", "ckmeans", "cp", "cp-links", "hinc", "ssnmf"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", READINGS)
def test_a_printed_run_is_repeatable_stored_and_predicts(name, documents, tmp_path):
    first, second = (fitted(name, documents, reading="printed") for _ in range(2))
    np.testing.assert_array_equal(first.labels_, second.labels_)
    assert first.history_ == second.history_
    assert np.all(np.isfinite(first.history_))
    assert set(first.labels_) == {0, 1, 2}
    first.result_.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    assert loaded.parameters["reading"] == "printed"
    np.testing.assert_array_equal(loaded.predict(documents[0][:20]), first.predict(documents[0][:20]))


@pytest.mark.parametrize("name", READINGS)
def test_a_reading_that_nobody_printed_is_refused(name):
    with pytest.raises(cg.errors.ParameterError, match="reading must be one of 'objective', 'printed'"):
        cg.make(name, n_clusters=3, reading="aloud").fit(np.eye(6))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ["citcc", "ckmeans", "ssnmf"])
def test_the_printed_reading_of_an_easy_problem_finds_its_groups(name, documents):
    model = fitted(name, documents, reading="printed", **({"weighting": "tfidf"} if name == "ssnmf" else {}))
    assert model.result_.evaluate(documents[1])["nmi"] > 0.9


@pytest.mark.parametrize("name", ["hinc", "chinc"])
def test_every_relation_has_weight_1_as_printed(name, documents):
    counts = documents[0]
    types = {
        kind: cg.ObjectType(kind, range(n))
        for kind, n in zip(("documents", "words"), counts.shape, strict=True)
    }
    types["people"] = cg.ObjectType("people", range(5))
    few = np.eye(len(counts), 5)
    relations = [cg.Relation("documents", "words", counts), cg.Relation("documents", "people", few)]
    model = cg.make(name, n_clusters=3, reading="printed", random_state=0, n_init=1)
    fit = model.fit(cg.Network(types, relations))
    assert [relation.weight for relation in fit.result_.network.relations] == [1.0, 1.0]
    relations[1] = cg.Relation("documents", "people", few, weight=0.3)
    fit = model.fit(cg.Network(types, relations))
    assert [relation.weight for relation in fit.result_.network.relations] == [1.0, 0.3]
    with pytest.raises(cg.errors.ParameterError, match="relation_weights cannot be 'learned'"):
        model.set_params(relation_weights="learned").fit(cg.Network(types, relations))


def test_ckmeans_as_printed_has_term_frequencies_and_weight_1_over_root_m(documents):
    counts, truth = documents
    network = cg.Network.from_matrix(counts)
    guidance = labelled(truth).compile(network.names).guidance
    problem = cg.make("ckmeans", n_clusters=3, reading="printed", link_weight=2.0).problem(network, guidance)
    assert problem.w == pytest.approx(2.0 / np.sqrt(len(counts)))
    np.testing.assert_array_equal(problem.idf, 1.0)
    unit = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    np.testing.assert_allclose(problem.view(np.ones(counts.shape[1])).rows.toarray(), unit)


def test_from_the_k_means_of_the_toy_the_printed_updates_do_not_move():
    """Paper 000, section 2.3: k-means of the titles is a saddle of the printed updates."""
    start = np.array([0, 1, 0, 1])
    model = cg.make("cp", n_clusters=2, weighting="counts", reading="printed", init=start, n_init=1)
    stuck = model.fit(TITLES, knowledge=categories())
    assert stuck.labels_.tolist() == [0, 1, 0, 1]
    assert stuck.history_[-1] == pytest.approx(5.0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("start", [[0, 0, 0, 1], [1, 0, 0, 0]])
def test_from_a_start_beside_the_saddle_the_printed_updates_find_the_printed_groups(start):
    model = cg.make("cp", n_clusters=2, weighting="counts", reading="printed", init=np.array(start), n_init=1)
    labels = model.fit(TITLES, knowledge=categories()).labels_
    assert labels[0] == labels[1] != labels[2] == labels[3]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_words_in_no_category_take_no_part_in_cp_as_printed(documents):
    counts, _ = documents
    knowledge = cg.Knowledge().category("a", words=range(6)).category("b", words=range(12, 18))
    model = cg.make("cp", n_clusters=3, reading="printed", random_state=0, n_init=1)
    words = model.fit(counts, knowledge=knowledge).word_labels_
    assert set(words[:6]) == {0}
    assert set(words[12:18]) == {1}
    assert set(words[6:12]) == set(words[18:]) == {-1}


def test_cp_as_printed_has_as_many_word_groups_as_categories(documents):
    with pytest.raises(cg.errors.ParameterError, match="as many groups of words as categories, 2"):
        fitted("cp", documents, reading="printed", n_word_clusters=5)


@pytest.mark.parametrize("name", ["cp", "cp-links"])
def test_the_word_space_paper_has_one_relation(name, documents):
    counts = documents[0]
    types = {
        kind: cg.ObjectType(kind, range(n))
        for kind, n in zip(("documents", "words"), counts.shape, strict=True)
    }
    types["people"] = cg.ObjectType("people", range(counts.shape[1]))
    relations = [cg.Relation("documents", kind, counts) for kind in ("words", "people")]
    with pytest.raises(cg.errors.InputError, match="takes one relation"):
        cg.make(name, n_clusters=3, reading="printed").fit(cg.Network(types, relations))


def test_ssnmf_as_printed_takes_relations_of_the_documents_only():
    types = {kind: cg.ObjectType(kind, range(6)) for kind in ("documents", "words", "people")}
    relations = [cg.Relation("documents", "words", np.eye(6) + 1), cg.Relation("people", "words", np.eye(6))]
    with pytest.raises(cg.errors.InputError, match="takes relations of documents only"):
        cg.make("ssnmf", n_clusters=2, reading="printed").fit(cg.Network(types, relations))


def test_weights_that_ssnmf_learns_as_printed_are_not_scaled(documents):
    counts, truth = documents
    types = {
        kind: cg.ObjectType(kind, range(n))
        for kind, n in (("documents", len(counts)), ("words", 48), ("tags", 3))
    }
    tags = 2.0 * np.eye(3)[truth]
    relations = [cg.Relation("documents", "words", counts), cg.Relation("documents", "tags", tags)]
    model = cg.make(
        "ssnmf", n_clusters=3, random_state=0, reading="printed", weighting="counts", categories=False
    )
    model.fit(cg.Network(types, relations), knowledge=labelled(truth))
    importance = model.result_.model["modality_importance"]
    # products of tags are 4 for a link together and 0 for one apart, where the targets are 1 and 0
    assert importance[1] == pytest.approx(0.25)
    assert importance.sum() != pytest.approx(1.0)
    assert np.all(np.diff(model.history_) <= 1e-9 * np.abs(model.history_[:-1]))
