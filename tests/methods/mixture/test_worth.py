import numpy as np
from scipy import sparse

import colligate as cg

from ..planted_documents import planted


def exponent(counts, groups=4):
    return float(
        cg.make("colligate", n_clusters=groups, random_state=0).fit(counts).result_.model["exponent"][0]
    )


def test_independent_words_count_more_than_words_that_repeat_each_other():
    """Each word drawn twenty times over is no more evidence than once."""
    counts, _ = planted(noise=0.12, strong=0.16)
    rng = np.random.default_rng(0)
    bursts = sparse.csr_array(counts.multiply(rng.integers(1, 40, counts.shape)))
    assert exponent(bursts) < exponent(counts)


def test_a_given_exponent_is_used():
    counts, _ = planted()
    model = cg.make("colligate", n_clusters=4, worth=0.7, random_state=0).fit(counts)
    assert model.result_.model["exponent"].tolist() == [0.7]


def test_copies_do_not_agree_with_each_other_for_nothing():
    counts, _ = planted(strong=0.25)
    many = sparse.csr_array(sparse.vstack([counts] * 20, format="csr"))
    assert abs(exponent(counts) - exponent(many)) < 0.15
