import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.methods.factorisation.penalty import measure_scale
from colligate.methods.factorisation.problem import make_relations
from colligate.network import Network


def test_what_groups_can_explain_is_the_best_that_a_product_of_their_rank_can():
    X = np.random.default_rng(0).random((12, 9))
    (piece,) = make_relations(Network.from_matrix(sparse.csr_array(X)), "counts")
    found = measure_scale("documents", (piece,), {"documents": 3, "words": 5}, guided=True)
    values = np.linalg.svd(X, compute_uv=False)
    assert found.whole == pytest.approx(np.square(X).sum() / 3)
    assert found.explained == pytest.approx(np.square(values[:3]).sum() / 3, rel=1e-6)
    assert measure_scale("documents", (piece,), {"documents": 3}, guided=False).explained == found.whole


def test_links_do_not_silence_words_that_tell_little():
    """Wrong links of one document must not cost others their groups."""
    rng = np.random.default_rng(1)
    truth = np.arange(150) % 3
    rates = np.full((3, 300), 0.05)
    for k in range(3):
        rates[k, 100 * k : 100 * (k + 1)] = 0.1
    counts = rng.poisson(rates[truth]) + (np.arange(300) == 0)
    pairs = rng.choice(150, (300, 2))
    apart = [tuple(pair) for pair in pairs.tolist() if truth[pair[0]] != truth[pair[1]]]
    knowledge = cg.Knowledge().apart(documents=sorted(set(map(tuple, map(sorted, apart)))))
    found = cg.make("csnmf", n_clusters=3, random_state=0).fit(counts, knowledge=knowledge).result_
    alone = cg.make("csnmf", n_clusters=3, random_state=0).fit(counts).result_
    assert found.evaluate(truth)["nmi"] > alone.evaluate(truth)["nmi"]
