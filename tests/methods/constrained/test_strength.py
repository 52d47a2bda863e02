import numpy as np
import pytest

from colligate.methods.ckmeans import total_strength

from .cases import listed, problem_of, random_counts, random_links


@pytest.mark.parametrize("seed", range(10))
def test_implied_links_count_as_if_they_were_listed(seed):
    rng = np.random.default_rng(seed)
    _, problem = problem_of(random_counts(rng), random_links(rng), link_weight=0.5, stiffness=3.0)
    own = problem.guidance["documents"]
    said = sum(strength for _, _, _, strength in listed(own))
    assert total_strength(own.with_groups(own.label_groups())) == pytest.approx(said)
    assert problem.rho == pytest.approx(3.0 * (1 + 0.5 * said / 9))
