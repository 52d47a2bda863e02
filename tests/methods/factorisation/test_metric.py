import numpy as np
from scipy import sparse

import colligate as cg
from colligate.methods.factorisation.metric import (
    cross_validation_splits,
    discriminant_directions,
    learn_metrics,
)
from colligate.methods.factorisation.problem import FactorRelation


def guidance_of(together, apart, size):
    knowledge = cg.Knowledge().together(documents=together).apart(documents=apart)
    return knowledge.compile({"documents": range(size)}).guidance["documents"]


def drawn(truth, n_links, seed=0):
    """Links of objects that are in no other link."""
    pairs = np.random.default_rng(seed).permutation(len(truth))[: 2 * n_links].reshape(-1, 2)
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    return guidance_of(pairs[same], pairs[~same], len(truth))


def piece_of(rows):
    return FactorRelation("r", "documents", "words", sparse.csr_array(rows), False)


def test_every_link_of_objects_in_no_other_judges_once():
    links = drawn(np.arange(200) % 2, 80)
    splits = cross_validation_splits(links)
    assert len(splits) == 5
    judged = sorted(pair for split in splits for pair in zip(*split.pairs[:2], strict=True))
    assert judged == sorted(zip(links.pairs.left, links.pairs.right, strict=True))
    for split in splits:
        assert len(split.links.pairs) + len(split.pairs.target) == 80


def test_objects_that_are_all_linked_to_each_other_are_parted_nevertheless():
    ring = [(i, (i + 1) % 100) for i in range(100)]
    splits = cross_validation_splits(guidance_of(ring[::2], ring[1::2], 100))
    for split in splits:
        named = set(split.pairs.left.tolist()) | set(split.pairs.right.tolist())
        assert named
        assert not named & (set(split.links.pairs.left.tolist()) | set(split.links.pairs.right.tolist()))


def test_links_that_the_rows_cannot_tell_stretch_nothing():
    rng = np.random.default_rng(1)
    kept = []
    for seed in range(8):
        rows, truth = rng.random((300, 60)), rng.permutation(300) % 2
        (relation,), _ = learn_metrics([piece_of(rows)], drawn(truth, 40, seed), 1, 3.0)
        kept.append(relation.metric is None)
    assert sum(kept) >= 4


def test_few_links_find_the_direction_in_which_rows_differ():
    """And not what all rows have in common, which is most of them."""
    rng = np.random.default_rng(2)
    truth = np.arange(200) % 2
    Z = rng.normal(size=(200, 30)) * 0.3
    Z[:, 0] += 10.0
    Z[:, 1] += np.where(truth == 0, 2.0, -2.0)
    for ridge in (1.0, 30.0):
        (direction,) = discriminant_directions(Z, drawn(truth, 10), 1, ridge).T
        assert abs(direction[1]) > 0.9


def test_directions_are_those_in_which_what_is_apart_differs():
    """Rows differ most along the second axis, where links say they are together."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 3)) * [1.0, 5.0, 0.1]
    side = Z[:, 0] > 0
    pairs = rng.permutation(40).reshape(-1, 2)
    same = side[pairs[:, 0]] == side[pairs[:, 1]]
    U = discriminant_directions(Z, guidance_of(pairs[same], pairs[~same], 40), 1, 0.1)
    assert abs(U[0, 0]) > 0.95
