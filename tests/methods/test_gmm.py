import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

import colligate as cg
from colligate.methods.gmm import Gaussians, fit_gaussians, run_em
from tests.methods.margin.cases import topics


@pytest.mark.parametrize("covariance", ["full", "diag"])
def test_groups_with_words_of_their_own_are_found(covariance):
    counts, truth = topics(0)
    model = cg.make("gmm", n_clusters=3, dimensions=5, covariance=covariance, random_state=0).fit(counts)
    assert adjusted_rand_score(truth, model.labels_) > 0.9
    assert model.history_[1] <= model.history_[0]
    np.testing.assert_array_equal(model.predict(counts), model.labels_)


def test_the_joint_is_that_of_the_textbook():
    rng = np.random.default_rng(0)
    rows, groups = rng.normal(size=(40, 3)), (np.arange(40) % 2).astype(np.int32)
    gaussians = fit_gaussians(rows, groups, 2, "full")
    for group in range(2):
        covariance = np.linalg.inv(gaussians.precisions[group])
        expected = np.log(0.5) + multivariate_normal(gaussians.means[group], covariance).logpdf(rows)
        np.testing.assert_allclose(gaussians.log_joint(rows)[:, group], expected)


@pytest.mark.parametrize("covariance", ["full", "diag"])
def test_the_run_is_scikit_learns(covariance):
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) * 0.5 + 3.0])
    start = fit_gaussians(rows, (np.arange(120) % 2).astype(np.int32), 2, covariance)
    gaussians, converged = run_em(start, rows, covariance, 200, 1e-6)
    theirs = GaussianMixture(2, covariance_type=covariance, random_state=0, tol=1e-6, max_iter=200).fit(rows)
    assert converged
    assert gaussians.negative_log_likelihood(rows) == pytest.approx(-theirs.score(rows), abs=1e-2)
    assert isinstance(gaussians, Gaussians)


def test_one_document_is_a_group():
    assert cg.make("gmm", n_clusters=1).fit(topics(0)[0][:1]).labels_.tolist() == [0]
