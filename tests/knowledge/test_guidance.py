"""What links add to memberships: groups must act exactly as the same links listed as pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate.errors import InputError
from colligate.knowledge import GroupLinks, Guidance, PairLinks, Seeds


def pairs_of(*rows: tuple[int, int, int, float]) -> PairLinks:
    left, right, sign, strength = zip(*rows, strict=True)
    return PairLinks(
        np.array(left), np.array(right), np.array(sign, np.int8), np.array(strength), np.arange(len(rows))
    )


def dense_strengths(guidance: Guidance) -> tuple[np.ndarray, np.ndarray]:
    A, B = np.zeros((guidance.size,) * 2), np.zeros((guidance.size,) * 2)
    pairs = guidance.pairs
    for i, j, sign, strength in zip(pairs.left, pairs.right, pairs.sign, pairs.strength, strict=True):
        target = A if sign > 0 else B
        target[i, j] += strength
        target[j, i] += strength
    for links in guidance.groups:
        entries = list(zip(links.member.tolist(), links.group.tolist(), strict=True))
        for i, g in entries:
            for j, h in entries:
                if i != j:
                    A[i, j] += links.together * (g == h)
                    B[i, j] += links.apart * (g != h)
    return A, B


@st.composite
def guidances(draw: st.DrawFn) -> Guidance:
    size = draw(st.integers(1, 9))
    strengths = st.sampled_from([0.0, 0.25, 1.0, 3.5])
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        n_groups = draw(st.integers(1, 4))
        entries = st.tuples(st.integers(0, size - 1), st.integers(0, n_groups - 1))
        chosen = draw(st.lists(entries, unique=True, max_size=12))
        member, group = (np.array([entry[side] for entry in chosen], np.int64) for side in (0, 1))
        names = tuple("abcd"[:n_groups])
        groups.append(
            GroupLinks(member, group, names, np.arange(len(chosen)), draw(strengths), draw(strengths))
        )
    links = st.tuples(
        st.integers(0, size - 1), st.integers(0, size - 1), st.sampled_from([-1, 1]), st.floats(0.1, 5)
    ).filter(lambda row: row[0] < row[1])
    rows = draw(st.lists(links, max_size=6, unique_by=lambda row: row[:3])) if size > 1 else []
    return Guidance(size, pairs=pairs_of(*rows) if rows else PairLinks(), groups=tuple(groups))


@settings(max_examples=100, deadline=None)
@given(guidances(), st.integers(0, 2**32 - 1))
def test_gain_and_loss_of_groups_equal_those_of_listed_pairs(guidance: Guidance, seed: int) -> None:
    G = np.random.default_rng(seed).random((guidance.size, 3))
    A, B = dense_strengths(guidance)
    gain, loss = guidance.gain_and_loss(G)
    np.testing.assert_allclose(gain, A @ G, rtol=0, atol=1e-12 * max(1, np.abs(A).sum()))
    np.testing.assert_allclose(loss, B @ G, rtol=0, atol=1e-12 * max(1, np.abs(B).sum()))
    assert (gain >= 0).all()
    assert (loss >= 0).all()


def subtract(guidance: Guidance, labels: list[int]) -> np.ndarray:
    """The gain less the loss of two groups by links, for labels; -1 is in no group."""
    gain, loss = guidance.gain_and_loss(np.array(labels)[:, None] == np.arange(2))
    return gain - loss


def test_gain_and_loss_by_hand() -> None:
    guidance = Guidance(3, pairs=pairs_of((0, 1, 1, 2.0), (0, 2, -1, 0.5)))
    np.testing.assert_array_equal(subtract(guidance, [-1, 1, 0]), [[-0.5, 2.0], [0, 0], [0, 0]])


def test_another_number_of_objects_is_refused() -> None:
    with pytest.raises(InputError, match="about 3 objects, but the array has 4"):
        Guidance(3).gain_and_loss(np.zeros((4, 2)))


def test_empty_guidance_adds_nothing() -> None:
    guidance = Guidance(4)
    assert guidance.is_empty
    assert guidance.kinds == ()
    assert not subtract(guidance, [0, 0, 0, 0]).any()
    assert guidance.label_groups() is None
    assert guidance.seed_groups() == ()
    assert guidance.components().tolist() == [0, 1, 2, 3]


def test_labels_become_implied_links() -> None:
    guidance = Guidance(4, labels=np.array([0, -1, 1, 0]), label_names=("x", "y"))
    links = guidance.label_groups(apart=2.0)
    assert links is not None
    assert (links.member.tolist(), links.group.tolist()) == ([0, 2, 3], [0, 1, 0])
    added = subtract(guidance.with_groups(links), [0, 0, 1, 1])
    np.testing.assert_array_equal(added, [[0, 1 - 2], [0, 0], [-2, -2], [1, -2]])


def test_seeds_become_groups_that_are_never_apart() -> None:
    matrix = sparse.csr_array(np.array([[1.0, 0], [2.0, 1.0], [0, 0]]))
    every, strong = Guidance(3, seeds=Seeds(matrix, ("a", "b"), np.array([4, 5, 6]))).seed_groups()
    entries = zip(every.member.tolist(), every.group.tolist(), every.statement.tolist(), strict=True)
    assert sorted(entries) == [(0, 0, 4), (1, 0, 5), (1, 1, 6)]
    assert (strong.member.tolist(), strong.group.tolist(), strong.statement.tolist()) == ([1], [0], [5])
    assert [(links.together, links.apart) for links in (every, strong)] == [(1, 0), (1, 0)]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1e-6, 0.5, 2.0, 1e6]), min_size=8, max_size=8))
def test_two_objects_of_a_category_are_linked_by_the_weaker_strength(strengths: list[float]) -> None:
    table = np.array(strengths).reshape(4, 2)
    matrix = sparse.csr_array(table)
    guidance = Guidance(4, seeds=Seeds(matrix, ("a", "b"), np.arange(matrix.nnz)))
    links, _ = dense_strengths(guidance.with_groups(*guidance.seed_groups()))
    weaker = np.minimum(table[:, None, :], table[None, :, :]).sum(axis=2)
    np.testing.assert_allclose(links, weaker - np.diag(np.diag(weaker)), rtol=1e-12)


def seeds_of(strengths: np.ndarray) -> Guidance:
    matrix = sparse.csr_array(strengths)
    names = tuple(map(str, range(strengths.shape[1])))
    return Guidance(len(strengths), seeds=Seeds(matrix, names, np.arange(matrix.nnz)))


def test_eight_strengths_are_all_told_apart() -> None:
    strengths = np.array([[3.0, 0.1, 7, 2, 11, 5, 0.7, 13]]).T
    assert len(seeds_of(strengths).seed_groups()) == 8
    links, _ = dense_strengths(seeds_of(strengths).with_groups(*seeds_of(strengths).seed_groups()))
    weaker = np.minimum(strengths, strengths.T)
    np.testing.assert_allclose(links, weaker - np.diag(np.diag(weaker)), rtol=1e-12)


@pytest.mark.parametrize("count", [9, 16, 100])
def test_many_strengths_are_rounded_down_to_eight_of_them(count: int) -> None:
    strengths = np.random.default_rng(count).lognormal(sigma=2, size=(count, 1))
    guidance = seeds_of(strengths)
    groups = guidance.seed_groups()
    assert len(groups) == 8
    assert sum(map(len, groups)) <= 8 * count
    links, _ = dense_strengths(guidance.with_groups(*groups))
    weaker = np.minimum(strengths, strengths.T)[~np.eye(count, dtype=bool)]
    found = links[~np.eye(count, dtype=bool)]
    assert (found <= weaker * (1 + 1e-12)).all()
    assert (found >= strengths.min() * (1 - 1e-12)).all()
    order = np.argsort(strengths[:, 0])
    ranks = np.arange(8) * count // 8
    told = np.sort(strengths[:, 0])[ranks[np.searchsorted(ranks, np.arange(count), side="right") - 1]]
    np.testing.assert_allclose(links[order[-1], order[:-1]], told[:-1], rtol=1e-12)


def test_components_follow_pairs_groups_and_labels() -> None:
    groups = GroupLinks(np.array([1, 2]), np.array([0, 0]), ("g",), np.array([1, 2]))
    only_apart = GroupLinks(np.array([5, 6]), np.array([0, 0]), ("h",), np.array([3, 4]), together=0, apart=1)
    guidance = Guidance(
        7,
        pairs=pairs_of((0, 1, 1, 1.0), (3, 5, -1, 1.0)),
        groups=(groups, only_apart),
        labels=np.array([-1, -1, 0, 0, -1, -1, -1]),
        label_names=("x",),
    )
    assert guidance.components().tolist() == [0, 0, 0, 0, 1, 2, 3]


@pytest.mark.parametrize(("apart", "found"), [(0.0, [0, 0, 0, 0, 0]), (0.5, [0, 0, 1, 2, 2])])
def test_a_bridge_joins_its_groups_only_where_they_are_not_apart(apart: float, found: list[int]) -> None:
    member, group = np.array([0, 1, 2, 2, 3, 4]), np.array([0, 0, 0, 1, 1, 1])
    links = GroupLinks(member, group, ("g", "h"), np.arange(6), apart=apart)
    assert Guidance(5, groups=(links,)).components().tolist() == found


@settings(max_examples=100, deadline=None)
@given(guidances())
def test_components_are_those_of_the_links_that_certainly_hold(guidance: Guidance) -> None:
    joined = np.zeros((guidance.size,) * 2)
    pairs = guidance.pairs
    joined[pairs.left[pairs.sign > 0], pairs.right[pairs.sign > 0]] = 1
    for links in guidance.groups:
        entries = list(zip(links.member.tolist(), links.group.tolist(), strict=True))
        times = [member for member, _ in entries]
        sure = [entry for entry in entries if not links.apart or times.count(entry[0]) == 1]
        for i, g in sure if links.together else []:
            for j, h in sure:
                joined[i, j] += g == h
    _, expected = sparse.csgraph.connected_components(sparse.csr_array(joined), directed=False)
    assert guidance.components().tolist() == expected.tolist()
