"""Objective and one update of methods, against plain loops written from the equations of their papers.

`test_page_equations.py` has what a method's page changes; `itcc` and `plsa` have both in their own files,
`colligate` in `mixture/test_em.py`. The references form every matrix and compute every entry by itself. They
share with the methods the start, and that of `m2dcu` the scores of its features.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg
from colligate.methods.factorisation.printed import ProjectedRelation
from colligate.methods.factorisation.trifactorisation import unpack_factors
from colligate.methods.information.step import update_labels
from colligate.network import Network

SEEDS = st.integers(0, 2**32 - 1)
few = settings(max_examples=15, deadline=None)


def counts_of(rng, shape=(9, 7)):
    """Weights without zeros, so that no two clusters tie."""
    return rng.poisson(2.0, shape) + rng.uniform(0.5, 1.5, shape)


def problem_of(method, network, knowledge=None):
    guidance = {} if knowledge is None else knowledge.compile(network.names).guidance
    return method.problem(network, guidance)


def divergence(p, q):
    total = 0.0
    for a, b in zip(p, q, strict=True):
        if a > 0:
            total += a * np.log(a / b)
    return total


def cluster_row(p, rows, columns, k):
    """q(w|k) = p(ŵ|k)·p(w|ŵ) for every column, as the co-clustering papers define it."""
    q = np.zeros(p.shape[1])
    mass = p[rows == k].sum()
    for w in range(p.shape[1]):
        column_cluster = columns == columns[w]
        q[w] = p[rows == k][:, column_cluster].sum() / mass * p[:, w].sum() / p[:, column_cluster].sum()
    return q


def smoothed_rows(counts):
    """p_i = ½·x_i + ½·b, b the marginal of the columns."""
    x, b = counts / counts.sum(axis=1, keepdims=True), counts.sum(axis=0) / counts.sum()
    return 0.5 * x + 0.5 * b


def link_costs(counts):
    """KL(i‖j) + KL(j‖i) of every pair, and 2·D_max with the bound of the page (citcc, eq. 5)."""
    p, n = smoothed_rows(counts), len(counts)
    b = counts.sum(axis=0) / counts.sum()
    both = np.array([[divergence(p[i], p[j]) + divergence(p[j], p[i]) for j in range(n)] for i in range(n)])
    u = [divergence(row, 0.5 * b) for row in p]
    v = [0.5 * sum(b[w] * np.log(row[w] / (0.5 * b[w])) for w in range(len(b))) for row in p]
    return both, 2.0 * (max(u) - min(v))


TOGETHER, APART = [(0, 3), (1, 4), (3, 6)], [(0, 1), (2, 5)]
LINKS = cg.Knowledge().together(documents=TOGETHER).apart(documents=APART)


def broken_links(counts, labels):
    """Σ V over the links of LINKS."""
    both, twice_d_max = link_costs(counts)
    total = sum(both[i, j] for i, j in TOGETHER if labels[i] != labels[j])
    return total + sum(twice_d_max - both[i, j] for i, j in APART if labels[i] == labels[j])


def icm(counts, rows, columns, order, weight, *, printed):
    """Objects with links one after the other, each where its divergence and links cost least."""
    p, labels = counts / counts.sum(), rows.copy()
    q = [cluster_row(p, rows, columns, k) for k in range(3)]
    both, twice_d_max = link_costs(counts)
    fit = np.array([[divergence(row / row.sum(), q[k]) for k in range(3)] for row in p])
    if not printed:
        fit *= p.sum(axis=1, keepdims=True)
    for d in range(len(rows)):
        if d not in order:
            labels[d] = fit[d].argmin()

    def cost_of(d):
        cost = fit[d].copy()
        for i, j in TOGETHER:
            other = {i: j, j: i}.get(d)
            if other is not None:
                cost += weight * both[i, j] * (np.arange(3) != labels[other])
        for i, j in APART:
            other = {i: j, j: i}.get(d)
            if other is not None:
                cost += weight * (twice_d_max - both[i, j]) * (np.arange(3) == labels[other])
        return cost

    return lower_costs(labels, order, cost_of)


def lower_costs(labels, order, cost_of):
    """Move objects one after the other to where they cost least, until none would move."""

    def would_move(d):
        return cost_of(d).min() < cost_of(d)[labels[d]] - 1e-12

    for _ in range(30):
        # a round visits the objects that would move at its begin (citcc, "The update")
        restless = [d for d in order if would_move(d)]
        for d in restless:
            if would_move(d):
                labels[d] = cost_of(d).argmin()
        if not restless:
            break
    return labels


@pytest.mark.parametrize("reading", ["objective", "printed"])
@pytest.mark.parametrize("name", ["citcc", "chinc"])
@few
@given(seed=SEEDS)
def test_the_objective_of_linked_co_clustering_is_that_of_equation_8(name, reading, seed):
    rng = np.random.default_rng(seed)
    counts = counts_of(rng)
    method = cg.make(name, n_clusters=3, n_word_clusters=2, link_weight=2.0, reading=reading)
    problem = problem_of(method, Network.from_matrix(counts), LINKS)
    rows, columns = rng.permutation(np.arange(9) % 3), rng.permutation(np.arange(7) % 2)
    labels = {"documents": rows.astype(np.int32), "words": columns.astype(np.int32)}
    p = counts / counts.sum()
    expected = sum(
        row.sum() * divergence(row / row.sum(), cluster_row(p, rows, columns, k))
        for row, k in zip(p, rows, strict=True)
    )
    expected += 2.0 / np.sqrt(9) * broken_links(counts, rows) / (1 if reading == "printed" else 9)
    assert problem.evaluate(labels).objective == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("reading", ["objective", "printed"])
@pytest.mark.parametrize("name", ["citcc", "chinc"])
@few
@given(seed=SEEDS)
def test_the_label_step_of_linked_co_clustering_is_iterated_conditional_modes(name, reading, seed):
    rng = np.random.default_rng(seed)
    counts = counts_of(rng)
    method = cg.make(name, n_clusters=3, n_word_clusters=2, link_weight=0.5, reading=reading)
    problem = problem_of(method, Network.from_matrix(counts), LINKS)
    rows, columns = rng.permutation(np.arange(9) % 3), rng.permutation(np.arange(7) % 2)
    labels = {"documents": rows.astype(np.int32), "words": columns.astype(np.int32)}
    links = problem.links["documents"]
    order = rng.permutation(len(links.where))
    updated = update_labels(problem, labels, "documents", 0.0, {"documents": order})["documents"]
    printed = reading == "printed"
    weight = 0.5 / np.sqrt(9) / (1 if printed else 9)
    expected = icm(counts, rows, columns, links.where[order].tolist(), weight, printed=printed)
    assert updated.tolist() == expected.tolist()


@pytest.mark.parametrize(("reading", "weights"), [("objective", (10 / 11, 1 / 11)), ("printed", (1.0, 1.0))])
@pytest.mark.parametrize("name", ["hinc", "chinc"])
@few
@given(seed=SEEDS)
def test_a_network_adds_up_its_relations(name, reading, weights, seed):
    """Equation 3 of the world-knowledge paper, and its label step; printed, every relation has weight 1."""
    rng = np.random.default_rng(seed)
    parts = {"words": counts_of(rng), "people": counts_of(rng, (9, 5))}
    # the words have ten times the occurrences, so their share is 10/11
    parts["words"] *= 10.0 * parts["people"].sum() / parts["words"].sum()
    types = {kind: cg.ObjectType(kind, range(part.shape[1])) for kind, part in parts.items()}
    types["documents"] = cg.ObjectType("documents", range(9))
    network = cg.Network(types, [cg.Relation("documents", kind, part) for kind, part in parts.items()])
    method = cg.make(name, n_clusters=3, n_word_clusters=2, n_entity_clusters=2, reading=reading)
    problem = problem_of(method, network)
    rows = rng.permutation(np.arange(9) % 3)
    labels = {"documents": rows.astype(np.int32)}
    labels |= {
        kind: rng.permutation(np.arange(part.shape[1]) % 2).astype(np.int32) for kind, part in parts.items()
    }
    objective, cost = 0.0, np.zeros((9, 3))
    for weight, (kind, part) in zip(weights, parts.items(), strict=True):
        p = part / part.sum()
        for d, row in enumerate(p):
            for k in range(3):
                q = cluster_row(p, rows, labels[kind], k)
                cost[d, k] += weight * row.sum() * divergence(row / row.sum(), q)
            objective += (
                weight * row.sum() * divergence(row / row.sum(), cluster_row(p, rows, labels[kind], rows[d]))
            )
    assert problem.evaluate(labels).objective == pytest.approx(objective, rel=1e-9)
    updated = update_labels(problem, labels, "documents", 0.0, {})["documents"]
    assert updated.tolist() == cost.argmin(axis=1).tolist()


def multiply(*matrices):
    """A matrix product by loops."""
    result = matrices[0]
    for right in matrices[1:]:
        product = np.zeros((len(result), right.shape[1]))
        for i in range(len(result)):
            for j in range(right.shape[1]):
                product[i, j] = sum(result[i, t] * right[t, j] for t in range(len(right)))
        result = product
    return result


def ratio(numerator, denominator):
    quotient = np.zeros_like(numerator)
    for entry in np.ndindex(*quotient.shape):
        if denominator[entry] > 0:
            quotient[entry] = numerator[entry] / denominator[entry]
    return quotient


WORDS = cg.Knowledge().category("a", words=[0, 1]).category("b", words=[2, 3, 4])
PAIRS = cg.Knowledge().together(words=[(0, 1), (2, 3)]).apart(words=[(0, 2), (1, 5)])
F0 = np.zeros((7, 2))
F0[[0, 1], 0], F0[[2, 3, 4], 1] = 1 / np.sqrt(2), 1 / np.sqrt(3)


def pair_matrices():
    A, B = np.zeros((7, 7)), np.zeros((7, 7))
    for matrix, pairs in ((A, [(0, 1), (2, 3)]), (B, [(0, 2), (1, 5)])):
        for i, j in pairs:
            matrix[i, j] = matrix[j, i] = 1.0
    return A, B


def word_space(seed, name, knowledge, **parameters):
    """X (words × documents, as in the paper), the state of a start, and the state after one iteration."""
    counts = counts_of(np.random.default_rng(seed))
    options = {"weighting": "counts", "reading": "printed", "n_word_clusters": 2, **parameters}
    method = cg.make(name, n_clusters=3, **options)
    problem = problem_of(method, Network.from_matrix(counts), knowledge)
    state = method.start(problem, np.random.default_rng(seed))
    return counts.T, method, problem, state, method.sweep(problem, state)


def paper_factors(problem, state):
    """F, S and G with the paper's X = F·S·Gᵀ."""
    factors = unpack_factors(problem, state)
    return factors.memberships["words"], factors.associations[0].T, factors.memberships["documents"]


