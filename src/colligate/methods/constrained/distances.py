"""How far two linked documents are from each other, as the links of the kernels want it.

Their divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. With y = x and s = x/2 of unit rows it is 1 − cos.
With a column of its own for each object it is 1 for any two, so that a link costs the same whatever it ties.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import Links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

FARTHEST = 1.0
"""The largest distance there is: of documents that share no word."""


def by_cosine(rows: sparse.csr_array, where: Ints) -> Links:
    """Linked rows of unit length; links apart cost what is left to the largest distance."""
    return _links(sparse.csr_array(rows[where]), FARTHEST)


def all_alike(where: Ints) -> Links:
    """Any two objects at distance 1, whichever way their link is broken."""
    return _links(sparse.csr_array(sparse.eye_array(len(where), format="csr")), 2.0)


def _links(y: sparse.csr_array, twice_most: float) -> Links:
    """No links yet, over the columns that occur."""
    used, indices = np.unique(y.indices, return_inverse=True)
    n = int(y.shape[0])
    owner = np.repeat(np.arange(n), np.diff(y.indptr))
    return replace(
        Links.of_pairs(sparse.csr_array((n, n))),
        y=y.data,
        s=0.5 * y.data,
        indices=indices.astype(np.int32),
        indptr=y.indptr.astype(np.int64),
        self_term=np.bincount(owner, weights=0.5 * y.data**2, minlength=n).astype(np.float64),
        n_columns=len(used),
        twice_d_max=twice_most,
    )
