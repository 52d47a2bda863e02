"""The corpora on which `colligate` is judged; others go by the names of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.catalogue import load, source
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
class Plain:
    """A corpus without knowledge, with as many clusters as it has classes."""

    corpus: str

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed."""
        network, labels = read(self.corpus, data)
        return Task(network, labels, None, {"n_clusters": n_classes(labels)})


@cache
def read(corpus: str, data: Path) -> tuple[cg.Network, np.ndarray]:
    """A corpus as a network, which all runs share, and the class of each document."""
    found, labels = load(CORPORA.get(corpus, corpus), data)
    return cg.Network.from_corpus(found), labels


def counts(network: cg.Network) -> Any:
    """Documents × words."""
    return network.neighbourhood(network.centre).matrix


def n_classes(labels: np.ndarray) -> int:
    """How many classes the documents are of."""
    return len(np.unique(labels))


def files(corpora: Iterable[str]) -> tuple[str, ...]:
    """The files of the data folder that some corpora need."""
    return tuple(
        dict.fromkeys(file for corpus in corpora for file in source(CORPORA.get(corpus, corpus)).files)
    )
