import numpy as np
from scipy import sparse

from colligate.kernels import kernels
from colligate.methods.factorisation.pieces import make_pieces
from colligate.methods.factorisation.problem import FactorProblem
from colligate.methods.factorisation.spectral import embedding
from colligate.network import Network


def test_with_one_relation_it_is_the_singular_value_decomposition():
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, (20, 12)) + np.outer(np.arange(20) % 3, np.arange(12) % 2) * 3
    network = Network.from_matrix(sparse.csr_array(counts))
    problem = FactorProblem(network, kernels("fast"), {"documents": 2}, {}, make_pieces(network, "counts"))
    found = embedding(problem)
    left = np.linalg.svd(counts.astype(float), full_matrices=False)[0][:, :2]
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    np.testing.assert_allclose(found @ found.T, left @ left.T, atol=1e-3)
