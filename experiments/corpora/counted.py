"""Documents × words with the class of each document: the sets that come as counts, and parts of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array, vstack

import colligate as cg
from experiments.corpora.folder import read_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, eq=False)
class CountData:
    """Counts, the class of each document, and the words; a `range` where nobody knows the words."""

    counts: csr_array
    labels: np.ndarray
    words: Sequence[str] | range

    @property
    def n_classes(self) -> int:
        """How many classes the documents are of."""
        return len(np.unique(self.labels))

    def of_words(self, kept: np.ndarray) -> CountData:
        """Some of the words, by position; numbered anew where they have no names."""
        named = (
            range(len(kept)) if isinstance(self.words, range) else [self.words[position] for position in kept]
        )
        return CountData(csr_array(self.counts[:, kept]), self.labels, named)

    def of_documents(self, kept: np.ndarray) -> CountData:
        """Some of the documents, by position."""
        return CountData(csr_array(self.counts[kept]), self.labels[kept], self.words)

    def most_frequent(self, n_words: int) -> CountData:
        """The words that the most documents have, which needs no label."""
        documents = np.bincount(self.counts.indices, minlength=len(self.words))
        return self.of_words(np.sort(np.argsort(-documents, kind="stable")[:n_words]))

    def network(self, *others: tuple[str, csr_array]) -> cg.Network:
        """Documents × words and, beside them, documents × other types."""
        documents, words = (
            cg.ObjectType("documents", range(len(self.labels))),
            cg.ObjectType("words", self.words),
        )
        kinds = [documents, words, *(cg.ObjectType(name, range(m.shape[1])) for name, m in others)]
        relations = [
            cg.Relation("documents", name, matrix) for name, matrix in (("words", self.counts), *others)
        ]
        return cg.Network({kind.name: kind for kind in kinds}, tuple(relations))


def count_corpus(corpus: cg.Corpus, labels: np.ndarray) -> CountData:
    return CountData(corpus.counts, labels, corpus.words)


def read_counts(folder: Path, name: str, classes: Sequence[str] = ()) -> CountData:
    """A set of the data folder that is stored as counts (npz); `classes` names them where it does not."""
    arrays = read_arrays(folder / f"{name}.npz")
    counts = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))
    names = np.array(classes) if classes else arrays["label_names"]
    words = [str(term) for term in arrays["terms"]] or range(counts.shape[1])
    return CountData(counts, names[arrays["labels"]], words)


def join_words(first: CountData, second: CountData) -> CountData:
    """The documents of two sets over the words of either, those of both once."""
    place = {word: position for position, word in enumerate(dict.fromkeys((*first.words, *second.words)))}
    parts = []
    for data in (first, second):
        entries = data.counts.tocoo()
        columns = np.array([place[word] for word in data.words])[entries.col]
        shape = (entries.shape[0], len(place))
        parts.append(csr_array((entries.data, (entries.row, columns)), shape=shape))
    counts = csr_array(vstack(parts, format="csr"))
    return CountData(counts, np.concatenate([first.labels, second.labels]), list(place))
