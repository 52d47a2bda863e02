"""Which words tell classes apart, by the labels of some documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import rel_entr

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def mutual_information(counts: csr_array, labels: np.ndarray) -> np.ndarray:
    """Of each word: how much its presence in a document says about the document's class."""
    member = (labels[:, None] == np.unique(labels)).astype(np.float64)
    present = (counts > 0).T.astype(np.float64) @ member
    joint = np.stack([present, member.sum(axis=0) - present]) / len(labels)
    expected = joint.sum(axis=2, keepdims=True) * member.mean(axis=0)
    return np.asarray(rel_entr(joint, expected).sum(axis=(0, 2)))


def informative_words(counts: csr_array, inside: np.ndarray, most: int) -> np.ndarray:
    """The words that say most about a class, of those that are more frequent in it than elsewhere."""
    present = (counts > 0).astype(np.float64)
    rate = (
        np.asarray(present[inside].mean(axis=0)).ravel() - np.asarray(present[~inside].mean(axis=0)).ravel()
    )
    information = np.where(rate > 0, mutual_information(counts, inside), 0.0)
    order = np.argsort(-information, kind="stable")[:most]
    return order[information[order] > 0]
