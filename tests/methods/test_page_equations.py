"""Objective and one update of the methods as they are by default, against plain loops from their pages.

`test_paper_equations.py` has the papers' printed updates and the co-clustering methods. As there, the
references form every matrix. They share with the methods the start, and in the margin methods the rows and
their scale; `ssnmf` gives its metric and weights.
"""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import LinearConstraint, minimize

import colligate as cg
from colligate.methods.factorisation import update
from colligate.methods.factorisation.trifactorisation import unpack_factors
from colligate.methods.margin import clustering
from colligate.methods.src import embed_types
from colligate.network import Network

from .test_paper_equations import (
    APART,
    F0,
    LINKS,
    PAIRS,
    SEEDS,
    TOGETHER,
    WORDS,
    counts_of,
    few,
    pair_matrices,
    problem_of,
)

BOTH = (
    cg.Knowledge()
    .together(documents=TOGETHER, words=[(0, 1), (2, 3)])
    .apart(documents=APART, words=[(0, 2), (1, 5)])
)


def tfidf_rows(counts):
    """1 + log n of every count above 1, at unit length; every word is in all documents: one idf for all."""
    x = counts.copy()
    x[counts > 1] = 1 + np.log(counts[counts > 1])
    return x / np.sqrt((x**2).sum(axis=1, keepdims=True))


def multiply(*matrices):
    return reduce(np.matmul, matrices)


def squared(matrix):
    return float((matrix**2).sum())


def document_matrices():
    A, B = np.zeros((9, 9)), np.zeros((9, 9))
    for matrix, pairs in ((A, TOGETHER), (B, APART)):
        for i, j in pairs:
            matrix[i, j] = matrix[j, i] = 1.0
    return A, B


class Terms:
    """The penalties on the memberships G of one type (tnmf, eq. 2): ρ, categories, links."""

    def __init__(self, n_groups, norm, explained, *, categories=False, links=None, rho=None):
        self.rho = 0.02 * norm / n_groups if rho is None else rho
        self.alpha = 0.1 * norm / n_groups if categories else 0.0
        self.A, self.B = (np.zeros((1, 1)), np.zeros((1, 1))) if links is None else links
        degree = np.maximum((self.A + self.B).sum(axis=1), 1.0)
        share = explained / n_groups / np.sqrt(np.outer(degree, degree))
        self.A, self.B = self.A * share, self.B * share
        self.linked = links is not None

    def value(self, G):
        total = 0.0
        for k in range(G.shape[1]):
            for other in range(G.shape[1]):
                if k != other:
                    total += self.rho * float(G[:, k] @ G[:, other])
        if self.alpha:
            total += self.alpha * squared(G[:5] - F0[:5])
        if self.linked:
            for i in range(len(G)):
                for j in range(len(G)):
                    total += 0.5 * self.A[i, j] * squared(G[i] - G[j]) + self.B[i, j] * float(G[i] @ G[j])
        return total

    def add_half_gradient(self, G, gain, loss):
        for k in range(G.shape[1]):
            for other in range(G.shape[1]):
                if k != other:
                    loss[:, k] += self.rho * G[:, other]
        if self.alpha:
            gain[:5] += self.alpha * F0[:5]
            loss[:5] += self.alpha * G[:5]
        if self.linked:
            gain += multiply(self.A, G)
            loss += self.A.sum(axis=1, keepdims=True) * G + multiply(self.B, G)


