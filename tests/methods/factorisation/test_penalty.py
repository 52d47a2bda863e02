import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.knowledge import GroupLinks, Guidance
from colligate.methods.factorisation.penalty import (
    LinkPenalty,
    Penalty,
    make_anchors,
    measure_scale,
    statement_costs,
)
from colligate.methods.factorisation.problem import make_relations
from colligate.network import Network

from ..test_cstrinmf import mixed
from .test_update import guided


def only(part):
    """A penalty of one part, and nothing for orthogonality."""
    return Penalty(0.0, (part,))


def test_the_costs_of_all_statements_add_up_to_the_penalty():
    rng = np.random.default_rng(0)
    penalty = only(LinkPenalty.of(guided(rng, 9), 1.7))
    G = rng.random((9, 3))
    assert statement_costs(penalty, G, 40).sum() == pytest.approx(penalty.evaluate(G).value)


def test_an_implied_link_costs_what_it_would_cost_as_a_pair():
    rng = np.random.default_rng(1)
    member, group = np.arange(6), np.array([0, 0, 1, 1, 2, 2])
    guidance = Guidance(6, groups=(GroupLinks(member, group, ("a", "b", "c"), member, 0.5, 2.0),))
    part = LinkPenalty.of(guidance, 1.3)
    G, scale = rng.random((6, 3)), part.scale.ravel()
    expected = np.zeros(6)
    for i in range(6):
        for j in range(6):
            if i != j and group[i] == group[j]:
                expected[i] += 0.5 * 0.5 * scale[i] * scale[j] * np.square(G[i] - G[j]).sum()
            elif group[i] != group[j]:
                expected[i] += 2.0 * scale[i] * scale[j] * (G[i] @ G[j])
    np.testing.assert_allclose(statement_costs(only(part), G, 6), 1.3 * expected)


def test_a_word_shares_its_cost_among_its_categories():
    knowledge = cg.Knowledge().category("a", words=[0, 1]).category("b", words=[1, 2])
    compiled = knowledge.compile({"words": range(4)})
    (anchor,) = make_anchors(compiled.guidance["words"], 2, 2.0)
    G = np.random.default_rng(2).random((4, 2))
    costs = statement_costs(only(anchor), G, len(compiled.statements))
    assert costs.sum() == pytest.approx(only(anchor).evaluate(G).value)
    assert np.count_nonzero(costs) == 4
    shared = 2.0 * np.square(G[1] - anchor.G0[1]).sum()
    assert np.count_nonzero(np.isclose(costs, shared / 2)) == 2


@pytest.mark.parametrize("name", ["cstrinmf", "csnmf"])
def test_the_audit_shows_a_wrong_link_as_the_costly_one(name):
    counts, _ = mixed(np.random.default_rng(3))
    right = [(i, i + 1) for i in range(0, 20, 2)]
    knowledge = cg.Knowledge().together(documents=[*right, (2, 80)]).apart(documents=[(2, 81)])
    model = cg.make(name, n_clusters=3, random_state=1, link_weight=0.01)
    audit = model.fit(counts, knowledge=knowledge).result_.audit()
    assert audit.cost.min() >= 0
    assert int(audit.cost.argmax()) == 10


def test_what_groups_can_explain_is_the_best_that_a_product_of_their_rank_can():
    X = np.random.default_rng(0).random((12, 9))
    (piece,) = make_relations(Network.from_matrix(sparse.csr_array(X)), "counts")
    scale = measure_scale("documents", (piece,), {"documents": 3, "words": 5}, guided=True)
    values = np.linalg.svd(X, compute_uv=False)
    assert scale.whole == pytest.approx(np.square(X).sum() / 3)
    assert scale.explained == pytest.approx(np.square(values[:3]).sum() / 3, rel=1e-6)
    assert measure_scale("documents", (piece,), {"documents": 3}, guided=False).explained == scale.whole


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
    guided = cg.make("csnmf", n_clusters=3, random_state=0).fit(counts, knowledge=knowledge).result_
    alone = cg.make("csnmf", n_clusters=3, random_state=0).fit(counts).result_
    assert guided.evaluate(truth)["nmi"] > alone.evaluate(truth)["nmi"]
