"""Whether two networks are the same in everything."""

import numpy as np


def assert_same(left, right):
    assert list(left.types) == list(right.types)
    for name, kind in left.types.items():
        assert isinstance(kind.names, range) == isinstance(right.types[name].names, range)
        assert list(kind.names) == list(right.types[name].names)
    assert len(left.relations) == len(right.relations)
    for a, b in zip(left.relations, right.relations, strict=True):
        assert (a.name, a.rows, a.columns, a.weight) == (b.name, b.rows, b.columns, b.weight)
        assert a.matrix.shape == b.matrix.shape
        for part in ("data", "indices", "indptr"):
            assert getattr(a.matrix, part).dtype == getattr(b.matrix, part).dtype
            assert np.array_equal(getattr(a.matrix, part), getattr(b.matrix, part))
