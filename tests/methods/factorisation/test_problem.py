from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from colligate.kernels import make_kernels
from colligate.methods.factorisation.penalty import Penalty
from colligate.methods.factorisation.problem import (
    ArrayCache,
    FactorProblem,
    Factors,
    assign_groups,
    log_memberships,
    make_relations,
    normalise_memberships,
)
from colligate.network import Network, ObjectType, Relation

from . import dense

SIZES = {"documents": 3, "words": 4, "people": 2}


def three_types(rng):
    """Documents with words, and people with documents: one relation is turned round by the engine."""
    types = {name: ObjectType(name, range(n)) for name, n in (("documents", 7), ("words", 9), ("people", 5))}
    words, people = rng.poisson(1.0, (7, 9)), rng.poisson(1.0, (5, 7))
    people[:, 2:4] = 0
    return Network(
        types,
        (
            Relation("documents", "words", sparse.csr_array(words)),
            Relation("people", "documents", sparse.csr_array(people)),
        ),
    )


def made(rng):
    network = three_types(rng)
    weights = (2.0, 0.5)
    pieces = tuple(
        replace(p, weight=w) for p, w in zip(make_relations(network, "counts"), weights, strict=True)
    )
    penalties = {kind: Penalty(0.3) for kind in SIZES}
    problem = FactorProblem(network, make_kernels("fast"), SIZES, {}, pieces, penalties)
    memberships = {kind: rng.random((len(network.types[kind]), size)) for kind, size in SIZES.items()}
    associations = tuple(rng.random((SIZES[piece.rows], SIZES[piece.columns])) for piece in pieces)
    return problem, Factors(memberships, associations)


def textbook_objective(piece, left, S, right):
    """Over the objects that the relation speaks of."""
    matrix = piece.matrix.toarray()
    rows, columns = matrix.any(axis=1), matrix.any(axis=0)
    return dense.objective(matrix[rows][:, columns], left[rows], S, right[columns])


def test_the_objective_of_a_network_equals_the_textbook_one():
    problem, factors = made(np.random.default_rng(0))
    expected = 0.0
    for piece, S in zip(problem.relations, factors.associations, strict=True):
        left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
        expected += piece.weight * textbook_objective(piece, left, S, right)
    expected += sum(0.3 * dense.orthogonality(G) for G in factors.memberships.values())
    assert problem.objective(factors) == pytest.approx(expected)


@pytest.mark.parametrize("kind", sorted(SIZES))
def test_what_the_relations_say_to_a_type_is_the_gradient(kind):
    problem, factors = made(np.random.default_rng(1))
    C, Q, parts = problem.coefficients(kind, factors)
    G = factors.memberships[kind]
    slope = G @ Q - C.left @ C.right
    for part in parts:
        slope[part.present] += G[part.present] @ part.Q

    def textbook(moved):
        total = 0.0
        there = {**factors.memberships, kind: moved}
        for piece, S in zip(problem.relations, factors.associations, strict=True):
            total += piece.weight * textbook_objective(piece, there[piece.rows], S, there[piece.columns])
        return total

    np.testing.assert_allclose(2 * slope, dense.slope(textbook, G), atol=1e-4)


def test_products_are_kept_for_the_same_memberships_alone():
    problem, factors = made(np.random.default_rng(2))
    F = factors.memberships["words"]
    first = problem.product(0, F, transposed=False)
    assert problem.product(0, F, transposed=False) is first
    np.testing.assert_allclose(problem.product(0, 2 * F, transposed=False), 2 * first)


def test_a_relation_is_read_from_the_centre_outwards():
    rng = np.random.default_rng(3)
    network = three_types(rng)
    words, people = make_relations(network, "counts")
    assert (words.rows, words.columns, words.flipped) == ("documents", "words", False)
    assert (people.rows, people.columns, people.flipped) == ("documents", "people", True)
    np.testing.assert_array_equal(words.matrix.toarray(), network.relations[0].matrix.toarray())
    np.testing.assert_array_equal(people.matrix.toarray(), network.relations[1].matrix.toarray().T)
    for piece in make_relations(network, "tfidf"):
        lengths = np.sqrt(np.square(piece.matrix.toarray()).sum(axis=1))
        np.testing.assert_allclose(lengths[lengths > 0], 1.0)


def test_a_value_is_made_once_for_the_same_arrays():
    kept, made = ArrayCache(), []
    first, second = np.ones(3), np.ones(3)

    def value(arrays):
        return kept.get("sum", arrays, lambda: made.append(1) or sum(a.sum() for a in arrays))

    assert value((first, second)) == value((first, second)) == 6.0
    assert len(made) == 1
    assert value((second, first)) == 6.0
    assert kept.get("other", (first, second), lambda: "another") == "another"
    assert len(made) == 2


def test_no_array_lives_longer_and_a_new_one_in_its_place_is_not_mistaken_for_it():
    kept = ArrayCache()
    for number in range(50):
        array = np.full(1000, float(number))
        assert kept.get("first", (array,), lambda array=array: array[0]) == number
        del array
    assert len(kept._values) == 1


def test_scaling_a_column_changes_nothing():
    G = np.random.default_rng(0).random((10, 3))
    filled = np.ones(10, dtype=bool)
    np.testing.assert_allclose(normalise_memberships(G), normalise_memberships(G * [1e-3, 5.0, 1e4]))
    np.testing.assert_array_equal(assign_groups(G, filled), assign_groups(G * [1e-3, 5.0, 1e4], filled))


def test_shares_sum_to_one_and_the_scores_are_their_logarithms():
    G = np.random.default_rng(0).random((10, 3))
    np.testing.assert_allclose(normalise_memberships(G).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(log_memberships(G)), normalise_memberships(G))


def test_a_group_that_is_nobodys_first_gets_the_object_that_shares_most_in_it():
    G = np.array([[1.0, 0.0, 0.5], [1.0, 0.0, 0.6], [0.0, 1.0, 0.5], [0.0, 1.0, 0.5]])
    shares = normalise_memberships(G)
    assert 2 not in shares.argmax(axis=1)
    labels = assign_groups(G, np.ones(4, dtype=bool))
    assert labels.tolist() == [0, 2, 1, 1]


def test_objects_without_entries_are_in_no_group_and_fill_none():
    G = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]])
    assert assign_groups(G, np.array([True, True, False])).tolist() == [0, 1, -1]


def test_a_dead_column_wins_nothing():
    G = np.array([[1.0, 1e-30, 0.2], [0.9, 1e-30, 0.1], [0.1, 1e-30, 1.0]])
    assert normalise_memberships(G)[:, 1].max() < 1e-12
