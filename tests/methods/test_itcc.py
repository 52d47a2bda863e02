import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg
from colligate.methods.information.step import update_labels
from colligate.network import Network

from .planted_documents import blocks


def textbook(p, rows, columns, n_rows, n_columns):
    """q(d, w) = p(d̂, ŵ)·p(d|d̂)·p(w|ŵ) and D(p‖q), as the papers have it."""
    q = np.zeros_like(p)
    for k in range(n_rows):
        for column in range(n_columns):
            block = np.ix_(rows == k, columns == column)
            joint = p[block].sum()
            row_share = p[rows == k].sum(axis=1) / max(p[rows == k].sum(), 1e-300)
            column_share = p[:, columns == column].sum(axis=0) / max(p[:, columns == column].sum(), 1e-300)
            q[block] = joint * np.outer(row_share, column_share)
    used = p > 0
    return float(np.sum(p[used] * np.log(p[used] / q[used]))), q


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_objective_equals_the_textbook_divergence(seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(1.0, (9, 7)) + (rng.random((9, 7)) < 0.3)
    counts[:, 0] += 1
    counts[0] += 1
    method = cg.make("itcc", n_clusters=3, n_word_clusters=2)
    problem = method.problem(Network.from_matrix(counts), {})
    rows, columns = rng.integers(0, 3, 9).astype(np.int32), rng.integers(0, 2, 7).astype(np.int32)
    objective = problem.evaluate({"documents": rows, "words": columns}).objective
    assert objective == pytest.approx(textbook(counts / counts.sum(), rows, columns, 3, 2)[0], abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_label_update_equals_the_textbook_one(seed):
    rng = np.random.default_rng(seed)
    # weights, not counts: two clusters with the same distribution would tie
    counts = rng.poisson(2.0, (9, 7)) + rng.uniform(0.5, 1.5, (9, 7))
    method = cg.make("itcc", n_clusters=3, n_word_clusters=2)
    problem = method.problem(Network.from_matrix(counts), {})
    rows, columns = (np.arange(9) % 3).astype(np.int32), rng.permutation(np.arange(7) % 2).astype(np.int32)
    updated = update_labels(problem, {"documents": rows, "words": columns}, "documents", 0.0, {})["documents"]
    p = counts / counts.sum()
    expected = []
    for row in p:
        divergence = []
        for k in range(3):
            joint = np.array([p[rows == k][:, columns == c].sum() for c in range(2)])
            q = np.array(
                [
                    joint[columns[w]] / joint.sum() * p[:, w].sum() / p[:, columns == columns[w]].sum()
                    for w in range(7)
                ]
            )
            conditional = row / row.sum()
            divergence.append(np.sum(conditional * np.log(conditional / q)))
        expected.append(int(np.argmin(divergence)))
    assert updated.tolist() == expected


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["auto", "random"]), st.booleans())
def test_the_objective_never_rises(seed, init, polish):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.5, (40, 25))
    counts[:, 0] += 1
    counts[0] += 1
    model = cg.make(
        "itcc", n_clusters=4, n_word_clusters=5, init=init, polish=polish, n_init=1, random_state=seed
    )
    history = np.array(model.fit(counts).history_)
    assert np.all(np.diff(history) <= 1e-12)


def test_planted_groups_are_found():
    counts, truth = blocks(np.random.default_rng(0))
    model = cg.make("itcc", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)
    assert model.word_labels_.shape == (48,)
    assert model.column_labels_ is model.word_labels_


def test_empty_documents_and_unused_words_are_in_no_group():
    counts, _ = blocks(np.random.default_rng(1))
    counts[5] = 0
    counts[:, 7] = 0
    model = cg.make("itcc", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts)
    assert model.labels_[5] == -1
    assert model.word_labels_[7] == -1
    assert np.all(np.delete(model.labels_, 5) >= 0)
    assert model.result_.memberships["documents"][5].sum() == 0


def test_every_cluster_is_filled_even_from_a_start_that_leaves_some_empty():
    counts, _ = blocks(np.random.default_rng(2))
    start = np.zeros(len(counts), dtype=int)
    model = cg.make("itcc", n_clusters=3, n_word_clusters=4, init=start, random_state=0, n_init=1).fit(counts)
    assert set(model.labels_) == {0, 1, 2}
    assert np.all(np.diff(model.history_) <= 1e-12)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        (np.zeros(3, dtype=int), "must be 60 whole numbers"),
        (np.full(60, 9), "init must contain the number of a group, from 0 to 2"),
        (
            "nowhere",
            "init must be one of 'auto', 'svd', 'tfidf', 'random' or an array in ITCC; got 'nowhere'",
        ),
    ],
)
def test_a_start_that_cannot_be_used_is_refused(init, message):
    counts, _ = blocks(np.random.default_rng(0))
    with pytest.raises(cg.errors.ParameterError, match=message):
        cg.make("itcc", n_clusters=3, n_word_clusters=4, init=init).fit(counts)


def test_new_documents_go_where_the_old_ones_are():
    counts, truth = blocks(np.random.default_rng(3))
    model = cg.make("itcc", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts[::2])
    predicted = model.predict(counts[1::2])
    agreement = {(a, b) for a, b in zip(predicted, truth[1::2], strict=True)}
    assert len(agreement) == 3
    assert model.predict(np.zeros((1, counts.shape[1]))).tolist() == [-1]
