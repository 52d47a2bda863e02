"""Words, documents and categories together: Tables 2 to 4 and Figure 3 of the triplet paper (2009).

HT1 to HT7 (`experiments.corpora.triplets` says how they differ from the paper's), with links among so many
documents that they are a share of all pairs. Three forms of the data:

- *all labels*: words chosen, and a documents × categories matrix made, from the labels of all documents, as
  in the paper. The answer is then in the data, with or without links.
- *linked*: the most frequent words, and the matrix from the labels of the linked documents alone.
- *words*: the most frequent words and no matrix.

Accuracy is that of all documents, as published, and of those that no link names, over five seeds; the paper
has ten. The goals are that `ssnmf` is above the published figure with all labels, and above `nmf-triplet` and
`src` without.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from experiments.corpora.triplets import NAMES, files
from experiments.paper002_cells import ALL, BASELINES, LINKED, SERIES, SHARES, WORDS, cell
from experiments.runner.declared import Entry, Experiment, Quick, Shown
from experiments.runner.paired import not_above

if TYPE_CHECKING:
    from experiments.runner.kept import Kept, Run

MOST = f"ssnmf {SHARES[-1]:.0%}"
IMPORTANCE = {"words": "importance_of_words", "categories": "importance_of_categories"}
SETTLED = "How ssnmf judges its metric was settled on some of these sets, with labels in sight."
LABELS = {
    ALL: "As in the paper: words and the matrix of categories are made from the labels of ALL documents. "
    "There are five runs; the paper has ten.",
    LINKED: f"The matrix of categories is made from the labels of the linked documents alone. {SETTLED}",
    WORDS: f"Words and links alone. {SETTLED}",
}
CELLS = {one.key: one for sets in SERIES.values() for own in sets.values() for one in own.values()}


def missed(kept: Kept) -> list[str]:
    """Where `ssnmf` with the most links is not above what it should be above."""
    told = []
    for name in NAMES:
        best = SERIES[ALL][name][MOST]
        reached = np.mean([*kept.values(best.key, "accuracy").values()] or [0.0])
        if reached <= best.published["accuracy"]:
            told.append(f"{best.key}: accuracy {reached:.3f}, published {best.published['accuracy']:.3f}")
        for form in (LINKED, WORDS):
            own = SERIES[form][name]
            rivals = {method: own[method].key for method in BASELINES}
            told += not_above(kept, own[MOST].key, rivals, "accuracy")
    return told


def part(place: int, run: Run) -> float | None:
    """What words (0) or categories (1) count, where that was learned and both are there."""
    found = run["importance"]
    return found[place] if found and len(found) > place else None


def beside(figure: str, title: str, of: str) -> Shown:
    """Tables 2 and 3: all methods in the form of the paper."""
    rows = {
        name: {column: Entry(own[column].key, figure) for column in (*BASELINES, MOST)}
        for name, own in SERIES[ALL].items()
    }
    return Shown(title, "set", rows, LABELS[ALL], of)


def importance() -> Shown:
    """Table 4: what each relation counts for documents, with the fewest links; the larger, the more."""
    rows = {
        name: {
            f"{kind}, {form}": Entry(cell(name, "ssnmf", form, SHARES[0]).key, figure)
            for form in (ALL, LINKED)
            for kind, figure in IMPORTANCE.items()
        }
        for name in NAMES
    }
    return Shown("Importance of words and of categories with 1% of pairs", "set", rows, of="002 Table 4")


def by_share(form: str, figure: str, whose: str) -> Shown:
    """Figure 3: `ssnmf` by the share of linked pairs, beside the methods without."""
    rows = {
        name: {column: Entry(one.key, figure) for column, one in own.items()}
        for name, own in SERIES[form].items()
    }
    chart = "% of all pairs linked" if figure == "accuracy" else ""
    return Shown(f"Accuracy of {whose}; {form}", "set", rows, LABELS[form], "002 Figure 3", chart)


EXPERIMENT = Experiment(
    name="paper002",
    paper="002",
    about="words, documents and categories together, by the share of linked pairs",
    corpora=tuple(dict.fromkeys(file for name in NAMES for file in files(name))),
    cells=tuple(CELLS.values()),
    tables=(
        beside("accuracy", "Accuracy of documents", "002 Table 2"),
        beside("categories", "Accuracy of categories", "002 Table 3"),
        importance(),
        *(
            by_share(form, figure, whose)
            for form in SERIES
            for figure, whose in (("accuracy", "all documents"), ("free_accuracy", "documents in no link"))
        ),
    ),
    seeds=5,
    quick=Quick(("HT7 | src | words", "HT7 | nmf-triplet | words", "HT7 | ssnmf | words | 15%")),
    derived={figure: partial(part, at) for at, figure in enumerate(IMPORTANCE.values())},
    missed=missed,
)
