from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colligate.corpus import Corpus
from colligate.errors import InputError, KnowledgeWarning, MatrixError
from colligate.network import Network, ObjectType, Relation
from tests.result.networks import PEOPLE, USES, WROTE, network, network_result


def test_the_training_matrix_gets_the_training_labels(result):
    assert result.predict(result.counts).tolist() == result.labels["documents"].tolist()
    assert result.predict(result.counts).dtype == np.int32


@pytest.mark.parametrize(
    "form", [sparse.csc_matrix, sparse.coo_array, sparse.dok_array, lambda matrix: matrix.toarray()]
)
def test_any_form_of_matrix_will_do(result, form):
    assert result.predict(form(result.counts)).tolist() == result.labels["documents"].tolist()


def test_a_corpus_without_texts_is_matched_word_by_word(result):
    new = Corpus.from_counts(np.array([[2, 1, 0], [0, 0, 3], [0, 4, 0]]), ["puck", "unheard", "nasa"])
    assert result.predict(new).tolist() == [1, 0, -1]


def test_texts_are_counted_with_the_analyser_of_the_result(make_result):
    texts = ["orbit nasa launch", "nasa orbit", "hockey goal puck", "goal puck team"]
    corpus = Corpus.from_texts(texts)
    template = make_result([0, 0, 1, 1], texts=texts)
    from colligate.network import Network

    place = [template.corpus.words.index(word) for word in corpus.words]
    model = {"log_words": template.model["log_words"][place]}
    result = make_result(
        [0, 0, 1, 1], texts=texts, corpus=corpus, network=Network.from_corpus(corpus), model=model
    )
    assert result.predict(["NASA orbit orbit", "unheard words", "a goal by the team"]).tolist() == [0, -1, 1]
    assert result.predict(Corpus.from_texts(["puck puck new", "launch words"])).tolist() == [1, 0]


def test_text_is_refused_in_every_form_if_the_analyser_was_not_stored(result):
    assert result.corpus.analyser.unusable
    for new in (["orbit nasa"], Corpus.from_texts(["orbit nasa"])):
        with pytest.raises(
            InputError, match=r"cannot count the words of new texts: .*pass analyser=\.\.\. to Result\.load"
        ):
            result.predict(new)
    over = Corpus.from_texts(["orbit nasa"]).counts_over(result.corpus.words)
    assert result.predict(over).tolist() == [0]
    assert result.predict(result.corpus).tolist() == result.labels["documents"].tolist()


def test_a_matrix_with_other_columns_is_refused(result):
    with pytest.raises(MatrixError, match=r"has 3 columns, but the result has 12 words"):
        result.predict(np.ones((2, 3)))


def test_texts_cannot_be_counted_without_a_corpus(make_result):
    with pytest.raises(InputError, match="made from a matrix"):
        make_result(with_corpus=False).predict(["orbit"])


def test_a_corpus_cannot_be_matched_with_words_known_by_position(make_result):
    with pytest.raises(InputError, match="have no names"):
        make_result(with_corpus=False).predict(Corpus.from_counts(np.ones((1, 1)), ["orbit"]))


def test_a_single_text_is_no_list(result):
    with pytest.raises(InputError, match="if this is the text of a document, pass a list"):
        result.predict("orbit")


def test_memberships_sum_to_one_or_are_zero(result):
    found = result.predict_memberships(result.counts)
    assert found.sum(axis=1) == pytest.approx([1.0] * 10 + [0.0])
    assert found.argmax(axis=1)[:10].tolist() == result.labels["documents"][:10].tolist()


def test_many_documents_are_scored_in_parts(result, monkeypatch):
    whole = result.predict_memberships(result.counts)
    monkeypatch.setattr("colligate.result.predict.CHUNK", 3)
    assert np.array_equal(result.predict_memberships(result.counts), whole)
    assert result.predict(result.counts).tolist() == result.labels["documents"].tolist()


pytestmark = pytest.mark.usefixtures("fake_method")