@few
@given(seed=SEEDS)
def test_cp_as_printed_is_equations_4_and_8_to_10(seed):
    X, method, problem, state, following = word_space(seed, "cp", WORDS, category_weight=0.7)
    F, S, G = paper_factors(problem, state)
    np.testing.assert_allclose(F, F0)
    unexplained = X - multiply(F, S, G.T)
    expected = sum(value**2 for value in unexplained.ravel()) + 0.7 * sum(v**2 for v in (F - F0).ravel())
    assert method.objective(problem, state) == pytest.approx(expected)
    G_next = G * ratio(multiply(X.T, F, S), multiply(G, G.T, X.T, F, S))
    C = multiply(X, G_next, S.T)
    F_next = F * ratio(C + 0.7 * F0, multiply(F, F.T, C) + 0.7 * multiply(F, F.T, F0))
    S_next = S * ratio(multiply(F_next.T, X, G_next), multiply(F_next.T, F_next, S, G_next.T, G_next))
    for printed, ours in zip((F_next, S_next, G_next), paper_factors(problem, following), strict=True):
        np.testing.assert_allclose(ours, printed, rtol=1e-9, atol=1e-12)


@few
@given(seed=SEEDS)
def test_cp_links_as_printed_is_equations_17_and_18_without_the_term_that_turns_negative(seed):
    X, method, problem, state, following = word_space(seed, "cp-links", PAIRS, word_link_weight=0.4)
    (F, S, G), (A, B) = paper_factors(problem, state), pair_matrices()
    unexplained = sum(value**2 for value in (X - multiply(F, S, G.T)).ravel())
    rewards = -0.4 * np.trace(multiply(F.T, A, F)) + 0.4 * np.trace(multiply(F.T, B, F))
    assert method.objective(problem, state) == pytest.approx(unexplained + rewards)
    G_next = G * ratio(multiply(X.T, F, S), multiply(G, G.T, X.T, F, S))
    gain = multiply(X, G_next, S.T) + 0.4 * multiply(A, F)
    F_next = F * np.sqrt(ratio(gain, multiply(F, F.T, gain) + 0.4 * multiply(B, F)))
    F_next = F_next / np.sqrt((F_next**2).sum(axis=0))
    np.testing.assert_allclose(paper_factors(problem, following)[0], F_next, rtol=1e-9, atol=1e-12)


