from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colligate.corpus import Corpus
from colligate.errors import InputError, MatrixError


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
            InputError, match=r"cannot count new text: .*pass analyser=\.\.\. to Result\.load"
        ):
            result.predict(new)
    over = Corpus.from_texts(["orbit nasa"]).counts_over(result.corpus.words)
    assert result.predict(over).tolist() == [0]
    assert result.predict(result.corpus).tolist() == result.labels["documents"].tolist()


def test_a_matrix_with_other_columns_is_refused(result):
    with pytest.raises(MatrixError, match=r"has 3 columns, the result was made with 12 words"):
        result.predict(np.ones((2, 3)))


def test_texts_cannot_be_counted_without_a_corpus(make_result):
    with pytest.raises(InputError, match="made from a matrix"):
        make_result(with_corpus=False).predict(["orbit"])


def test_a_corpus_cannot_be_matched_with_words_known_by_position(make_result):
    with pytest.raises(InputError, match="only by position"):
        make_result(with_corpus=False).predict(Corpus.from_counts(np.ones((1, 1)), ["orbit"]))


def test_a_single_text_is_no_list(result):
    with pytest.raises(InputError, match="put it in a list"):
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