def new_network(*relations: tuple[str, str, np.ndarray], **names: list[str] | range) -> Network:
    types = {kind: ObjectType(kind, listed) for kind, listed in names.items()}
    return Network(types, tuple(Relation(*relation) for relation in relations))


def test_the_network_of_the_result_gets_the_labels_of_the_result():
    result = network_result()
    assert result.predict(network()).tolist() == result.labels["papers"].tolist()


def test_a_matrix_speaks_of_the_terms_and_leaves_the_other_relations_empty():
    result = network_result()
    alone = result.predict_memberships(USES)
    padded = sparse.csr_array(sparse.hstack([sparse.csr_array(USES), sparse.csr_array((6, 4 + 6 + 6))]))
    scores = padded @ result.model["log_words"]
    assert result.predict(USES).tolist() == [0, 0, 0, 1, 1, -1]
    assert (alone[:5, 0] > alone[:5, 1]).tolist() == (scores[:5, 0] > scores[:5, 1]).tolist()


def test_matrices_may_be_given_by_relation_or_by_type():
    result = network_result()
    assert result.predict({"people": WROTE.T}).tolist() == [0, 0, 0, 1, 1, -1]
    assert result.predict({"people × papers": WROTE.T}).tolist() == [0, 0, 0, 1, 1, -1]
    both = result.predict_memberships({"people": WROTE.T, "words": USES})
    swapped = result.predict_memberships({"papers × words": USES, "people": WROTE.T})
    assert np.array_equal(both, swapped)
    assert not np.array_equal(both, result.predict_memberships(USES))


def test_new_papers_are_known_by_the_old_ones_they_cite():
    cites = np.zeros((3, 6))
    cites[0, 0] = cites[1, 3] = cites[2, 5] = 1
    assert network_result().predict({"papers × papers": cites}).tolist() == [0, 1, -1]
    assert network_result().predict({"papers": cites}).tolist() == [0, 1, -1]


def test_a_relation_without_weight_cannot_speak():
    result = network_result(network((0.5, 0.0, 0.1, 0.1)))
    assert result.predict({"people": WROTE.T}).tolist() == [-1] * 6


def test_objects_of_a_network_are_matched_by_name():
    new = new_network(
        ("papers", "people", np.array([[2, 0, 1], [0, 1, 0], [1, 0, 0]])),
        papers=["new", "newer", "newest"],
        people=["Cy", "Bo", "Stranger"],
    )
    assert network_result().predict(new).tolist() == [1, 0, 1]


def test_a_paper_with_nothing_known_is_in_no_group():
    new = new_network(
        ("papers", "people", np.array([[1, 0], [0, 1], [0, 0]])), papers=["x", "y", "z"], people=["Cy", "Who"]
    )
    assert network_result().predict(new).tolist() == [1, -1, -1]


def test_strangers_alone_are_told_of():
    new = new_network(("papers", "people", np.eye(2)), papers=["x", "y"], people=["cy", "bo"])
    with pytest.warns(KnowledgeWarning, match="none of the 2 people of the new papers is in the result"):
        assert network_result().predict(new).tolist() == [-1, -1]


def test_citations_of_old_papers_in_a_network_count_and_those_among_new_ones_do_not():
    cites = np.zeros((4, 4))
    cites[0, 2] = cites[3, 1] = cites[0, 1] = 1
    new = new_network(("papers", "papers", cites), papers=["x", "y", "p3", "p1"])
    assert network_result().predict(new).tolist() == [1, 0, -1, -1]


def test_relations_between_other_types_are_passed_over():
    new = new_network(
        ("papers", "people", np.eye(2)),
        ("people", "venues", np.eye(2)),
        papers=["x", "y"],
        people=["Cy", "Bo"],
        venues=["A", "B"],
    )
    assert network_result().predict(new).tolist() == [1, 0]


def positional() -> Network:
    known = network()
    types = {kind: ObjectType(kind, range(len(own))) for kind, own in known.types.items()}
    return Network(types, known.relations)


