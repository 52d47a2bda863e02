"""The sets that come as matrices: CSTR, and those of the CLUTO and TREC collections (tmdata).

Some come without their words (`terms` is empty); these are then numbered. The entries of CSTR are counts
times log((documents + 1) / documents that have the word), which is undone here: what comes out is whole to
six digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

import colligate as cg
from experiments.corpora.folder import read_arrays

if TYPE_CHECKING:
    from pathlib import Path

TMDATA = (
    *("fbis", "hitech", "k1a", "k1b", "la1", "la2", "oh0", "oh10", "oh15", "oh5", "re0"),
    *("tr11", "tr12", "tr23", "tr31", "tr41", "tr45", "wap"),
)


def read_tmdata(folder: Path, name: str) -> tuple[cg.Corpus, np.ndarray]:
    """A set by its name, such as `oh15`; words that no document has are left out."""
    counts, labels, words = _read_matrix(folder, f"tmdata_{name}")
    used = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
    return cg.Corpus.from_counts(
        csr_array(counts[:, used]), [words[position] for position in used.tolist()]
    ), labels


def read_cstr(folder: Path) -> tuple[cg.Corpus, np.ndarray]:
    """Abstracts of technical reports in four fields: 475, without their words."""
    weighted, labels, words = _read_matrix(folder, "cstr")
    having = np.bincount(weighted.indices, minlength=weighted.shape[1])
    counts = weighted.astype(np.float64)
    counts.data = np.round(counts.data / np.log((weighted.shape[0] + 1) / having)[weighted.indices])
    return cg.Corpus.from_counts(counts, words), labels


def _read_matrix(folder: Path, name: str) -> tuple[csr_array, np.ndarray, list[str]]:
    """The entries, the class of each document, and the words, numbered where they have no names."""
    arrays = read_arrays(folder / f"{name}.npz")
    matrix = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))
    words = [str(term) for term in arrays["terms"]] or [
        f"word {position}" for position in range(matrix.shape[1])
    ]
    return matrix, arrays["label_names"][arrays["labels"]], words
