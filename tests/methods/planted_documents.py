"""Documents of planted groups, for the tests of the mixture."""

import numpy as np
from scipy import sparse


def planted(n=240, groups=4, words=30, noise=0.03, strong=0.3, seed=0):
    """Counts and the group of each document: every group has words of its own, and all share some."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % groups
    rates = np.full((groups, words * groups + words), noise)
    for group in range(groups):
        rates[group, words * group : words * (group + 1)] = strong
    rates[:, words * groups :] = 0.2
    counts = rng.poisson(rates[truth])
    counts[:, -1] += 1
    return sparse.csr_array(counts.astype(np.float64)), truth


def blocks(rng, n_groups=3, size=20, words=12):
    """Documents of a few groups, each with words of its own and some common ones."""
    rates = np.full((n_groups, n_groups * words + words), 0.05)
    for k in range(n_groups):
        rates[k, k * words : (k + 1) * words] = 1.0
    rates[:, -words:] = 0.5
    truth = np.repeat(np.arange(n_groups), size)
    return rng.poisson(rates[truth]), truth