def test_objects_known_by_position_are_matched_by_it():
    result = network_result(positional())
    new = new_network(("papers", "people", WROTE.T), papers=range(6), people=range(4))
    assert result.predict(new).tolist() == [0, 0, 0, 1, 1, -1]
    with pytest.raises(InputError, match="has 4 people without names, but the new network has 3"):
        result.predict(new_network(("papers", "people", np.eye(3)), papers=range(3), people=range(3)))
    with pytest.raises(InputError, match="people have names in the new network, but not in the result"):
        result.predict(new_network(("papers", "people", WROTE.T), papers=range(6), people=PEOPLE))
    with pytest.raises(InputError, match="the new papers have no names"):
        result.predict(new_network(("papers", "papers", np.eye(6)), papers=range(6)))


def test_relations_of_the_same_two_types_are_told_apart_by_name():
    types = {kind: network().types[kind] for kind in ("papers", "people")}
    relations = (
        Relation("papers", "people", WROTE.T, 0.5, "written by"),
        Relation("papers", "people", WROTE.T[::-1], 0.5, "edited by"),
    )
    result = network_result(
        Network(types, relations), {"papers": [0, 0, 0, 1, 1, -1], "people": [0, 0, 1, 1]}
    )
    with pytest.raises(
        InputError,
        match=r"several relations connect papers with people; use the name of one: 'written by', 'edited by'",
    ):
        result.predict({"people": WROTE.T})
    with pytest.raises(
        InputError,
        match="the result has several relations with people; use",
    ):
        result.predict(new_network(("papers", "people", WROTE.T), papers=list("uvwxyz"), people=PEOPLE))
    assert result.predict({"written by": WROTE.T}).shape == (6,)
    named = Relation("people", "papers", WROTE, name="written by")
    assert np.array_equal(
        result.predict_memberships(Network(types, (named,))),
        result.predict_memberships({"written by": WROTE.T}),
    )


def test_a_relation_that_the_result_lacks_is_told_with_each_that_it_has_once():
    new = new_network(("papers", "venues", np.eye(2)), papers=["x", "y"], venues=["A", "B"])
    with pytest.raises(InputError, match="no relation with venues") as told:
        network_result().predict(new)
    assert str(told.value).endswith("use one of 'papers × words', 'people × papers', 'papers × papers'")


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ({}, "the mapping is empty"),
        ({"venues": USES}, "no relation or type 'venues' for its papers.* 'people × papers'"),
        ({"cities": np.ones((1, 3))}, "no relation or type 'cities' for its papers"),
        ({"words": USES, "papers × words": USES}, "means the same relation as an earlier key"),
        ({3: USES}, "no relation or type 3"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_refused(new, said):
    with pytest.raises(InputError, match=said):
        network_result().predict(new)


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(MatrixError, match=r"5 columns, but the result has 4 people; make a matrix"):
        network_result().predict({"people": USES})
    with pytest.raises(MatrixError, match="6 in words, 2 in people"):
        network_result().predict({"words": USES, "people": WROTE.T[:2]})
    with pytest.raises(MatrixError, match="Negative values in data: row 0, column 0"):
        network_result().predict({"words": -USES})


def test_a_network_without_the_centre_is_refused():
    with pytest.raises(
        InputError, match="groups papers, but the new network has none; its types are documents"
    ):
        network_result().predict(
            new_network(("documents", "words", USES), documents=range(6), words=range(5))
        )
    with pytest.raises(InputError, match="papers of the new network are in no relation"):
        network_result().predict(new_network(papers=["x"]))
    with pytest.raises(InputError, match=r"no relation with venues; use one of 'papers × words'"):
        network_result().predict(
            new_network(("papers", "venues", np.eye(2)), papers=["x", "y"], venues=["A", "B"])
        )


def test_a_corpus_is_matched_by_its_words():
    new = Corpus.from_counts(np.array([[2, 1], [0, 1]]), ["gene", "unheard"])
    assert network_result().predict(new).tolist() == [1, -1]
    with pytest.raises(InputError, match="made from a matrix or a network"):
        network_result().predict(["gene"])