def step(G, C, Q, terms):
    """Equation 6 of the page of tnmf: the step without the root, or with it where f would rise."""
    gain = np.maximum(C, 0) + multiply(G, np.maximum(-Q, 0))
    loss = np.maximum(-C, 0) + multiply(G, np.maximum(Q, 0))
    terms.add_half_gradient(G, gain, loss)
    rooted, longer = np.empty_like(G), np.empty_like(G)
    for k in range(G.shape[1]):
        g, a, b = G[:, k], gain[:, k], loss[:, k]
        low, high = -(b / g).min(), 1e9
        for _ in range(400):
            middle = (low + high) / 2
            length = (g**2 * a / np.maximum(b + middle * g, 1e-300)).sum()
            low, high = (middle, high) if length > 1 else (low, middle)
        quotient = a / (b + high * g)
        rooted[:, k], longer[:, k] = g * np.sqrt(quotient), g * quotient
        longer[:, k] /= np.sqrt((longer[:, k] ** 2).sum())

    def f(at):
        return np.trace(multiply(at, Q, at.T)) - 2 * np.trace(multiply(at.T, C)) + terms.value(at)

    return next((each for each in (longer, rooted) if f(each) <= f(G)), G)


def left_inverse(G):
    """(GᵀG)⁺·Gᵀ; the pseudo-inverse, since a start may have a group without members."""
    return multiply(np.linalg.pinv(multiply(G.T, G), rcond=1e-12), G.T)


def associate(S, R, G, F, *, signed):
    """Equation 7: least squares where S has any sign, otherwise multiplicative steps."""
    if signed:
        return multiply(left_inverse(G), R, left_inverse(F).T)
    for _ in range(update.ASSOCIATION_STEPS):
        S = S * multiply(G.T, R, F) / multiply(G.T, G, S, F.T, F)
    return S


def explainable(matrix, rank):
    return np.square(np.linalg.svd(matrix, compute_uv=False)[:rank]).sum()