def test_the_denominator_of_equation_18_turns_negative():
    """Why its last term is left out: with many pairs apart, −γ·F·FᵀBF outweighs all the rest."""
    X, _, problem, state, _ = word_space(0, "cp-links", PAIRS)
    F, S, G = paper_factors(problem, state)
    B = np.ones((7, 7)) - np.eye(7)
    C, weight = multiply(X, G, S.T), 1000.0
    multiplier = multiply(F.T, C) - weight * multiply(F.T, B, F) - multiply(S, G.T, G, S.T)
    printed = multiply(F, multiply(S, G.T, G, S.T) + multiplier) + weight * multiply(B, F)
    assert printed.min() < 0


@pytest.mark.parametrize("name", ["tnmf", "cp", "cp-links"])
@few
@given(seed=SEEDS)
def test_the_objective_of_tri_factorisation_is_that_of_its_page(name, seed):
    """Equation 1 of the pages of tnmf, cp and cp-links, at any factors."""
    rng = np.random.default_rng(seed)
    counts = counts_of(rng)
    knowledge = {"tnmf": None, "cp": WORDS, "cp-links": PAIRS}[name]
    method = cg.make(name, n_clusters=3, n_word_clusters=2, weighting="counts")
    problem = problem_of(method, Network.from_matrix(counts), knowledge)
    state = method.sweep(problem, method.start(problem, rng))
    factors = unpack_factors(problem, state)
    G, F, S = factors.memberships["documents"], factors.memberships["words"], factors.associations[0]
    norm = sum(value**2 for value in counts.ravel())
    expected = sum(value**2 for value in (counts - multiply(G, S, F.T)).ravel())
    for memberships in (G, F):
        n_groups = memberships.shape[1]
        for k in range(n_groups):
            for other in range(n_groups):
                if k != other:
                    expected += 0.02 * norm / n_groups * float(memberships[:, k] @ memberships[:, other])
    if name == "cp":
        expected += 0.1 * norm / 2 * sum(value**2 for value in (F[:5] - F0[:5]).ravel())
    if name == "cp-links":
        explained = np.square(np.linalg.svd(counts, compute_uv=False)[:2]).sum()
        beta, (A, B) = explained / 2, pair_matrices()
        degree = np.maximum((A + B).sum(axis=1), 1.0)
        for v in range(7):
            for w in range(7):
                share = beta / np.sqrt(degree[v] * degree[w])
                expected += share * (
                    0.5 * A[v, w] * ((F[v] - F[w]) ** 2).sum() + B[v, w] * float(F[v] @ F[w])
                )
    assert method.objective(problem, state) == pytest.approx(expected, rel=1e-6)


