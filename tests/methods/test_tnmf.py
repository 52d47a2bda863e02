import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import colligate as cg
from colligate.network import Network

from .planted_documents import blocks


def test_planted_groups_are_found():
    counts, truth = blocks(np.random.default_rng(0))
    model = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)
    assert model.word_labels_.shape == (48,)
    assert model.column_labels_ is model.word_labels_


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["auto", "tfidf", "random"]))
@pytest.mark.filterwarnings("ignore:.*before it converged")
def test_the_objective_never_rises(seed, init):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.5, (40, 25))
    counts[:, 0] += 1
    model = cg.make(
        "tnmf",
        n_clusters=4,
        n_word_clusters=5,
        init=init,
        word_init=init,
        n_init=1,
        max_iter=60,
        random_state=seed,
    )
    history = np.array(model.fit(counts).history_)
    assert np.all(np.diff(history) <= 1e-12 * history[0])


def test_memberships_come_close_to_orthogonal_as_asked():
    counts, _ = blocks(np.random.default_rng(0))

    def overlap(orthogonality):
        method = cg.make("tnmf", n_clusters=3, n_word_clusters=4, orthogonality=orthogonality)
        problem = method.problem(Network.from_matrix(sparse.csr_array(counts)), {})
        state = method.start(problem, np.random.default_rng(0))
        for _ in range(60):
            state = method.sweep(problem, state)
        G = state.numbers["memberships/documents"]
        return np.abs(G.T @ G - np.eye(3)).max()

    assert overlap(1.0) < 0.01 < overlap(1e-4)


def test_empty_documents_and_unused_words_are_in_no_group():
    counts, _ = blocks(np.random.default_rng(1))
    counts[5] = 0
    counts[:, 7] = 0
    model = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts)
    assert model.labels_[5] == model.word_labels_[7] == -1
    assert np.all(np.delete(model.labels_, 5) >= 0)
    assert model.result_.memberships["documents"][5].sum() == 0


def test_memberships_are_soft_where_a_document_is_between_groups():
    counts, truth = blocks(np.random.default_rng(2))
    both = counts[truth == 0][:10].sum(axis=0) + counts[truth == 1][:10].sum(axis=0)
    model = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0).fit(np.vstack([counts, both]))
    shares = model.result_.memberships["documents"]
    assert shares[-1].max() < 0.7 < np.median(shares[:-1].max(axis=1))


def test_new_documents_go_where_the_old_ones_are():
    counts, truth = blocks(np.random.default_rng(3))
    model = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts[::2])
    predicted = model.predict(counts[1::2])
    assert len({(a, b) for a, b in zip(predicted, truth[1::2], strict=True)}) == 3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("init", np.zeros(3, dtype=int), "init must be 60 whole numbers, one for each of the documents"),
        ("word_init", "svd", "word_init must be one of 'auto', 'tfidf', 'random' or an array in TNMF"),
        ("orthogonality", 0.0, "orthogonality must be a number of at least 1e-06 in TNMF; got 0.0"),
        ("weighting", "idf", "weighting must be one of 'tfidf', 'counts' in TNMF; got 'idf'"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_refused(name, value, message):
    counts, _ = blocks(np.random.default_rng(0))
    with pytest.raises(cg.errors.ParameterError, match=message):
        cg.make("tnmf", n_clusters=3, n_word_clusters=4, **{name: value}).fit(counts)


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    from colligate.methods.fit import RunOptions

    counts, _ = blocks(np.random.default_rng(4))
    model = cg.make("tnmf", n_clusters=3, n_word_clusters=4, random_state=0, n_init=2)
    whole = model.fit(counts)
    labels, history = whole.labels_, whole.history_
    calls = iter([False] * 3 + [True] * 9)
    path = tmp_path / "checkpoint.npz"
    with pytest.raises(cg.errors.CancelledError):
        model.fit(counts, options=RunOptions(checkpoint=path, cancelled=lambda: next(calls)))
    resumed = model.fit(counts, options=RunOptions(checkpoint=path))
    np.testing.assert_array_equal(resumed.labels_, labels)
    assert resumed.history_ == history
