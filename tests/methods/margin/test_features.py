import numpy as np
import pytest
from scipy import sparse

from colligate.methods.margin.features import centre_rows, make_space

COUNTS = sparse.csr_array(np.random.default_rng(0).poisson(0.6, (50, 30)).astype(np.float32))
WEIGHTS = np.random.default_rng(1).normal(size=(4, 31))


def dense(features):
    rows = features.rows.toarray() if sparse.issparse(features.rows) else features.rows
    plain = (rows - features.centre) * features.scale
    return np.concatenate([plain, np.full((len(features), 1), features.constant)], axis=1)


def test_sparse_rows_are_centred_without_being_filled():
    features = centre_rows(make_space(COUNTS, None).rows(COUNTS)).scaled(3.0, 1.0)
    assert sparse.issparse(features.rows)
    np.testing.assert_allclose(features.scores(WEIGHTS), dense(features) @ WEIGHTS.T)
    table = np.random.default_rng(2).normal(size=(50, 4))
    np.testing.assert_allclose(features.sums(table), table.T @ dense(features))


def test_the_mean_score_is_that_of_the_constant_feature():
    features = centre_rows(make_space(COUNTS, None).rows(COUNTS)).scaled(3.0, 2.0)
    np.testing.assert_allclose(
        features.mean_scores(WEIGHTS), features.scores(WEIGHTS).mean(axis=0), atol=1e-12
    )
    table = np.arange(4.0)
    assert np.vdot(features.mean_sums(table), WEIGHTS) == pytest.approx(table @ features.mean_scores(WEIGHTS))


@pytest.mark.parametrize("dimensions", [None, 10])
def test_the_length_is_the_root_mean_square_after_centring(dimensions):
    features = centre_rows(make_space(COUNTS, dimensions).rows(COUNTS))
    rows = dense(features)[:, :-1]
    assert features.length() == pytest.approx(np.sqrt((rows**2).sum(axis=1).mean()), rel=1e-5)


def test_weights_of_words_give_the_same_scores_as_weights_of_directions():
    space = make_space(COUNTS, 10)
    features = centre_rows(space.rows(COUNTS))
    weights = WEIGHTS[:, :11]
    words = make_space(COUNTS, None).rows(COUNTS) @ space.word_weights(weights[:, :-1])
    np.testing.assert_allclose(
        words - features.centre @ weights[:, :-1].T, features.scores(weights), atol=1e-5
    )


def test_there_are_no_more_directions_than_documents_or_words():
    assert make_space(COUNTS, 300).directions.shape == (30, 30)
    assert make_space(COUNTS[:7], 300).directions.shape == (30, 7)