def near(factors, expected, tolerance=1e-6):
    for ours, theirs in zip(factors, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


# method: knowledge, whether S may be negative, and which knowledge is about words and about documents
TRI = {
    "tnmf": (None, False, {}, {}),
    "strinmf": (None, True, {}, {}),
    "cp": (WORDS, False, {"categories": True}, {}),
    "cp-links": (PAIRS, False, {"links": pair_matrices()}, {}),
    "cstrinmf": (BOTH, True, {"links": pair_matrices()}, {"links": document_matrices()}),
}


@pytest.mark.parametrize("name", TRI)
@few
@given(seed=SEEDS)
def test_an_iteration_of_tri_factorisation_is_equations_6_and_7(name, seed):
    rng = np.random.default_rng(seed)
    X = counts_of(rng)
    knowledge, signed, about_words, about_documents = TRI[name]
    method = cg.make(name, n_clusters=3, n_word_clusters=2, weighting="counts")
    problem = problem_of(method, Network.from_matrix(X), knowledge)
    state = method.start(problem, rng)
    with pytest.MonkeyPatch.context() as patch:
        # λ of the longer step is rough by default, since f alone judges it
        patch.setattr(update, "ROUGHLY_UNIT", 1e-12)
        patch.setattr(update, "UNIT", 1e-12)
        following = unpack_factors(problem, method.sweep(problem, state))
    factors = unpack_factors(problem, state)
    G, F, S = factors.memberships["documents"], factors.memberships["words"], factors.associations[0]
    norm, explained = squared(X), explainable(X, 2)
    on_documents = Terms(3, norm, explained, **about_documents)
    on_words = Terms(2, norm, explained, **about_words)
    expected = squared(X - multiply(G, S, F.T)) + on_documents.value(G) + on_words.value(F)
    assert method.objective(problem, state) == pytest.approx(expected, rel=1e-6)
    G = step(G, multiply(X, F, S.T), multiply(S, F.T, F, S.T), on_documents)
    S = associate(S, X, G, F, signed=signed)
    F = step(F, multiply(X.T, G, S), multiply(S.T, G.T, G, S), on_words)
    S = associate(S, X, G, F, signed=signed)
    near((following.memberships["documents"], following.memberships["words"]), (G, F))
    near(following.associations, (S,), 1e-5)


@pytest.mark.parametrize("name", ["snmf", "csnmf"])
@few
@given(seed=SEEDS)
def test_an_iteration_of_bi_factorisation_solves_for_the_profiles_and_steps_the_memberships(name, seed):
    """Equations 1 and 2 of the page of snmf, and equation 6 of tnmf."""
    rng = np.random.default_rng(seed)
    X = counts_of(rng)
    linked = name == "csnmf"
    method = cg.make(name, n_clusters=3, weighting="counts")
    problem = problem_of(method, Network.from_matrix(X), LINKS if linked else None)
    state = method.start(problem, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "ROUGHLY_UNIT", 1e-12)
        patch.setattr(update, "UNIT", 1e-12)
        following = method.sweep(problem, state).numbers["memberships"]
    G = state.numbers["memberships"]
    P = multiply(left_inverse(G), X).T
    terms = Terms(3, squared(X), explainable(X, 3), links=document_matrices() if linked else None)
    expected = squared(X - multiply(G, P.T)) + terms.value(G)
    assert method.objective(problem, state) == pytest.approx(expected, rel=1e-6)
    near((following,), (step(G, multiply(X, P), multiply(P.T, P), terms),))


def triplet(rng, name, knowledge=None, **parameters):
    """Documents with words and categories: a problem, its start and the state after one iteration."""
    parts = {"words": counts_of(rng, (9, 7)), "categories": counts_of(rng, (9, 4))}
    types = {kind: cg.ObjectType(kind, range(part.shape[1])) for kind, part in parts.items()}
    types["documents"] = cg.ObjectType("documents", range(9))
    network = cg.Network(types, [cg.Relation("documents", kind, part) for kind, part in parts.items()])
    sizes = {"n_clusters": 3, "n_word_clusters": 2, "n_entity_clusters": 2}
    method = cg.make(name, weighting="counts", **sizes, **parameters)
    problem = problem_of(method, network, knowledge)
    state = method.start(problem, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "ROUGHLY_UNIT", 1e-12)
        patch.setattr(update, "UNIT", 1e-12)
        following = unpack_factors(problem, method.sweep(problem, state))
    return parts, method, problem, state, following


def check_triplet(R, weights, rho, signed, method, problem, state, following):
    """Σ_r w_r·‖R_r − G·S_r·F_rᵀ‖² and its iteration, with the matrices R by type."""
    factors = unpack_factors(problem, state)
    kinds = [relation.columns for relation in problem.relations]
    G, F = factors.memberships["documents"], {kind: factors.memberships[kind] for kind in kinds}
    S = dict(zip(kinds, factors.associations, strict=True))
    terms = {kind: Terms(2, 0.0, 0.0, rho=rho[kind]) for kind in kinds}
    terms["documents"] = Terms(3, 0.0, 0.0, rho=rho["documents"])
    expected = sum(weights[kind] * squared(R[kind] - multiply(G, S[kind], F[kind].T)) for kind in kinds)
    expected += terms["documents"].value(G) + sum(terms[kind].value(F[kind]) for kind in kinds)
    assert method.objective(problem, state) == pytest.approx(expected, rel=1e-6)
    for kind in problem.penalties:
        if kind == "documents":
            C = sum(weights[each] * multiply(R[each], F[each], S[each].T) for each in kinds)
            Q = sum(weights[each] * multiply(S[each], F[each].T, F[each], S[each].T) for each in kinds)
            G = step(G, C, Q, terms["documents"])
        else:
            w = weights[kind]
            C, Q = w * multiply(R[kind].T, G, S[kind]), w * multiply(S[kind].T, G.T, G, S[kind])
            F[kind] = step(F[kind], C, Q, terms[kind])
        for each in kinds if kind == "documents" else (kind,):
            S[each] = associate(S[each], R[each], G, F[each], signed=signed)
    near([following.memberships[kind] for kind in kinds], [F[kind] for kind in kinds])
    near((following.memberships["documents"],), (G,))
    near(following.associations, [S[kind] for kind in kinds], 1e-5)


@few
@given(seed=SEEDS)
def test_nmf_triplet_is_the_plain_sum_over_the_relations(seed):
    R, method, problem, state, following = triplet(np.random.default_rng(seed), "nmf-triplet")
    norms = {kind: squared(part) for kind, part in R.items()}
    rho = {kind: 1e-4 * norm / 2 for kind, norm in norms.items()}
    rho["documents"] = 1e-4 * sum(norms.values()) / 3
    weights = dict.fromkeys(R, 1.0)
    check_triplet(R, weights, rho, False, method, problem, state, following)


@few
@given(seed=SEEDS)
def test_ssnmf_weighs_relations_in_the_learned_metric(seed):
    """The objective of its page, with the metric I + μ·U·Uᵀ and the weights that were learned."""
    rng = np.random.default_rng(seed)
    R, method, problem, state, following = triplet(rng, "ssnmf", LINKS, categories=False)
    stretched, weights, rho = {}, {}, {}
    for relation in problem.relations:
        kind, part = relation.columns, R[relation.columns]
        if relation.metric is not None:
            U = relation.metric.U
            np.testing.assert_allclose(multiply(U.T, U), np.eye(U.shape[1]), atol=1e-9)
            part = part + relation.metric.mu * multiply(part, U, U.T)
        stretched[kind], weights[kind] = part, relation.weight
        rho[kind] = 0.02 * relation.weight * squared(part) / 2
    rho["documents"] = sum(rho.values()) * 2 / 3
    # the stretch makes rows longer; the weights make up for it, so that importances alone count
    shares = {kind: weights[kind] * squared(stretched[kind]) / squared(R[kind]) for kind in R}
    importance = dict(zip(R, (relation.weight for relation in problem.network.relations), strict=True))
    plain = {kind: squared(part) for kind, part in R.items()}
    ratio = importance["words"] / importance["categories"]
    assert shares["words"] / shares["categories"] == pytest.approx(
        ratio * plain["categories"] / plain["words"]
    )
    check_triplet(stretched, weights, rho, True, method, problem, state, following)


@few
@given(seed=SEEDS)
def test_nmf_is_coordinate_descent(seed):
    """Equation 1 of its page; one iteration of scikit-learn, entry by entry."""
    rng = np.random.default_rng(seed)
    X = counts_of(rng)
    method = cg.make("nmf", n_clusters=3, weighting="counts", max_iter=1)
    problem = problem_of(method, Network.from_matrix(X))
    state = method.start(problem, rng)
    G, P = state.numbers["memberships"].copy(), state.numbers["profiles"].copy()
    assert method.objective(problem, state) == pytest.approx(squared(X - multiply(G, P.T)))
    for one, other, matrix in ((G, P, X), (P, G, X.T)):
        for k in range(3):
            for row in range(len(one)):
                slope = sum(one[row, t] * float(other[:, t] @ other[:, k]) for t in range(3))
                slope -= float(matrix[row] @ other[:, k])
                one[row, k] = max(one[row, k] - slope / float(other[:, k] @ other[:, k]), 0.0)
    following = method.sweep(problem, state).numbers
    near((following["memberships"], following["profiles"]), (G, P))


def lloyd(rows, centres):
    """The groups of the nearest centres, and the means of these groups."""
    groups = np.array([np.argmin([squared(row - centre) for centre in centres]) for row in rows])
    return np.array([rows[groups == k].mean(axis=0) for k in range(len(centres))])


def nearest(rows, centres):
    return sum(min(squared(row - centre) for centre in centres) for row in rows)


def replaced_by_centroids(rows):
    """Words 0 and 1, and 2 to 4, as one column each with the same distances between rows."""
    first, second = rows[:, :2].sum(axis=1) / np.sqrt(2), rows[:, 2:5].sum(axis=1) / np.sqrt(3)
    return np.column_stack([first, second, rows[:, 5:]])


@pytest.mark.parametrize("name", ["kmeans", "fc"])
@few
@given(seed=SEEDS)
def test_an_iteration_of_k_means_moves_the_centres_to_their_means(name, seed):
    """Equation 1 of the pages of kmeans and fc."""
    rng = np.random.default_rng(seed)
    X = counts_of(rng)
    method = cg.make(name, n_clusters=3, max_iter=1)
    problem = problem_of(method, Network.from_matrix(X), WORDS if name == "fc" else None)
    state = method.start(problem, rng)
    rows = replaced_by_centroids(tfidf_rows(X)) if name == "fc" else tfidf_rows(X)
    centres = state.numbers["centres"]
    assert method.objective(problem, state) == pytest.approx(nearest(rows, centres))
    near((method.sweep(problem, state).numbers["centres"],), (lloyd(rows, centres),))


@few
@given(seed=SEEDS)
def test_fe_is_k_means_on_the_indicators_of_its_partitions(seed):
    """Equation 1 of the page of fe: a partition for each category, and one for the free words."""
    rng = np.random.default_rng(seed)
    X = counts_of(rng, (12, 7))
    method = cg.make("fe", n_clusters=3, max_iter=1)
    problem = problem_of(method, Network.from_matrix(X), WORDS)
    state = method.start(problem, rng)
    starts, columns = state.numbers["starts"], state.numbers["columns"]
    H = np.zeros((12, 9))
    for d in range(12):
        H[d, columns[starts[d] : starts[d + 1]]] = 1.0
    # every document is in one group of each of the three partitions
    np.testing.assert_array_equal(H.reshape(12, 3, 3).sum(axis=2), 1.0)
    rows = tfidf_rows(X)
    for partition, words in enumerate(([5, 6], [0, 1], [2, 3, 4])):
        groups = H[:, 3 * partition : 3 * partition + 3].argmax(axis=1)
        means = np.array([rows[groups == k][:, words].mean(axis=0) for k in range(3)])
        # each partition is where k-means on its words ends: all rows are with the nearest mean
        distances = np.array([[squared(row - mean) for mean in means] for row in rows[:, words]])
        assert groups.tolist() == distances.argmin(axis=1).tolist()
    centres = state.numbers["centres"]
    assert method.objective(problem, state) == pytest.approx(nearest(H, centres))
    near((method.sweep(problem, state).numbers["centres"],), (lloyd(H, centres),))


@few
@given(seed=SEEDS)
def test_ecc_moves_documents_and_then_words_to_the_least_residue(seed):
    """Equations 1 and 2 of the page of ecc."""
    rng = np.random.default_rng(seed)
    X = counts_of(rng)
    method = cg.make("ecc", n_clusters=3, n_word_clusters=2)
    problem = problem_of(method, Network.from_matrix(X))
    rows, columns = rng.permutation(np.arange(9) % 3), rng.permutation(np.arange(7) % 2)
    state = method.start(problem, rng).with_labels("documents", rows.astype(np.int32))
    state = state.with_labels("words", columns.astype(np.int32))
    x = tfidf_rows(X)

    def block(k, j):
        members = x[rows == k][:, columns == j]
        return members.mean() if members.size else 0.0

    def means():
        return np.array([[block(k, j) for j in range(2)] for k in range(3)])

    M = means()
    expected = sum((x[d, w] - M[rows[d], columns[w]]) ** 2 for d in range(9) for w in range(7))
    assert method.objective(problem, state) == pytest.approx(expected)
    rows = np.array([np.argmin([squared(x[d] - M[k][columns]) for k in range(3)]) for d in range(9)])
    M = means()
    columns = np.array([np.argmin([squared(x[:, w] - M[rows, j]) for j in range(2)]) for w in range(7)])
    following = method.sweep(problem, state).labels
    assert following["documents"].tolist() == rows.tolist()
    assert following["words"].tolist() == columns.tolist()


@few
@given(seed=SEEDS)
def test_src_takes_turns_with_the_leading_eigenvectors_of_each_type(seed):
    """Equation 1 of its page: for one type, the eigenvectors of Σ_r R_r·G_q·G_qᵀ·R_rᵀ, formed in full."""
    rng = np.random.default_rng(seed)
    groups, parts = np.arange(9) % 3, {}
    for kind, n in (("words", 7), ("categories", 4)):
        # planted groups keep the eigenvalues apart, so that few rounds are enough
        parts[kind] = counts_of(rng, (9, n)) + 20.0 * (groups[:, None] == np.arange(n) % 3)
    types = {kind: cg.ObjectType(kind, range(part.shape[1])) for kind, part in parts.items()}
    types["documents"] = cg.ObjectType("documents", range(9))
    network = cg.Network(types, [cg.Relation("documents", kind, part) for kind, part in parts.items()])
    sizes = dict.fromkeys(types, 3)
    counted = {"n_clusters": 3, "n_word_clusters": 3, "n_entity_clusters": 3}
    shares = {"documents × words": 0.7, "documents × categories": 0.1}
    method = cg.make("src", weighting="counts", max_iter=1, relation_weights=shares, **counted)
    problem = problem_of(method, network)
    # a weight is a share of what is to be explained, whatever the size of the relation
    w = {kind: shares[f"documents × {kind}"] / squared(part) for kind, part in parts.items()}
    embedded, drawn = embed_types(problem), np.random.default_rng(0)
    order = list(problem.n_clusters_by_type)
    G = {kind: np.linalg.qr(drawn.random((len(types[kind]), sizes[kind])))[0] for kind in order}
    for _ in range(50):
        for kind in order:
            if kind == "documents":
                M = sum(w[each] * multiply(part, G[each], G[each].T, part.T) for each, part in parts.items())
            else:
                M = multiply(parts[kind].T, G["documents"], G["documents"].T, parts[kind])
            G[kind] = np.linalg.eigh(M)[1][:, -sizes[kind] :]
    for kind, vectors in G.items():
        unit = vectors / np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        np.testing.assert_allclose(embedded[kind] @ embedded[kind].T, unit @ unit.T, atol=1e-3)
    rows, state = embedded["documents"], method.start(problem, rng)
    centres = state.numbers["centres"]
    assert method.objective(problem, state) == pytest.approx(nearest(rows, centres))
    near((method.sweep(problem, state).numbers["centres"],), (lloyd(rows, centres),))


def margin_case(name, seed, **parameters):
    """A problem of the margin methods, its start, the rows of documents and of outsiders, and the groups."""
    rng = np.random.default_rng(seed)
    method = cg.make(name, n_clusters=3, dimensions=4, precision=1e-6, **parameters)
    outside = cg.Knowledge().outside([11, 12, 13]) if name == "m2dcu" else None
    problem = problem_of(method, Network.from_matrix(counts_of(rng, (14, 9))), outside)
    n = 11 if outside else 14
    state = method.start(problem, rng)
    groups = state.labels["documents"][:n]
    rows = (problem.features.rows - problem.features.centre) * problem.features.scale
    # the features are the centred rows in four directions, at the length that was chosen
    assert rows.shape == (n, 4)
    np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-5)
    outsiders = np.zeros((0, 4))
    if outside:
        outsiders = (problem.outsiders.rows - problem.features.centre) * problem.features.scale
    return method, problem, state, rows.astype(np.float64), outsiders.astype(np.float64), groups


