"""`colligate` beside other methods without knowledge, all with eight restarts.

`citcc` and `chinc` without knowledge are `itcc`, and `cp` without categories is `tnmf`: they are not run
twice. `m2dcu` has no outsiders here. BERTopic finds its topics, which are merged to the number of classes; it
gets our singular vectors instead of sentence embeddings.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from experiments.evaluation.baselines import run_bertopic, run_glove_kmeans, run_svd_kmeans
from experiments.evaluation.corpora import CORPORA, NEWS, RESTARTS, SUPER, WEB, CorpusSetting, list_files
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

OURS = "colligate"
METHODS: dict[str, dict[str, Any]] = {
    OURS: {"n_ensemble": RESTARTS},
    **{name: {"n_init": RESTARTS} for name in ("itcc", "tnmf", "m2dcu", "kmeans", "nmf")},
}
GLOVE, BERTOPIC = "GloVe + k-means", "BERTopic"
OTHERS: dict[str, Callable[[str, Path, int], Run]] = {
    "SVD + k-means": run_svd_kmeans,
    GLOVE: run_glove_kmeans,
    BERTOPIC: run_bertopic,
}
NAMES = (*METHODS, *OTHERS)
WORDLESS = ("CSTR", "re0", "wap", "la1")
SEEDS = 10


def count_seeds(corpus: str, name: str) -> int:
    """How often a method is run on a corpus; GloVe needs words."""
    return 0 if name == GLOVE and corpus in WORDLESS else SEEDS


SMALL_FIRST = ("CSTR", "re0", "wap", "la1", WEB, "R8", "DBLP titles", SUPER, "OHSUMED", NEWS, "R52")


def key(corpus: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {name}"


def list_names(corpus: str) -> list[str]:
    """The methods that are run on a corpus."""
    return [name for name in NAMES if count_seeds(corpus, name)]


def make_cell(corpus: str, name: str) -> Cell | Measurement:
    """A method on a corpus."""
    seeds = count_seeds(corpus, name)
    if name in OTHERS:
        return Measurement(key(corpus, name), partial(OTHERS[name], corpus), seeds=seeds)
    return Cell(key(corpus, name), name, CorpusSetting(corpus), METHODS[name], seeds=seeds)


def make_table(title: str, figure: str) -> TableSpec:
    """Every method on every corpus."""
    rows = {
        corpus: {name: Entry(key(corpus, name), figure) for name in list_names(corpus)} for corpus in CORPORA
    }
    return TableSpec(title, "corpus", rows)


EXPERIMENT = Experiment(
    name="evaluation.no_knowledge",
    paper="own",
    about="colligate and others without knowledge on eleven corpora",
    corpora=list_files(CORPORA),
    cells=tuple(make_cell(corpus, name) for corpus in SMALL_FIRST for name in list_names(corpus)),
    tables=(make_table("NMI without knowledge", "nmi"), make_table("Accuracy without knowledge", "accuracy")),
    quick=Quick(("CSTR | colligate", "CSTR | SVD")),
)