@few
@given(seed=SEEDS)
def test_the_objective_and_the_profiles_of_csnmf_are_those_of_its_page(seed):
    """Equation 1 of the page of csnmf, with links on documents."""
    rng = np.random.default_rng(seed)
    counts = counts_of(rng)
    method = cg.make("csnmf", n_clusters=3, weighting="counts")
    problem = problem_of(method, Network.from_matrix(counts), LINKS)
    state = method.sweep(problem, method.start(problem, rng))
    G = state.numbers["memberships"]
    # with G fixed, the best P solves the normal equations
    P = np.linalg.solve(multiply(G.T, G), multiply(G.T, counts)).T
    np.testing.assert_allclose(method.profiles(problem, state)[0], P, rtol=1e-6, atol=1e-9)
    norm = sum(value**2 for value in counts.ravel())
    expected = sum(value**2 for value in (counts - multiply(G, P.T)).ravel())
    for k in range(3):
        for other in range(3):
            if k != other:
                expected += 0.02 * norm / 3 * float(G[:, k] @ G[:, other])
    beta = np.square(np.linalg.svd(counts, compute_uv=False)[:3]).sum() / 3
    A, B = np.zeros((9, 9)), np.zeros((9, 9))
    for matrix, pairs in ((A, TOGETHER), (B, APART)):
        for i, j in pairs:
            matrix[i, j] = matrix[j, i] = 1.0
    degree = np.maximum((A + B).sum(axis=1), 1.0)
    for i in range(9):
        for j in range(9):
            share = beta / np.sqrt(degree[i] * degree[j])
            expected += share * (0.5 * A[i, j] * ((G[i] - G[j]) ** 2).sum() + B[i, j] * float(G[i] @ G[j]))
    assert method.objective(problem, state) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("reading", ["objective", "printed"])
