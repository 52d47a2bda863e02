"""Description lengths: how many nats it takes to tell the words of all documents by way of groups.

A two-part code (Rissanen 1978): the groups, then the words given the groups, with ½·log of the sample size
for every free parameter. Less what is the same for any number of groups, they are

    every word      −Σ_d log π(k_d) − Σ_dw n_dw·log p(w|k_d) + ½·(K·V − 1)·log D     (BIC; Schwarz 1978)
    words in use    the same with ½·log N for every word that a group has, in place of all V for each
    co-clusters     D·H(D̂) + V·H(Ŵ) − N·I(D̂;Ŵ) + ½·(K·L − K − L)·log N             (the model of ITCC)

of D documents with N occurrences of V words, in K groups of documents and L of words. Probabilities are the
shares of what is counted. Each sample size (D or N) is the one that did better on the tuning corpora.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import entropy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.integer]


def every_word(counts: csr_array, groups: Ints) -> float:
    """The description length of a mixture in which each group has a probability for every word."""
    table = _table(counts, groups)
    parameters = table.size - 1
    return _assignment_length(table, groups) + float(parameters * np.log(counts.shape[0]) / 2)


def words_in_use(counts: csr_array, groups: Ints) -> float:
    """The same where a group has a probability for the words that it has."""
    table = _table(counts, groups)
    parameters = np.count_nonzero(table) - 1
    return _assignment_length(table, groups) + float(parameters * np.log(counts.sum()) / 2)


def co_clusters(counts: csr_array, groups: Ints, word_groups: Ints) -> float:
    """The description length of documents and words in groups."""
    table = _table(csr_array(_table(counts, groups).T), word_groups)
    parameters = table.size - sum(table.shape)
    both, one, other = (entropy(shares.ravel()) for shares in (table, table.sum(axis=0), table.sum(axis=1)))
    return float(
        _subset_length(groups)
        + _subset_length(word_groups)
        - table.sum() * (one + other - both)
        + parameters * np.log(table.sum()) / 2
    )


def _assignment_length(table: Floats, groups: Ints) -> float:
    """The groups of the documents, and the words given the groups."""
    return _subset_length(groups) + float(table.sum(axis=1) @ entropy(table, axis=1))


def _subset_length(groups: Ints) -> float:
    return float(len(groups) * entropy(np.bincount(groups)))


def _table(counts: csr_array, groups: Ints) -> Floats:
    """Groups that have any member × columns: occurrences."""
    used, group_rows = np.unique(groups, return_inverse=True)
    member = csr_array(
        (np.ones(len(group_rows)), (group_rows, np.arange(len(group_rows)))),
        shape=(len(used), len(group_rows)),
    )
    return np.asarray((member @ counts).toarray(), dtype=np.float64)
