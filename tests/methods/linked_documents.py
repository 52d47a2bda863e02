"""Small problems with links, and everything about them computed pair by pair."""

from itertools import combinations, product

import numpy as np
from scipy import sparse

import colligate as cg
from colligate.methods.guidance import compile_for


def problem_of(counts, knowledge=None, **parameters):
    method = cg.make("ckmeans", **{"n_clusters": 2, "n_init": 1, "random_state": 0, **parameters})
    network = cg.Network.from_matrix(sparse.csr_array(counts))
    return method, method.problem(network, compile_for(method, network, knowledge).guidance)


def random_counts(rng, shape=(9, 7)):
    counts = rng.poisson(0.9, shape)
    counts[:, 0] += 1
    return counts


def random_links(rng, n=9, n_pairs=5):
    """Pairs together and apart, and labels of some documents, by groups that the words know nothing of."""
    truth, pairs = rng.integers(0, 2, n), np.array(list(combinations(range(n), 2)))
    drawn = pairs[rng.permutation(len(pairs))[:n_pairs]]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    knowledge = cg.Knowledge().together(documents=drawn[same].tolist()).apart(documents=drawn[~same].tolist())
    return knowledge.label({i: "ab"[truth[i]] for i in rng.permutation(n)[:4].tolist()})


def listed(guidance):
    """Every link as (left, right, sign, strength), implied ones too."""
    pairs = guidance.pairs
    links = list(zip(pairs.left, pairs.right, pairs.sign, pairs.strength, strict=True))
    if guidance.labels is not None:
        known = np.flatnonzero(guidance.labels >= 0)
        links += [
            (i, j, 1 if guidance.labels[i] == guidance.labels[j] else -1, 1.0)
            for i, j in combinations(known, 2)
        ]
    return links


def textbook(counts, idf, guidance, labels, metric, *, weight=1.0, stiffness=1.0, alike=False):
    """The objective as the definition has it."""
    logged = np.where(counts > 1, 1 + np.log(np.maximum(counts, 1)), counts)
    x = logged * idf * np.sqrt(metric)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    total = stiffness * np.sum(metric**2 / 2 - np.log(metric) - 0.5)
    for k in set(labels.tolist()):
        centre = x[labels == k].sum(axis=0)
        total += np.sum(1 - x[labels == k] @ centre / np.linalg.norm(centre))
    for i, j, sign, strength in listed(guidance):
        far = 1.0 if alike else 1 - x[i] @ x[j]
        near = 1.0 if alike else x[i] @ x[j]
        if sign > 0 and labels[i] != labels[j]:
            total += weight * strength * far
        if sign < 0 and labels[i] == labels[j]:
            total += weight * strength * near
    return total


def all_labels(n, k):
    return (np.array(labels, dtype=np.int32) for labels in product(range(k), repeat=n))
