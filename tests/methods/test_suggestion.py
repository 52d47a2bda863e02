import numpy as np
import pytest

import colligate as cg

from .planted_documents import planted


@pytest.mark.parametrize("groups", [3, 5, 8])
def test_planted_groups_are_counted(groups):
    counts, _ = planted(n=60 * groups, groups=groups)
    suggestion = cg.suggest_clusters(counts)
    assert groups <= suggestion.n_clusters <= 1.4 * groups
    numbers, nats = zip(*suggestion.curve, strict=True)
    assert list(numbers) == sorted(numbers)
    assert np.isfinite(nats).all()


def test_too_few_documents_are_refused():
    with pytest.raises(cg.errors.InputError, match="8 documents are too few to suggest"):
        cg.suggest_clusters(np.eye(8))


def test_a_limit_below_two_is_refused():
    with pytest.raises(cg.errors.ParameterError, match="most must be at least 2"):
        cg.suggest_clusters(planted()[0], most=1)


def test_the_largest_number_is_suggested_where_there_are_more_groups():
    counts, _ = planted(n=600, groups=24)
    assert cg.suggest_clusters(counts, most=10).n_clusters == 10


def test_where_there_are_no_groups_the_smallest_number_is_suggested():
    counts = np.random.default_rng(0).poisson(0.3, size=(300, 60)) + np.eye(300, 60)
    assert cg.suggest_clusters(counts).n_clusters == 2


def test_no_fewer_groups_than_have_a_name():
    assert cg.suggest_clusters(planted()[0], least=12).n_clusters == 12
