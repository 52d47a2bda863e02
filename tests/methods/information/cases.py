"""Random matrices with links, and the same links listed and implied."""

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

from colligate.kernels import make_kernels
from colligate.knowledge import GroupLinks, Guidance, PairLinks
from colligate.methods.information.problem import make_views
from colligate.network import Network


@st.composite
def grouped(draw):
    """A matrix with empty columns, and group memberships of some of its rows."""
    n, m = draw(st.integers(4, 14)), draw(st.integers(2, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dense = rng.integers(1, 6, (n, m)) * (rng.random((n, m)) < 0.5)
    dense[0] = rng.integers(1, 4, m)
    dense[:, rng.integers(m)] = 0
    members = np.flatnonzero(rng.random(n) < 0.8)
    group = rng.integers(0, draw(st.integers(1, 4)), len(members))
    return dense, members, group, rng


def implied(size, member, group, together, apart):
    names = tuple(f"g{g}" for g in range(group.max(initial=0) + 1))
    statement = np.arange(len(member))
    return Guidance(size, groups=(GroupLinks(member, group, names, statement, together, apart),))


def listed(size, member, group, together, apart):
    left, right = np.triu_indices(len(member), 1)
    same = group[left] == group[right]
    strength = np.where(same, together, apart)
    used = strength > 0
    return Guidance(
        size,
        pairs=PairLinks(
            member[left][used],
            member[right][used],
            np.where(same, 1, -1).astype(np.int8)[used],
            strength[used].astype(float),
            np.arange(used.sum()),
        ),
    )


def side_of(dense):
    return make_views(Network.from_matrix(sparse.csr_array(dense)), make_kernels())["documents"]


def distributions(dense, smoothing=0.5):
    """The smoothed rows as the definition has them; a row without entries is λ·b alone."""
    b = dense.sum(axis=0) / dense.sum()
    x = dense / np.maximum(dense.sum(axis=1, keepdims=True), 1)
    return (1 - smoothing) * x + smoothing * b


def symmetric_divergence(p, i, j):
    used = p[i] > 0
    return float(np.sum((p[i] - p[j])[used] * (np.log(p[i][used]) - np.log(p[j][used]))))


BACK_ENDS = {name: make_kernels(name) for name in ("fast", "reference")}
