import numpy as np
import pytest
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
    model = cg.make("colligate", n_clusters=4, length_exponent=0.7, random_state=0).fit(counts)
    assert model.result_.model["exponent"].tolist() == [0.7]


def test_copies_do_not_agree_with_each_other_for_nothing():
    counts, _ = planted(strong=0.25)
    many = sparse.csr_array(sparse.vstack([counts] * 20, format="csr"))
    assert abs(exponent(counts) - exponent(many)) < 0.15


@pytest.mark.parametrize("seed", range(8))
def test_embeddings_are_worth_more_the_better_they_are(seed):
    counts, truth = planted()
    noise = np.random.default_rng(seed).normal(size=(len(truth), 4))
    found = []
    for clear in (0.0, 1.0, 5.0):
        rows = clear * np.eye(4)[truth] + noise
        method = cg.make("colligate", n_clusters=4, embeddings=rows, n_ensemble=1, random_state=0)
        found.append(method.fit(counts).result_.model["concentrations"][1:].sum())
    assert found[0] <= 1.0
    assert found == sorted(set(found))