def equation_10(W, rows, outsiders, groups, weight=8.0):
    """½‖W‖² and the hinges of documents and outsiders; C_l is 64 and ε is .5."""
    total, n = 0.5 * squared(W), len(rows)
    for d in range(n):
        for r in range(3):
            if r != groups[d]:
                total += 64.0 / (3 * n) * max(0.0, 1 - rows[d] @ W[groups[d]] + rows[d] @ W[r])
    for x in outsiders:
        scores = W @ x
        total += weight / len(outsiders) * max(0.0, 1.5 * (scores.max() - scores.mean()) - 0.5)
    return total


def solve_with_slacks(rows, outsiders, groups, weight=8.0):
    """The best W of equation 10 for fixed groups, as a smooth programme with one slack for each hinge."""
    n, m = len(rows), len(outsiders)
    size, constraints, least = 12 + 2 * n + m, [], []
    for d in range(n):
        for number, r in enumerate(r for r in range(3) if r != groups[d]):
            row = np.zeros(size)
            row[4 * groups[d] : 4 * groups[d] + 4] += rows[d]
            row[4 * r : 4 * r + 4] -= rows[d]
            row[12 + 2 * d + number] = 1.0
            constraints.append(row)
            least.append(1.0)
    for j, x in enumerate(outsiders):
        for k in range(3):
            row = np.zeros(size)
            for r in range(3):
                row[4 * r : 4 * r + 4] = -1.5 * ((r == k) - 1 / 3) * x
            row[12 + 2 * n + j] = 1.0
            constraints.append(row)
            least.append(-0.5)
    linear = np.zeros(size)
    linear[12 : 12 + 2 * n] = 64.0 / (3 * n)
    linear[12 + 2 * n :] = weight / max(m, 1)
    squares = np.where(np.arange(size) < 12, 1.0, 0.0)
    found = minimize(
        lambda z: 0.5 * (squares * z) @ z + linear @ z,
        np.concatenate([np.zeros(12), np.ones(size - 12)]),
        jac=lambda z: squares * z + linear,
        bounds=[(None, None)] * 12 + [(0, None)] * (size - 12),
        constraints=LinearConstraint(np.array(constraints), least, np.inf),
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return found.x[:12].reshape(3, 4)


@pytest.mark.parametrize("name", ["m2dcu-0", "m2dcu"])
@pytest.mark.parametrize("seed", range(4))
def test_an_iteration_of_cccp_solves_equation_10_and_moves_every_document_to_its_highest_score(name, seed):
    method, problem, state, rows, outsiders, groups = margin_case(
        name, seed, **({"outsider_weight": 8.0} if name == "m2dcu" else {})
    )
    with pytest.MonkeyPatch.context() as patch:
        # by default the groups move before the weights are optimal
        patch.setattr(clustering, "GAIN_SHARE", 0.0)
        following = method.sweep(problem, state)
    W, labels = following.numbers["weights"][:, :4], following.labels["documents"][: len(rows)]
    assert method.objective(problem, following) == pytest.approx(
        equation_10(W, rows, outsiders, labels), rel=1e-5
    )
    best = solve_with_slacks(rows, outsiders, groups)
    reached, least = (equation_10(each, rows, outsiders, groups) for each in (W, best))
    assert reached == pytest.approx(least, rel=1e-4)
    np.testing.assert_allclose(W, best, atol=0.03 * np.abs(best).max())
    assert labels.tolist() == (rows @ best.T).argmax(axis=1).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_an_iteration_of_cpm3c_adds_the_most_violated_cut_and_runs_cccp_on_it(seed):
    """At weights of zero the cut has all hinges; with one cut the best weights have a closed form."""
    method, problem, state, rows, _, groups = margin_case("cpm3c", seed)
    assert method.objective(problem, state) == pytest.approx(64.0 * 2 / 3)
    previous, first = np.inf, groups
    for _ in range(20):
        # the plane of the cut: the hinges that it has, as the groups are now
        slope, height = np.zeros((3, 4)), 0.0
        for d in range(14):
            for r in range(3):
                if r not in (first[d], groups[d]):
                    slope[groups[d]] -= rows[d] / (3 * 14)
                    slope[r] += rows[d] / (3 * 14)
                    height += 1 / (3 * 14)
        dual = min(64.0, height / squared(slope))
        W = -dual * slope
        value = 0.5 * squared(W) + 64.0 * max(0.0, height + float((slope * W).sum()))
        groups = (rows @ W.T).argmax(axis=1)
        if previous - value <= 1e-3 * value:
            break
        previous = value
    following = method.sweep(problem, state)
    expected = equation_10(W, rows, np.zeros((0, 4)), groups)
    assert expected < 64.0 * 2 / 3
    np.testing.assert_allclose(following.numbers["weights"][:, :4], W, rtol=1e-3, atol=1e-3 * np.abs(W).max())
    assert following.labels["documents"].tolist() == groups.tolist()
    assert method.objective(problem, following) == pytest.approx(expected, rel=1e-4)
