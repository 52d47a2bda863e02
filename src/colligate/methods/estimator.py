"""What a fitted method does with new documents, as scikit-learn's clusterers and transformers do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from colligate.corpus import Corpus
from colligate.network import Network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from colligate.methods.state import Labels
    from colligate.result import Result


class Estimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps the result of a fit, and asks it for the groups and memberships of new documents."""

    def predict(self, X: Any) -> Labels:
        """The groups of new documents: a corpus, texts, a matrix, or relations as a network or a mapping.

        See `Result.predict`; -1 for a document without a known word or other object.
        """
        check_is_fitted(self)
        return self.result_.predict(self._new(X))

    def transform(self, X: Any) -> NDArray[np.float32]:
        """The memberships of new documents in every group; see `Result.predict_memberships`.

        Those of the documents that were clustered are in the result; these are by the same rule as for any
        other document.
        """
        check_is_fitted(self)
        return self.result_.predict_memberships(self._new(X))

    @property
    def _n_features_out(self) -> int:
        """As scikit-learn wants it, to name the columns of `transform`."""
        return self.result_.n_groups()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _new(self, X: Any) -> Any:
        texts = isinstance(X, list | tuple) and all(isinstance(text, str) for text in X)
        as_it_is = texts or isinstance(X, Corpus | Network | Mapping)
        return X if as_it_is else self._checked(X, reset=False)

    def _checked(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", accept_large_sparse=True, ensure_all_finite=False
        )

    def _keep(self, result: Result) -> None:
        self.result_ = result
        self.labels_ = result.labels[result.network.centre]
        self.history_ = result.history
        self.n_iter_ = result.n_iter
        terms = result.network.terms
        if terms is not None and terms in result.labels:
            self.word_labels_ = result.labels[terms]
            self.row_labels_ = self.labels_
            self.column_labels_ = self.word_labels_
