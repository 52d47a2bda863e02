"""The corpora on which `colligate` is judged; others go by the names of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.catalogue import find_source, load_corpus
from experiments.runner.experiment import Task

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NEWS, SUPER, WEB = "20 newsgroups", "four super-groups", "WebKB"
CORPORA = {
    NEWS: "20ng",
    SUPER: "20ng/supergroups",
    "R8": "r8",
    "R52": "r52",
    WEB: "webkb",
    "OHSUMED": "ohsumed",
    "DBLP titles": "dblp",
    "CSTR": "cstr",
    "re0": "re0",
    "wap": "wap",
    "la1": "la1",
}
# of what each method does best by
RESTARTS = 8


@dataclass(frozen=True)
class CorpusSetting:
    """A corpus without knowledge, with as many clusters as it has classes."""

    corpus: str

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed."""
        network, labels = read_network(self.corpus, data)
        return Task(network, labels, None, {"n_clusters": count_classes(labels)})


@cache
def read_network(corpus: str, data: Path) -> tuple[cg.Network, np.ndarray]:
    """A corpus as a network, which all runs share, and the class of each document."""
    corpus_data, labels = load_corpus(CORPORA.get(corpus, corpus), data)
    return cg.Network.from_corpus(corpus_data), labels


def count_matrix(network: cg.Network) -> Any:
    """Documents × words."""
    return network.neighbourhood(network.centre).matrix


def count_classes(labels: np.ndarray) -> int:
    """How many classes the documents are of."""
    return len(np.unique(labels))


def list_files(corpora: Iterable[str]) -> tuple[str, ...]:
    """The files of the data folder that some corpora need."""
    return tuple(
        dict.fromkeys(file for corpus in corpora for file in find_source(CORPORA.get(corpus, corpus)).files)
    )
