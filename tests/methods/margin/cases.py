"""Small margin problems for several tests."""

import numpy as np

from colligate.methods.margin.features import Features, centre_rows


def cloud(seed, n=40, width=5, n_groups=3, spread=1.0):
    """Rows around a few centres, as features centred at their mean, and the group of each."""
    rng = np.random.default_rng(seed)
    groups = (np.arange(n) % n_groups).astype(np.int32)
    rows = rng.normal(size=(n_groups, width))[groups] + spread * rng.normal(size=(n, width))
    return centre_rows(rows), groups


def beside(features, seed, n=15):
    """Outsiders of the same space."""
    rows = np.random.default_rng(seed).normal(size=(n, features.rows.shape[1]))
    return Features(rows, features.centre, features.scale, features.constant)


def topics(seed, sizes=(40, 40, 40), words=15, noise=1.0):
    """Counts of documents with words of their own group and common ones, and the group of each."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    rates = np.full((len(sizes), (len(sizes) + 1) * words), 0.1 * noise)
    for group in range(len(sizes)):
        rates[group, group * words : (group + 1) * words] += 0.5
    counts = rng.poisson(rates[truth])
    counts[:, -1] += 1
    return counts, truth
