"""Links made from labels: random pairs of documents, and which documents they leave free."""

from __future__ import annotations

import numpy as np

import colligate as cg

HELD_OUT = 0.1


def draw_pairs(
    labels: np.ndarray, n_links: int, seed: int, among: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct random pairs of documents: together where the labels are equal, apart where they differ."""
    rng = np.random.default_rng([seed, n_links])
    among = np.arange(len(labels)) if among is None else among
    drawn = among[rng.integers(0, len(among), (4 * n_links, 2))]
    drawn = np.unique(np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1), axis=0)
    pairs = drawn[rng.permutation(len(drawn))[:n_links]]
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return pairs[same], pairs[~same]


def draw_links(
    labels: np.ndarray, n_links: int, seed: int, *, held_out: bool = False
) -> tuple[cg.Knowledge | None, np.ndarray]:
    """Knowledge of random links, and the documents that none names; `held_out` keeps a tenth of them so."""
    free = np.ones(len(labels), dtype=bool)
    if not n_links:
        return None, free
    order = np.random.default_rng(seed).permutation(len(labels))
    share = HELD_OUT if held_out else 0.0
    together, apart = draw_pairs(labels, n_links, seed, np.sort(order[int(share * len(labels)) :]))
    free[np.concatenate([together.ravel(), apart.ravel()])] = False
    return cg.Knowledge().together(documents=together).apart(documents=apart), free
