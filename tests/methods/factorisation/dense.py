"""Dense textbook references: the objective entry by entry, and gradients by differences."""

import numpy as np


def objective(matrix, G, S, F):
    """‖X − G·S·Fᵀ‖² by forming it."""
    return float(np.square(matrix - G @ S @ F.T).sum())


def orthogonality(G):
    """The inner products of different columns."""
    return float((G.T @ G).sum() - np.square(G).sum())


def link_matrices(guidance):
    """A and B in full, by products with each unit vector."""
    return guidance.gain_and_loss(np.eye(guidance.size))


def links(G, A, B):
    """½Σ A_ij·‖g_i − g_j‖² + Σ B_ij·⟨g_i, g_j⟩, pair by pair."""
    total = 0.0
    for i in range(len(G)):
        for j in range(len(G)):
            total += 0.5 * A[i, j] * float(np.square(G[i] - G[j]).sum()) + B[i, j] * float(G[i] @ G[j])
    return total


def slope(function, G, step=1e-6):
    """The gradient by central differences."""
    gradient = np.zeros_like(G)
    for entry in np.ndindex(*G.shape):
        up, down = G.copy(), G.copy()
        up[entry] += step
        down[entry] -= step
        gradient[entry] = (function(up) - function(down)) / (2 * step)
    return gradient
