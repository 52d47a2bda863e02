import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.kernels import make_kernels
from colligate.methods.factorisation.problem import FactorProblem, make_relations
from colligate.methods.src import embed_types
from colligate.network import Network


def test_with_one_relation_it_is_the_singular_value_decomposition():
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, (20, 12)) + np.outer(np.arange(20) % 3, np.arange(12) % 2) * 3
    network = Network.from_matrix(sparse.csr_array(counts))
    sizes = {"documents": 2, "words": 3}
    problem = FactorProblem(network, make_kernels("fast"), sizes, {}, make_relations(network, "counts"))
    embedded = embed_types(problem)["documents"]
    left = np.linalg.svd(counts.astype(float), full_matrices=False)[0][:, :2]
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    np.testing.assert_allclose(embedded @ embedded.T, left @ left.T, atol=1e-3)


def test_every_type_is_grouped():
    """Four categories, of which two and two occur with the same documents."""
    rng = np.random.default_rng(1)
    truth = np.arange(80) % 4
    words = rng.poisson(np.where(np.arange(40) % 4 == truth[:, None], 2.0, 0.2))
    categories = np.where(np.arange(4) // 2 == truth[:, None] // 2, 1.0, 0.05)
    kinds = {"documents": 80, "words": 40, "categories": 4}
    network = cg.Network(
        {kind: cg.ObjectType(kind, range(count)) for kind, count in kinds.items()},
        [
            cg.Relation("documents", kind, matrix)
            for kind, matrix in (("words", words), ("categories", categories))
        ],
    )
    model = cg.make("src", n_clusters=4, n_word_clusters=4, n_entity_clusters=2, random_state=0)
    result = model.fit(network).result_
    assert result.evaluate(truth)["accuracy"] == pytest.approx(1.0)
    assert result.evaluate(np.arange(40) % 4, kind="words")["accuracy"] == pytest.approx(1.0)
    assert result.evaluate(np.arange(4) // 2, kind="categories")["accuracy"] == 1.0


def test_fewer_different_rows_than_groups():
    """All that k-means could say is that there are fewer groups."""
    labels = cg.make("src", n_clusters=2, random_state=0).fit(np.array([[1], [2], [1]])).labels_
    assert set(labels) == {0}
