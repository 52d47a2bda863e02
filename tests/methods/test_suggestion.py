import numpy as np
import pytest

import colligate as cg

from .planted_documents import planted


@pytest.mark.parametrize("groups", [3, 5, 8])
def test_planted_groups_are_counted(groups):
    counts, _ = planted(n=60 * groups, groups=groups)
    found = cg.suggest_clusters(counts)
    assert groups <= found.n_clusters <= 1.4 * groups
    numbers, nats = zip(*found.curve, strict=True)
    assert list(numbers) == sorted(numbers)
    assert np.isfinite(nats).all()


def test_too_few_documents_are_told():
    with pytest.raises(cg.errors.InputError, match="8 documents are too few to suggest"):
        cg.suggest_clusters(np.eye(8))


def test_a_limit_below_two_is_refused():
    with pytest.raises(cg.errors.ParameterError, match="most must be at least 2"):
        cg.suggest_clusters(planted()[0], most=1)