@few
@given(seed=SEEDS)
def test_the_label_step_of_ckmeans_is_iterated_conditional_modes(reading, seed):
    """Equation 1 of the page of ckmeans; printed, on counts and with the weight of a link over √M."""
    rng = np.random.default_rng(seed)
    counts = counts_of(rng)
    options = {"n_clusters": 3, "link_weight": 0.4, "stiffness": 1e9, "reading": reading}
    method = cg.make("ckmeans", **options)
    problem = problem_of(method, Network.from_matrix(counts), LINKS)
    rows = rng.permutation(np.arange(9) % 3).astype(np.int32)
    state = method.start(problem, rng).with_labels("documents", rows)
    x = counts.copy()
    if reading == "objective":
        # every word is in every document, so that idf is the same for all
        x = 1 + np.log(counts)
        x[counts <= 1] = counts[counts <= 1]
    x = x / np.sqrt((x**2).sum(axis=1, keepdims=True))
    centres = np.array([x[rows == k].sum(axis=0) for k in range(3)])
    centres /= np.sqrt((centres**2).sum(axis=1, keepdims=True))
    fit, weight = 1 - multiply(x, centres.T), 0.4 / (3.0 if reading == "printed" else 1.0)
    order = problem.view(state.numbers["metric"]).links.where[state.numbers["order"]].tolist()
    expected = np.array([rows[d] if d in order else fit[d].argmin() for d in range(9)])

    def cost_of(d):
        cost = fit[d].copy()
        for i, j in TOGETHER:
            if d in (i, j):
                cost += weight * (1 - float(x[i] @ x[j])) * (np.arange(3) != expected[i + j - d])
        for i, j in APART:
            if d in (i, j):
                cost += weight * float(x[i] @ x[j]) * (np.arange(3) == expected[i + j - d])
        return cost

    lower_costs(expected, order, cost_of)
    assert method.sweep(problem, state).labels["documents"].tolist() == expected.tolist()


@few
@given(seed=SEEDS)
def test_ssnmf_as_printed_is_equations_5_to_10(seed):
    rng = np.random.default_rng(seed)
    counts, tags = counts_of(rng, (10, 7)), counts_of(rng, (10, 4))
    types = {
        kind: cg.ObjectType(kind, range(n))
        for kind, n in (("documents", 10), ("words", 7), ("categories", 4))
    }
    relations = [
        cg.Relation("documents", kind, part) for kind, part in (("words", counts), ("categories", tags))
    ]
    network = cg.Network(types, relations)
    knowledge = cg.Knowledge().together(documents=[(0, 1), (2, 3), (4, 5)]).apart(documents=[(0, 2), (1, 4)])
    method = cg.make("ssnmf", n_clusters=3, n_word_clusters=2, weighting="counts", reading="printed")
    problem = problem_of(method, network, knowledge)
    state = method.start(problem, rng)
    before, after = (unpack_factors(problem, each) for each in (state, method.sweep(problem, state)))
    R = [each.rows_in_metric.toarray() for each in problem.relations]
    assert min(part.min() for part in R) >= 0
    F, G, H = (before.memberships[kind] for kind in ("words", "documents", "categories"))
    S, T = before.associations
    parts = (R[0] - multiply(G, S, F.T), R[1] - multiply(G, T, H.T))
    expected = sum(value**2 for part in parts for value in part.ravel())
    assert method.objective(problem, state) == pytest.approx(expected)
    F = F * ratio(multiply(R[0].T, G, S), multiply(F, S.T, G.T, G, S))  # eq. 6
    gain = multiply(R[0], F, S.T) + multiply(R[1], H, T.T)
    G = G * ratio(gain, multiply(G, S, F.T, F, S.T) + multiply(G, T, H.T, H, T.T))  # eq. 7
    H = H * ratio(multiply(R[1].T, G, T), multiply(H, T.T, G.T, G, T))  # eq. 8
    S = S * ratio(multiply(G.T, R[0], F), multiply(G.T, G, S, F.T, F))  # eq. 9
    T = T * ratio(multiply(G.T, R[1], H), multiply(G.T, G, T, H.T, H))  # eq. 10
    for kind, printed in (("words", F), ("documents", G), ("categories", H)):
        np.testing.assert_allclose(after.memberships[kind], printed, rtol=1e-9)
    for printed, ours in zip((S, T), after.associations, strict=True):
        np.testing.assert_allclose(ours, printed, rtol=1e-9)


