"""The sets of the paper on Universum (2011): its Table 2."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from experiments.corpora.outsiders import read_labelled
from experiments.paper004 import EXPERIMENT as COMPARED
from experiments.published.paper004 import SETS
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ("words", "documents", "outsiders")


def count_set(corpus: str, data: Path, _: int) -> dict[str, int]:
    """How large a set is."""
    part = read_labelled(corpus, data)
    inside = int(part.inside.sum())
    return {"words": part.counts.shape[1], "documents": inside, "outsiders": len(part.inside) - inside}


EXPERIMENT = Experiment(
    name="paper004_sets",
    paper="004",
    about="the five sets with outsiders",
    corpora=COMPARED.corpora,
    cells=tuple(
        Measurement(corpus, partial(count_set, corpus), dict(zip(COLUMNS, published, strict=True)))
        for corpus, published in SETS.items()
    ),
    tables=(
        TableSpec(
            "Words, documents and outsiders",
            "set",
            {corpus: {name: Entry(corpus, name) for name in COLUMNS} for corpus in SETS},
            "RCV1 is a sample, and WebKB has four classes instead of five.",
            of="004 Table 2",
        ),
    ),
    seeds=1,
    quick=Quick(("Reuters, next 10",)),
)
