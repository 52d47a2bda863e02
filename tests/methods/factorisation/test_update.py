import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.kernels import make_kernels
from colligate.knowledge import GroupLinks, Guidance, PairLinks
from colligate.methods.factorisation import update
from colligate.methods.factorisation.penalty import Anchor, LinkPenalty, Penalty
from colligate.methods.factorisation.update import (
    FLOOR,
    UNIT,
    LowRank,
    kkt_residual,
    sum_low_rank,
    update_association,
)

from . import dense

FAST = make_kernels("fast")


def evaluated(G, C, Q, penalty):
    return update.evaluate(G, LowRank.of(C), Q, penalty, FAST.overlap)


def updated(G, C, Q, penalty):
    return update.update_memberships(FAST, G, LowRank.of(C), Q, penalty)


def safe_step(G, slope):
    return FAST.step(G, slope, UNIT, FLOOR, root=True)


def guided(rng, n):
    """Listed links of both signs, and groups whose links are implied; object 1 is in two groups."""
    left, right = np.triu_indices(n, 1)
    drawn = rng.random(len(left)) < 0.2
    pairs = PairLinks(
        left[drawn],
        right[drawn],
        np.where(rng.random(drawn.sum()) < 0.5, 1, -1).astype(np.int8),
        rng.uniform(0.2, 2.0, drawn.sum()),
        np.arange(drawn.sum()),
    )
    member, group = np.array([0, 1, 2, 3, 1]), np.array([0, 0, 1, 1, 1])
    groups = GroupLinks(member, group, ("a", "b"), np.arange(5), together=0.7, apart=1.3)
    return Guidance(n, pairs=pairs, groups=(groups,))


def scaled(guidance):
    """A and B with the links of each object sharing its weight, in full."""
    A, B = dense.link_matrices(guidance)
    scale = 1 / np.sqrt(np.maximum((A + B).sum(axis=1), 1))
    return A * np.outer(scale, scale), B * np.outer(scale, scale)


def unit(G):
    return G / np.linalg.norm(G, axis=0)


def problem_of(rng, *, signed, n=9, k=3):
    """C and Q of a random relation seen from one side, and a penalty with everything in it."""
    guidance = guided(rng, n)
    B = rng.normal(size=(6, k)) if signed else rng.random((6, k))
    X = rng.normal(size=(n, 6)) if signed else rng.random((n, 6))
    anchor = Anchor(np.array([0, 4]), rng.random((2, k)), rng.uniform(0, 3), np.arange(2), np.arange(2))
    penalty = Penalty(rng.uniform(0, 2), (anchor, LinkPenalty.of(guidance, rng.uniform(0, 3))))
    return guidance, anchor, penalty, X, B, unit(rng.random((n, k)) + 0.01)


@pytest.mark.parametrize("signed", [False, True])
def test_value_and_gradient_equal_the_textbook_ones(signed):
    rng = np.random.default_rng(5)
    guidance, anchor, penalty, X, B, G = problem_of(rng, signed=signed)
    A_full, B_full = scaled(guidance)
    weight = penalty.parts[1].beta

    def textbook(G):
        return (
            np.square(X - G @ B.T).sum()
            - np.square(X).sum()
            + penalty.rho * dense.orthogonality(G)
            + anchor.alpha * np.square(G[anchor.where] - anchor.G0).sum()
            + weight * dense.links(G, A_full, B_full)
        )

    evaluation = evaluated(G, X @ B, B.T @ B, penalty)
    gain, loss = evaluation.gradient.parts(G)
    assert evaluation.value == pytest.approx(textbook(G))
    np.testing.assert_allclose(2 * (loss - gain), dense.slope(textbook, G), atol=1e-5)
    np.testing.assert_allclose(evaluation.gradient.lead, ((gain - loss) * G).sum(axis=0))
    assert gain.min() >= 0
    assert loss.min() >= 0


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_safe_step_never_raises_the_objective(seed, signed):
    """The step that the derivation proves; the longer one is taken only where it does not rise either."""
    rng = np.random.default_rng(seed)
    _, _, penalty, X, B, G = problem_of(rng, signed=signed)
    C, Q = X @ B, B.T @ B
    value, slope = evaluated(G, C, Q, penalty)
    for _ in range(5):
        G = safe_step(G, slope)
        np.testing.assert_allclose(np.linalg.norm(G, axis=0), 1.0)
        before = value
        value, slope = evaluated(G, C, Q, penalty)
        assert value <= before + 1e-12 * max(1.0, abs(before))


def test_the_safe_step_is_the_textbook_one():
    """G ∘ √(gain/(loss + λ·G)), with λ by bisection."""
    rng = np.random.default_rng(6)
    _, _, penalty, X, B, G = problem_of(rng, signed=True)
    _, slope = evaluated(G, X @ B, B.T @ B, penalty)
    parts = slope.parts(G)
    expected = np.empty_like(G)
    for k in range(G.shape[1]):
        gain, loss, g = parts[0][:, k], parts[1][:, k], G[:, k]
        low, high = -(loss / g).min() * (1 - 1e-12), 1e6
        for _ in range(300):
            middle = (low + high) / 2
            column = g * np.sqrt(gain / (loss + middle * g))
            low, high = (middle, high) if np.square(column).sum() > 1 else (low, middle)
        expected[:, k] = column
    np.testing.assert_allclose(safe_step(G, slope), expected, rtol=1e-6)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_an_update_never_raises_the_objective(seed, signed):
    rng = np.random.default_rng(seed)
    _, _, penalty, X, B, G = problem_of(rng, signed=signed)
    C, Q = X @ B, B.T @ B
    after = updated(G, C, Q, penalty)
    assert after.min() > 0
    assert evaluated(after, C, Q, penalty).value <= evaluated(G, C, Q, penalty).value