def test_the_projection_of_ssnmf_as_printed_lowers_the_ratio_of_equation_4():
    rng = np.random.default_rng(0)
    labels = np.arange(30) % 3
    rates = np.full((3, 12), 0.5)
    for k in range(3):
        rates[k, 4 * k : 4 * k + 4] = 2.0
    counts = rng.poisson(rates[labels]) + 0.1
    knowledge = cg.Knowledge().label({i: str(labels[i]) for i in range(12)})
    method = cg.make("ssnmf", n_clusters=3, weighting="counts", reading="printed", categories=False)
    relation = problem_of(method, Network.from_matrix(counts), knowledge).relations[0]
    assert isinstance(relation, ProjectedRelation)

    def within_over_between(rows):
        same, differ = 0.0, 0.0
        for i in range(12):
            for j in range(i):
                distance = ((rows[i] - rows[j]) ** 2).sum()
                if labels[i] == labels[j]:
                    same += distance
                else:
                    differ += distance
        return same / differ

    U = relation.metric.U
    np.testing.assert_allclose(U.T @ U, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(relation.rows_in_metric.toarray(), np.maximum(counts @ U @ U.T, 0), atol=1e-9)
    assert within_over_between(counts @ U) < 0.3 * within_over_between(counts)


@pytest.mark.parametrize("seed", range(3))
def test_m2dcu_is_equation_10_and_its_weights_are_the_best_for_its_groups(seed):
    rng = np.random.default_rng(seed)
    counts = counts_of(rng, (14, 9))
    method = cg.make("m2dcu", n_clusters=3, dimensions=4, outsider_weight=8.0, precision=1e-6)
    knowledge = cg.Knowledge().outside([11, 12, 13])
    problem = problem_of(method, Network.from_matrix(counts), knowledge)
    start = method.start(problem, rng)
    groups = start.labels["documents"]
    state = method.sweep(problem, start)

    def equation_10(W, u):
        documents, outsiders = problem.features.scores(W), problem.outsiders.scores(W)
        total = 0.5 * sum(w**2 for w in W.ravel())
        inside = [d for d in range(len(u)) if u[d] >= 0]
        for row, d in enumerate(inside):
            for r in range(3):
                if r != u[d]:
                    total += 64.0 / (3 * len(inside)) * max(0.0, 1 - documents[row, u[d]] + documents[row, r])
        for scores in outsiders:
            margin = 3 / 2 * (max(scores) - sum(scores) / 3)
            total += 8.0 / len(outsiders) * max(0.0, margin - method.tolerance)
        return total

    W = state.numbers["weights"]
    assert method.objective(problem, state) == pytest.approx(equation_10(W, state.labels["documents"]))
    best = equation_10(W, groups)
    slack = 4.0 * max(equation_10(np.zeros_like(W), groups) - best, 0.0) + 1e-9
    for _ in range(200):
        other = W + rng.normal(0, 0.1 * np.abs(W).max(), W.shape)
        assert best <= equation_10(other, groups) + slack
