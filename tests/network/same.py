"""Whether two networks are the same in everything."""

import numpy as np


def assert_same(one, other):
    assert list(one.types) == list(other.types)
    for name, kind in one.types.items():
        assert isinstance(kind.names, range) == isinstance(other.types[name].names, range)
        assert list(kind.names) == list(other.types[name].names)
    assert len(one.relations) == len(other.relations)
    for a, b in zip(one.relations, other.relations, strict=True):
        assert (a.name, a.rows, a.columns, a.weight) == (b.name, b.rows, b.columns, b.weight)
        assert a.matrix.shape == b.matrix.shape
        for part in ("data", "indices", "indptr"):
            assert getattr(a.matrix, part).dtype == getattr(b.matrix, part).dtype
            assert np.array_equal(getattr(a.matrix, part), getattr(b.matrix, part))
