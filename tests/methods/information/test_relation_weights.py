import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.methods.information.relation_weights import information_gain

from ..planted_networks import agreement, planted


@pytest.fixture(scope="module")
def noisy():
    """Documents with telling words, and tags in great number that tell nothing."""
    return planted(
        {"documents": 120, "words": 60, "tags": 80},
        {("documents", "words"): (0.5, 0.05), ("documents", "tags"): (0.6, 0.6)},
    )


def weights(network, asked, **more):
    result = (
        cg.make("hinc", n_clusters=3, random_state=0, relation_weights=asked, **more).fit(network).result_
    )
    return {relation.name: relation.weight for relation in result.network.relations}


def test_by_default_a_relation_counts_by_its_share_of_all_occurrences(noisy):
    totals = {relation.name: relation.matrix.sum() for relation in noisy.relations}
    shares = weights(noisy, "share")
    assert sum(shares.values()) == pytest.approx(1.0)
    for name, total in totals.items():
        assert shares[name] == pytest.approx(total / sum(totals.values()))


def test_given_weights_come_before_those_of_the_relations_and_those_before_the_rule(noisy):
    weighted = cg.Network(
        noisy.types,
        [
            cg.Relation("documents", kind, r.matrix, weight)
            for (kind, weight), r in zip([("words", 0.3), ("tags", None)], noisy.relations, strict=True)
        ],
    )
    share = weights(noisy, "share")["documents × tags"]
    assert weights(weighted, "share") == {"documents × words": 0.3, "documents × tags": share}
    asked = {"documents × words": 0.9}
    assert weights(weighted, asked) == {"documents × words": 0.9, "documents × tags": share}
    # what a run used is what its network brings to the next
    result = cg.make("hinc", n_clusters=3, random_state=0, relation_weights=asked).fit(weighted).result_
    assert weights(result.network, "share") == {"documents × words": 0.9, "documents × tags": share}


def test_bad_weights_are_refused(noisy):
    with pytest.raises(
        cg.errors.ParameterError, match="has an entry for 'words', which is not a relation of the network"
    ):
        weights(noisy, {"words": 1.0})
    with pytest.raises(
        cg.errors.ParameterError, match="relation_weights must be one of 'share', 'learned', or a"
    ):
        weights(noisy, "ones")
    with pytest.raises(cg.errors.ParameterError, match="relation_weights must be"):
        weights(noisy, {"documents × words": -1.0})
    heavy = cg.Network(
        noisy.types, [cg.Relation(r.rows, r.columns, r.matrix, 1e300) for r in noisy.relations]
    )
    with pytest.raises(cg.errors.ParameterError, match="may be at most 1e"):
        weights(heavy, "share")
    with pytest.raises(cg.errors.InputError, match="with a weight above 0"):
        weights(noisy, {"documents × words": 0.0, "documents × tags": 0.0})


def test_a_relation_of_weight_0_has_no_part_in_anything(noisy):
    words = cg.Network({kind: noisy.types[kind] for kind in ("documents", "words")}, noisy.relations[:1])
    alone = cg.make("hinc", n_clusters=3, random_state=0).fit(words).result_
    silent = cg.make("hinc", n_clusters=3, random_state=0, relation_weights={"documents × tags": 0.0})
    result = silent.fit(noisy).result_
    assert "tags" not in result.labels
    np.testing.assert_array_equal(result.labels["documents"], alone.labels["documents"])
    np.testing.assert_array_equal(result.predict(words), alone.predict(words))
    guided = cg.make("chinc", n_clusters=3, relation_weights={"documents × tags": 0.0})
    with pytest.raises(cg.errors.RefusedKnowledgeError, match="links on tags cannot be used"):
        guided.fit(noisy, knowledge=cg.Knowledge().together(tags=[(0, 1)]))


def test_learned_weights_favour_what_tells_the_groups_apart(noisy):
    share, learned = weights(noisy, "share"), weights(noisy, "learned")
    assert sum(learned.values()) == pytest.approx(1.0)
    assert share["documents × tags"] > 0.7
    assert learned["documents × tags"] < 0.2
    model = cg.make("hinc", n_clusters=3, random_state=0, relation_weights="learned").fit(noisy)
    assert agreement(model.labels_) > 0.9


def test_the_gain_is_that_of_predicting_a_cluster_from_the_other_rows():
    # two columns: one met by both rows of each cluster alone, one by rows of both
    matrix = sparse.csr_array(np.array([[1, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 1]], dtype=float))
    labels = np.array([0, 0, 1, 1])
    telling = np.log((1 + 0.5) / (1 + 1) / 0.5)
    common = np.log((1 + 0.5) / (3 + 1) / 0.5)
    assert information_gain(matrix, labels) == pytest.approx((telling + common) / 2 / np.log(2))
    alone = sparse.csr_array(np.eye(4))
    assert information_gain(alone, labels) == pytest.approx(0.0)
    assert information_gain(matrix, np.zeros(4, dtype=int)) == 0.0
    assert information_gain(sparse.csr_array((4, 3)), labels) == 0.0
    assert information_gain(matrix, np.array([-1, -1, -1, -1])) == 0.0
