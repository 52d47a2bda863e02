"""The input of `fit`, `predict` and the command line, in any form, as a corpus or a network."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse

from colligate._array import check_sparse
from colligate._storage.atomic import expand_path
from colligate.corpus import Corpus
from colligate.corpus.partitions import is_array
from colligate.corpus.readers import ColumnRequest, find_source
from colligate.errors import MatrixError
from colligate.network.network import Network
from colligate.network.objects import check_matrix, refuse_masked
from colligate.shards.client import find_client, gather
from colligate.shards.matrix import ShardedMatrix
from colligate.shards.shards import assemble

if TYPE_CHECKING:
    from scipy.sparse import csr_array

STORED_NETWORK = "network.json"


def is_stored_network(path: Any) -> bool:
    """Whether this is the path of a folder that `Network.save` wrote."""
    if not isinstance(path, str | os.PathLike):
        return False
    try:
        return (expand_path(path) / STORED_NETWORK).is_file()
    except (OSError, ValueError):
        # a long text is no path
        return False


def check_input_matrix(matrix: Any) -> None:
    """Raise a MatrixError for a sparse matrix whose index arrays do not fit its shape, or for masked entries.

    The input of `fit` and `predict` goes through it before scikit-learn and SciPy see it, which trust it.
    """
    refuse_masked(matrix)
    try:
        check_sparse(matrix)
    except ValueError as error:
        raise MatrixError(
            f"the sparse matrix is malformed: {error}; make it again from its entries"
        ) from error


def is_documents(documents: Any) -> bool:
    """Whether `read_input` reads this; if not, it is a matrix, or nothing of use.

    Raises
    ------
    CorpusError
        If it is neither, such as a list of numbers.
    """
    if isinstance(documents, Network | Corpus) or is_stored_network(documents):
        return True
    return find_source(documents, ColumnRequest()) is not None


def read_input(documents: Any, **reading: Any) -> Corpus | Network | None:
    """Read documents of any form; None for a matrix. `reading` are the parameters of `Corpus.of`."""
    if isinstance(documents, Network):
        return documents
    if is_stored_network(documents):
        return Network.load(documents)
    return Corpus.of_documents(documents, **reading)


def shard_array(array: Any) -> ShardedMatrix:
    """Return a Dask array of counts or weights, whose blocks are arrays or sparse matrices, as shards."""
    if not is_array(array) or array.ndim != 2:
        raise MatrixError(
            "a Dask array of documents × words must have two dimensions; texts belong in a bag, a Series or "
            "a DataFrame of Dask"
        )
    import dask

    if math.isnan(array.shape[1]):
        raise MatrixError("the Dask array does not know its columns; call its compute_chunk_sizes() before")
    if array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    client, n_columns = find_client(), int(array.shape[1])
    parts = array.to_delayed().ravel().tolist()
    blocks = client.compute([dask.delayed(check_shard)(part, n_columns) for part in parts])
    sizes = gather(client, [client.submit(_measure_block, block, pure=False) for block in blocks])
    lengths, entries = zip(*sizes, strict=True)
    return ShardedMatrix.of(assemble(client, blocks, lengths, sum(entries)), n_columns)


def check_shard(block: Any, n_columns: int) -> csr_array:
    """Return a block of an array as a canonical matrix, or refuse it.

    Dask believes what it is told about the shape of a block, and kernels would write beyond their tables.
    """
    matrix = check_matrix(block if issparse(block) else np.asanyarray(block))
    if matrix.shape[1] != n_columns:
        raise MatrixError(
            f"a block of the Dask array has {matrix.shape[1]:,} columns, but the array says {n_columns:,}; "
            "make it again with the right shape"
        )
    return matrix


def _measure_block(block: csr_array) -> tuple[int, int]:
    return block.shape[0], block.nnz
