from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.kernels import make_kernels
from colligate.methods.guidance import compile_for
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.ensemble import (
    consensus_labels,
    document_stability,
    match_labels,
    merge_clusters,
    overcluster,
)
from colligate.methods.mixture.problem import SHARED

from ..planted_documents import planted


def unequal(sizes=(420, 60, 60, 60), words=40, length=40, seed=0):
    """Documents of one giant subject, whose words vary by degrees, and of three small ones."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    rows = []
    for subject in truth:
        angle = 2.0 * np.pi * (np.arange(words) / words - rng.random())
        rate = np.exp(3.0 * np.cos(angle)) if subject == 0 else np.ones(words)
        rates = np.zeros(words * len(sizes) + 200)
        rates[subject * words : (subject + 1) * words] = 0.5 * rate / rate.sum()
        rates[-200:] = 0.5 / 200
        rows.append(rng.multinomial(length, rates))
    return np.array(rows), truth


def fit(counts, n_clusters, knowledge=None, constants=None, **parameters):
    parameters = {"uneven_sizes": True, "random_state": 0, **parameters}
    method = cg.make("colligate", n_clusters=n_clusters, **parameters)
    method.constants = constants or Constants()
    return method.fit(counts, knowledge=knowledge)


def alike(truth, method):
    return adjusted_rand_score(truth, method.labels_[: len(truth)])


def problem_of(counts, groups, knowledge=None):
    method = cg.make("colligate", n_clusters=groups, uneven_sizes=True, random_state=0, n_jobs=1)
    network = cg.Network.from_matrix(counts)
    return method.problem(network, compile_for(method, network, None, knowledge or cg.Knowledge()).guidance)


@pytest.mark.parametrize("seed", range(3))
def test_a_giant_subject_is_one_group_beside_small_ones_if_the_user_says_so(seed):
    counts, truth = unequal(seed=seed)
    assert alike(truth, fit(counts, 4, random_state=seed)) > 0.95
    assert alike(truth, fit(counts, 4, random_state=seed, uneven_sizes=False)) < 0.6


def test_one_run_knows_it_too():
    counts, truth = unequal()
    assert alike(truth, fit(counts, 4, n_ensemble=1)) > 0.95


@pytest.mark.parametrize("copies", [1, 5])
def test_odd_texts_are_no_subject(copies):
    counts, truth = planted(groups=2)
    odd = sparse.csr_array(np.ones((copies, 20)))
    whole = sparse.block_diag([counts, odd], format="csr")
    for seed in range(3):
        assert alike(truth, fit(whole, 2, random_state=seed)) > 0.9


def test_empty_documents_change_nothing():
    counts, truth = unequal()
    more = np.vstack([counts, np.zeros((500, counts.shape[1]), dtype=counts.dtype)])
    method = fit(more, 4)
    assert alike(truth, method) > 0.95
    assert set(method.labels_[len(truth) :]) == {-1}


def test_a_giant_subject_is_one_group_where_a_small_one_has_a_name():
    counts, truth = unequal()
    method = fit(counts, 4, cg.Knowledge().label(dict.fromkeys(range(421, 424), "small")))
    assert alike(truth, method) > 0.95
    assert set(method.labels_[truth == 1]) == {0}


def test_links_and_outsiders_are_used():
    counts, truth = unequal()
    outside = np.flatnonzero(truth == 3)[:6].tolist()
    right = [(i, i + 1) for i in range(0, 60, 2)]
    method = fit(counts, 3, cg.Knowledge().together(documents=right).outside(outside))
    inside = truth < 3
    assert adjusted_rand_score(truth[inside], method.labels_[inside]) > 0.95
    assert (method.labels_[truth == 3] == -1).mean() > 0.9
    assert method.result_.trust[: len(right)].mean() > 0.9


def test_groups_that_point_the_same_way_are_merge_clusters():
    counts, truth = planted()
    q = np.eye(8)[truth + 4 * (np.arange(len(truth)) // 4 % 2)]
    merged = merge_clusters(problem_of(counts, 8), q, 4)
    assert merged.shape == (len(truth), 4)
    assert adjusted_rand_score(truth, merged.argmax(axis=1)) == 1.0


def test_groups_that_hold_nothing_are_no_group():
    counts, truth = planted()
    merged = merge_clusters(problem_of(counts, 8), np.eye(8)[truth * 2], 4)
    assert adjusted_rand_score(truth, merged.argmax(axis=1)) == 1.0


def test_groups_with_names_keep_their_numbers_and_stay_apart():
    counts, truth = planted()
    # two names within one subject
    subject = np.flatnonzero(truth == 0)
    knowledge = cg.Knowledge().label({int(subject[0]): "a", int(subject[1]): "b"})
    q = np.eye(8)[truth + 4 * (np.arange(len(truth)) // 4 % 2)]
    q[subject] = 0.0
    q[subject[::2], 0], q[subject[1::2], 1] = 1.0, 1.0
    merged = merge_clusters(problem_of(counts, 8, knowledge), q, 4)
    assert not merged[subject[::2]].argmax(axis=1).any()
    assert (merged[subject[1::2]].argmax(axis=1) == 1).all()


def test_groups_of_outsiders_are_not_merge_clusters():
    counts, truth = planted()
    problem = problem_of(counts, 3, cg.Knowledge().outside(np.flatnonzero(truth == 3)[:6].tolist()))
    finer = overcluster(problem)
    assert finer.n_groups - finer.n_inside == problem.n_groups - problem.n_inside
    q = np.random.default_rng(0).dirichlet(np.ones(finer.n_groups), size=len(truth))
    merged = merge_clusters(finer, q, 3)
    assert merged.shape[1] == problem.n_groups
    assert np.array_equal(merged[:, 3:], q[:, 6:])
    assert np.allclose(merged.sum(axis=1), 1.0)


def test_what_does_not_depend_on_the_number_of_groups_is_shared():
    problem = problem_of(planted()[0], 4)
    finer = overcluster(problem)
    assert finer.n_groups == 8
    assert all(getattr(finer, name) is getattr(problem, name) for name in SHARED)


def test_it_is_left_out_where_it_makes_no_sense():
    counts, truth = planted()
    names = cg.Knowledge().label({i: f"g{truth[i]}" for i in range(12)})
    assert overcluster(problem_of(counts, 4, names)) is None
    assert overcluster(problem_of(counts, 1)) is None
    assert overcluster(problem_of(planted(n=7)[0], 4)) is None
    assert overcluster(problem_of(counts, 121)) is None


def linked(truth, n_links, seed=0):
    """Links drawn at random, half of them together."""
    rng = np.random.default_rng(seed)
    one, other = rng.integers(len(truth), size=(2, 50 * n_links))
    same = (truth[one] == truth[other]) & (one != other)
    pairs = np.column_stack([one, other])
    return (
        cg.Knowledge()
        .together(documents=pairs[same][: n_links // 2].tolist())
        .apart(documents=pairs[truth[one] != truth[other]][: n_links // 2].tolist())
    )


def test_links_tell_that_subjects_are_uneven_without_the_user_saying_so():
    counts, truth = unequal()
    knowledge = linked(truth, 120)
    method = fit(counts, 4, knowledge, uneven_sizes=False)
    assert alike(truth, method) > 0.95
    assert np.nanmean(method.result_.trust) > 0.9


@pytest.mark.parametrize("seed", range(3))
def test_links_do_no_harm_where_subjects_are_of_one_size(seed):
    counts, truth = planted(strong=0.15, n=400, seed=seed)
    linked_too = fit(counts, 4, linked(truth, 100, seed), uneven_sizes=False)
    assert alike(truth, linked_too) > alike(truth, fit(counts, 4, uneven_sizes=False)) - 0.05


def test_few_links_do_not_decide_on_uneven_sizes():
    counts, truth = unequal()
    few = linked(truth, 8)
    never = replace(Constants(), link_gain=np.inf)
    expected = fit(counts, 4, few, never, uneven_sizes=False).labels_
    assert np.array_equal(fit(counts, 4, few, uneven_sizes=False).labels_, expected)


def noisy_runs(truth, rng, n_runs=8, wrong=0.2):
    runs = []
    for _ in range(n_runs):
        labels = np.where(rng.random(len(truth)) < wrong, rng.integers(4, size=len(truth)), truth)
        runs.append(rng.permutation(4)[labels].astype(np.int32))
    return runs


def test_the_consensus_of_poor_runs_is_good():
    rng = np.random.default_rng(0)
    truth = (np.arange(400) % 4).astype(np.int32)
    runs = noisy_runs(truth, rng)
    labels = match_labels(consensus_labels(make_kernels("fast", 1), runs, 4, rng, 5), truth, 4)
    assert (labels == truth).mean() > 0.97
    assert (match_labels(runs[0], truth, 4) == truth).mean() < 0.9


def test_documents_in_no_group_stay_in_none():
    rng = np.random.default_rng(0)
    runs = [np.where(np.arange(40) < 5, -1, np.arange(40) % 2).astype(np.int32)] * 3
    labels = consensus_labels(make_kernels("fast", 1), runs, 2, rng, 5)
    assert (labels[:5] == -1).all()
    assert (labels[5:] >= 0).all()


def test_stability_is_the_share_of_runs_whatever_their_numbers():
    labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    runs = [1 - labels, labels.copy()]
    runs[1][0] = 1
    np.testing.assert_allclose(document_stability(runs, labels, 2), [0.5, 1, 1, 1, 1, 1])
