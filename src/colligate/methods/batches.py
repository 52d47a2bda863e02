"""Documents in batches: `partial_fit` keeps sums over the documents, not the documents.

The first batch is clustered as by `fit`; its words, their weights and the number of groups stay. Every later
batch is assigned to the groups (E-step), its sums are added, and the groups follow from all sums (M-step):
incremental EM (Neal and Hinton, 1998).
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from colligate.corpus.encoders import WORD_VECTORS, list_embeddings
from colligate.errors import InputError, KnowledgeError, KnowledgeWarning, ParameterError
from colligate.methods.base import Method
from colligate.methods.guidance import has_label
from colligate.result.predict import drop_unseen, make_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.knowledge import Knowledge
    from colligate.result import Result

    Arrays = dict[str, NDArray[Any]]

# How often a batch is assigned before its sums are kept: the second time by groups that know the batch
N_SWEEPS = 2


@dataclass(frozen=True, eq=False)
class BatchSums:
    """The sums over all documents of the batches so far, the result that they belong to, and their number."""

    result: Result
    sums: Mapping[str, NDArray[Any]]
    n_documents: int


class BatchMethod(Method):
    """A method that takes documents in batches."""

    @abstractmethod
    def sum_batch(self, model: Mapping[str, NDArray[Any]], matrix: csr_array) -> Arrays:
        """Assign the documents of a batch, and sum what the groups are computed from."""

    @abstractmethod
    def model_from_sums(self, model: Mapping[str, NDArray[Any]], sums: Mapping[str, NDArray[Any]]) -> Arrays:
        """Return the model with the groups that follow from sums."""

    def partial_fit(self, X: Any, y: Any = None, knowledge: Knowledge | None = None) -> Self:
        """Cluster one more batch of documents.

        The first call is a `fit`: it decides the words and the number of groups, so its batch should be large
        and mixed. Later batches move the groups. `result_` has the documents of the first batch and the
        groups of all; `labels_` are those of this batch.

        Parameters
        ----------
        X : as in `fit`
            The documents of the batch, over the words of the first batch; a matrix has its columns.
        y, knowledge
            As in `fit`, in the first call only. Seed words and what labels teach count in all batches, links
            only in the first.

        Returns
        -------
        self
        """
        self._refuse_vectors()
        if not hasattr(self, "result_"):
            return self.fit(X, y, knowledge)
        check_is_fitted(self)
        matrix = drop_unseen(self.result_, make_rows(self.result_, self._check_new(X)))
        if knowledge is not None:
            raise KnowledgeError(
                "knowledge belongs to the first batch; leave it out in later ones", parameter="knowledge"
            )
        if matrix.nnz == 0:
            raise InputError(
                f"the {matrix.shape[0]:,} documents of the batch have no word of the first batch; check the "
                "language, and which column has the texts. Nothing was changed"
            )
        if y is not None and has_label(np.asarray(y).ravel()).any():
            # a warning, since scikit-learn hands the labels of a pipeline to every batch
            warnings.warn(
                "labels count in the first batch only; those of this batch are not used",
                KnowledgeWarning,
                stacklevel=2,
            )
        self._add_batch(matrix)
        return self

    def _refuse_vectors(self) -> None:
        """Refuse embeddings that give a vector to every document: their sums are not kept."""
        embeddings = getattr(self, "embeddings", None)
        for entry in list_embeddings(embeddings):
            if not isinstance(entry, str) or entry not in WORD_VECTORS:
                raise ParameterError(
                    "partial_fit takes no vectors of documents; set embeddings to None or 'auto'",
                    parameter="embeddings",
                )

    def _add_batch(self, matrix: csr_array) -> None:
        before = self._find_sums()
        model: Mapping[str, NDArray[Any]] = self.result_.model
        sums: Mapping[str, NDArray[Any]] = {}
        for _ in range(N_SWEEPS):
            batch = self.sum_batch(model, matrix)
            sums = {name: values + batch[name] for name, values in before.sums.items()}
            model = self.model_from_sums(model, sums)
        self.result_ = replace(self.result_, model=model)
        self.sums_ = BatchSums(self.result_, sums, before.n_documents + matrix.shape[0])
        self.labels_ = self.result_.predict(matrix)

    def _find_sums(self) -> BatchSums:
        """Return the sums so far; after a fit, those of its documents."""
        kept: BatchSums | None = getattr(self, "sums_", None)
        if kept is not None and kept.result is self.result_:
            return kept
        matrix = self.result_.neighbourhood.matrix
        return BatchSums(self.result_, self.sum_batch(self.result_.model, matrix), matrix.shape[0])
