import numpy as np
import pytest
from scipy.sparse import csr_array

import colligate as cg
from colligate.methods.guidance import compile_for
from colligate.methods.mixture.calibration import USUAL_FAITH
from colligate.methods.mixture.priors import LENIENCY, VOTE, make_terms

COUNTS = np.array([[9, 0, 0, 3], [1, 0, 0, 3], [1, 2, 0, 40], [0, 0, 4, 1], [0, 0, 0, 0]])


def terms_of(knowledge, counts=COUNTS, trust=1.0):
    method = cg.make("colligate", n_clusters=2, random_state=0, length_exponent=0.5)
    network = cg.Network.from_matrix(counts)
    problem = method.problem(network, compile_for(method, network, None, knowledge).guidance)
    return problem, make_terms(problem, np.full(problem.n_statements, trust), USUAL_FAITH)


@pytest.fixture
def categories():
    return cg.Knowledge().category("x", words=[0, 1]).category("y", words=[2])


def test_a_vote_is_for_a_word_however_often_it_occurs(categories):
    _, terms = terms_of(categories)
    assert terms.votes.tolist() == [[1, 0], [1, 0], [2, 0], [0, 1], [0, 0]]


def test_votes_count_as_much_as_what_the_words_of_a_document_are_worth(categories):
    problem, terms = terms_of(categories)
    assert problem.mass == pytest.approx(np.sqrt([12, 4, 43, 5, 0]))
    expected = VOTE * np.sqrt([[12], [4], [43], [5], [0]]) * np.log1p(terms.votes)
    assert terms.pull == pytest.approx(expected)


def test_a_vote_is_whole_where_entries_are_weights_below_one(categories):
    _, terms = terms_of(categories, counts=COUNTS / 50)
    assert terms.votes.tolist() == [[1, 0], [1, 0], [2, 0], [0, 1], [0, 0]]


def test_votes_count_by_a_root_of_the_trust_in_them(categories):
    _, terms = terms_of(categories, trust=0.5)
    assert terms.votes[2].tolist() == pytest.approx([2 * 0.5**LENIENCY, 0.0])


def test_what_words_say_adds_up_to_the_scores_with_votes(categories):
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.repeat([[3, 2, 0.1, 1], [0.1, 0.1, 3, 1]], 30, axis=0))
    method = cg.make("colligate", n_clusters=2, random_state=0).fit(counts, knowledge=categories)
    model, row = method.result_.model, csr_array(counts[[0]].astype(float))
    said = method.evidence(model, row.indices.astype(np.int64), row.data).sum(axis=0)
    offset = model["offset"] / model["temperature"]
    assert said + offset == pytest.approx(method.predict_scores(model, row)[0])


def test_new_documents_have_the_votes_of_those_in_the_run(categories):
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.repeat([[3, 2, 0.1, 1], [0.1, 0.1, 3, 1]], 30, axis=0))
    method = cg.make("colligate", n_clusters=2, random_state=0).fit(counts, knowledge=categories)
    assert method.transform(counts) == pytest.approx(method.result_.memberships["documents"], abs=1e-5)
