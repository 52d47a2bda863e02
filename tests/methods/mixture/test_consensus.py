import numpy as np

from colligate.kernels import make_kernels
from colligate.methods.mixture.ensemble import agreed, renumbered, stability


def noisy_runs(truth, rng, n_runs=8, wrong=0.2):
    found = []
    for _ in range(n_runs):
        labels = np.where(rng.random(len(truth)) < wrong, rng.integers(4, size=len(truth)), truth)
        found.append(rng.permutation(4)[labels].astype(np.int32))
    return found


def test_many_poor_runs_agree_on_a_good_grouping():
    rng = np.random.default_rng(0)
    truth = (np.arange(400) % 4).astype(np.int32)
    runs = noisy_runs(truth, rng)
    found = renumbered(agreed(make_kernels("fast", 1), runs, 4, rng), truth, 4)
    assert (found == truth).mean() > 0.97
    assert (renumbered(runs[0], truth, 4) == truth).mean() < 0.9


def test_documents_in_no_group_stay_in_none():
    rng = np.random.default_rng(0)
    runs = [np.where(np.arange(40) < 5, -1, np.arange(40) % 2).astype(np.int32)] * 3
    found = agreed(make_kernels("fast", 1), runs, 2, rng)
    assert (found[:5] == -1).all()
    assert (found[5:] >= 0).all()


def test_stability_is_the_share_of_runs_whatever_their_numbers():
    labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    runs = [1 - labels, labels.copy()]
    runs[1][0] = 1
    np.testing.assert_allclose(stability(runs, labels, 2), [0.5, 1, 1, 1, 1, 1])
