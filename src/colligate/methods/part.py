"""Fit on a part of the documents, and place the rest: for corpora that are too large to be fitted as a whole.

The part is a random sample, with all documents that the knowledge names. Its words are those of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate.corpus import Corpus
from colligate.errors import InputError, ParameterError
from colligate.methods.guidance import compile_for
from colligate.network import Network
from colligate.result.predict import predict
from colligate.shards.matrix import collect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Guidance, Knowledge
    from colligate.methods.base import Method

    Ints = NDArray[np.int64]


def sample_network(
    method: Method, network: Network, knowledge: Knowledge | None, size: float, seed: int
) -> tuple[Network, Ints]:
    """Return the network of a sample, on this machine, and the positions of its documents.

    `size` is a number of documents, or a share of them below 1.
    """
    corpus, centre = network.corpus, network.centre
    if corpus is None and knowledge is not None:
        raise InputError(
            "documents without names cannot be sampled with knowledge, which names them by position; "
            "pass texts, or leave out fit_part",
            parameter="fit_part",
        )
    filled = np.flatnonzero(np.diff(network.counts.indptr))
    wanted = check_size(size, len(filled))
    drawn = np.random.default_rng(seed).permutation(filled)[:wanted]
    guidance = compile_for(method, network, knowledge).guidance.get(centre)
    rows = np.union1d(drawn, _find_named(guidance)).astype(np.int64)
    matrix = network.counts
    counts = csr_array(collect(matrix[rows]))
    if corpus is None:
        return Network.from_matrix(counts), rows
    # the texts stay where they are
    part = Corpus(
        ids=[corpus.ids[row] for row in rows.tolist()],
        counts=counts.astype(np.int32),
        words=corpus.words,
        texts=None,
        analyser=corpus.analyser,
        source=f"a part of {corpus.source}",
        roles=corpus.roles,
    )
    return Network.from_corpus(part), rows


def check_size(size: Any, n_documents: int) -> int:
    """Return the number of documents of a part, or refuse it."""
    is_number = isinstance(size, int | float | np.integer | np.floating) and not isinstance(size, bool)
    if not is_number or not size > 0 or (size > 1 and size != int(size)):
        raise ParameterError(
            f"fit_part must be a number of documents (1, 2, ...) or a share below 1; got {size!r:.60}",
            parameter="fit_part",
        )
    wanted = round(size * n_documents) if size < 1 else int(size)
    return max(1, min(wanted, n_documents))


def place_all(method: Method, network: Network, rows: Ints) -> NDArray[np.int32]:
    """Return the groups of all documents: those of the part as they were fitted, the others as new ones."""
    result = method.result_
    labels = predict(result, network.counts if network.corpus is None else network.corpus)
    labels[rows] = result.labels[result.centre]
    return labels


def _find_named(guidance: Guidance | None) -> Ints:
    """Return the documents that knowledge names."""
    if guidance is None:
        return np.zeros(0, dtype=np.int64)
    named = [guidance.pairs.left, guidance.pairs.right, guidance.outsiders]
    named += [groups.member for groups in guidance.groups]
    if guidance.labels is not None:
        named.append(np.flatnonzero(guidance.labels >= 0))
    if guidance.seeds is not None:
        named.append(np.flatnonzero(np.diff(guidance.seeds.matrix.indptr)))
    return np.unique(np.concatenate(named)).astype(np.int64)