@pytest.mark.parametrize("signed", [False, True])
def test_many_updates_end_where_the_conditions_of_kuhn_and_tucker_hold(signed):
    rng = np.random.default_rng(1)
    _, _, penalty, X, B, G = problem_of(rng, signed=signed)
    C, Q = X @ B, B.T @ B
    before = kkt_residual(G, evaluated(G, C, Q, penalty).gradient)
    G = updated_often(G, C, Q, penalty)
    last = evaluated(G, C, Q, penalty).gradient
    left = kkt_residual(G, last)
    print(f"Kuhn-Tucker residual {before:.2g} at the start, {left:.2g} at the end")
    assert left < 1e-6 < before
    # where a membership is nothing, the objective must not fall if it grew
    gain, loss = last.parts(G)
    slope = loss - gain
    along = slope - G * (slope * G).sum(axis=0)
    assert np.all(along[G < 1e-8] >= -1e-6)


def updated_often(G, C, Q, penalty):
    for _ in range(1000):
        G = updated(G, C, Q, penalty)
    return G


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_associations_lower_the_norm(seed):
    rng = np.random.default_rng(seed)
    X, G, F, S = (rng.random(shape) for shape in ((8, 7), (8, 3), (7, 2), (3, 2)))
    cross, left, right = G.T @ X @ F, G.T @ G, F.T @ F
    kept = update_association(S, cross, left, right, signed=False)
    free = update_association(S, cross, left, right, signed=True)
    assert kept.min() >= 0
    objectives = [dense.objective(X, G, one, F) for one in (S, kept, free)]
    assert objectives[0] >= objectives[1] - 1e-12
    assert objectives[1] >= objectives[2] - 1e-12
    gradient = G.T @ (X - G @ free @ F.T) @ F
    np.testing.assert_allclose(gradient, 0, atol=1e-8)


def test_one_multiplicative_step_of_an_association_is_the_printed_one():
    rng = np.random.default_rng(2)
    X, G, F, S = (rng.random(shape) for shape in ((8, 7), (8, 3), (7, 2), (3, 2)))
    expected = S
    for _ in range(20):
        expected = expected * (G.T @ X @ F) / (G.T @ G @ expected @ F.T @ F)
    following = update_association(S, G.T @ X @ F, G.T @ G, F.T @ F, signed=False)
    np.testing.assert_allclose(following, expected)


def test_strong_links_do_not_drive_memberships_to_infinity():
    """A reward −tr GᵀAG would: it falls without end as G grows."""
    rng = np.random.default_rng(3)
    guidance = guided(rng, 9)
    penalty = Penalty(1e-6, (LinkPenalty.of(guidance, 1e6),))
    X, B, G = rng.random((9, 6)), rng.random((6, 3)), unit(rng.random((9, 3)))
    for _ in range(200):
        G = updated(G, X @ B, B.T @ B, penalty)
    np.testing.assert_allclose(np.linalg.norm(G, axis=0), 1.0)
    assert evaluated(G, X @ B, B.T @ B, penalty).value > -np.square(X).sum()


def test_implied_links_cost_what_the_same_links_listed_cost():
    rng = np.random.default_rng(4)
    member, group = np.arange(8), np.arange(8) % 3
    implied = Guidance(8, groups=(GroupLinks(member, group, ("a", "b", "c"), member, 0.5, 2.0),))
    left, right = np.triu_indices(8, 1)
    same = group[left] == group[right]
    strength = np.where(same, 0.5, 2.0)
    listed = Guidance(
        8,
        pairs=PairLinks(left, right, np.where(same, 1, -1).astype(np.int8), strength, np.arange(len(left))),
    )
    G = rng.random((8, 3))
    one, other = (
        Penalty(0.3, (LinkPenalty.of(guidance, 1.7),)).evaluate(G) for guidance in (implied, listed)
    )
    assert one.value == pytest.approx(other.value)
    np.testing.assert_allclose(one.gain, other.gain)
    np.testing.assert_allclose(one.loss, other.loss)


def test_what_several_relations_say_is_their_sum():
    rng = np.random.default_rng(7)
    pulls = [LowRank(rng.random((9, m)), rng.random((m, 3))) for m in (2, 4)]
    nothing = LowRank(np.zeros((9, 0)), np.zeros((0, 3)))
    total = sum_low_rank([nothing, *pulls])
    np.testing.assert_allclose(total.left @ total.right, sum(left @ right for left, right in pulls))
    assert sum_low_rank([nothing]) is nothing
    assert sum_low_rank([nothing, pulls[0]]) is pulls[0]
