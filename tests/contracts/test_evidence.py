import numpy as np
from scipy import sparse

import colligate as cg
from colligate.registry import find_method


def test_the_evidence_of_all_words_is_the_score(method, small):
    """Up to one number per document and one per group, neither of which a word can change."""
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1).fit(small).result_.model
    matrix = sparse.csr_array(small[:12].astype(np.float32))
    scores = find_method(method).predict_scores(model, matrix)
    summed = np.array(
        [
            find_method(method)
            .evidence(model, matrix.indices[a:b].astype(np.int64), matrix.data[a:b])
            .sum(axis=0)
            for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
        ]
    )
    left = scores - summed
    left -= left[:, :1]
    np.testing.assert_allclose(left, np.tile(left[0], (len(left), 1)), atol=1e-8)
    assert np.ptp(summed, axis=1).min() > 0
