"""The words of each category: the right half of Table 3 of the triplet paper (2009).

`ssnmf` with links among 15 % of all pairs, in the form of the paper: words and the matrix of categories are
made from the labels of all documents. A group of categories gets the group of words that is most typical of
its documents; the table shows the ten most informative of these words. Those of HT1 to HT5 are Porter's
stems, as in the paper; those of HT6 and HT7 are whole words.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.triplets import NAMES, list_categories, list_classes, list_files
from experiments.mutual_information import informative_words
from experiments.paper002 import ALL, SHARES, Triplet
from experiments.published.paper002 import REPRESENTATIVE
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

SHOWN = 10


@cache
def fit_triplet(name: str, data: Path) -> cg.Result:
    """The groups of documents, words and categories of a set."""
    task = Triplet(name, ALL, SHARES[-1]).task(data, 0)
    model = cg.make("ssnmf", random_state=0, **task.parameters)
    result: cg.Result = model.fit(task.data, knowledge=task.knowledge).result_
    return result


def list_words(name: str, group: int, data: Path, _: int) -> Run:
    """The categories of one group, and its most typical words."""
    result = fit_triplet(name, data)
    words, categories = (relation.matrix for relation in result.network.relations)
    group_names = list_classes(name)
    member = result.labels["categories"] == group
    inside = categories[:, np.flatnonzero(member)].sum(axis=1) > categories[:, np.flatnonzero(~member)].sum(
        axis=1
    )
    members = np.flatnonzero(result.labels["words"] == find_nearest(words, result.labels["words"], inside))
    best = members[informative_words(words[:, members], inside, SHOWN)]
    names = [str(result.network.types["words"].names[position]) for position in best.tolist()]
    return {"categories": ", ".join(np.array(group_names)[member]), "words": " ".join(names)}


def find_nearest(words: np.ndarray, groups: np.ndarray, inside: np.ndarray) -> int:
    """The group of words that some documents have most of, against the others."""
    shares = []
    for mask in (inside, ~inside):
        totals = np.asarray(words[np.flatnonzero(mask)].sum(axis=0)).ravel()
        shares.append(np.bincount(groups, totals) / totals.sum())
    return int(np.argmax(shares[0] / np.maximum(shares[1], 1e-12)))


CELLS = tuple(
    Measurement(
        f"{name} | {group + 1}", partial(list_words, name, group), {"words": REPRESENTATIVE[name][group]}
    )
    for name in NAMES
    for group in range(len(np.unique(list_categories(name))))
)

EXPERIMENT = Experiment(
    name="paper002_words",
    paper="002",
    about="the most typical words of each group of categories",
    corpora=tuple(dict.fromkeys(file for name in NAMES for file in list_files(name))),
    cells=CELLS,
    tables=(
        TableSpec(
            "Words of each group of categories, ssnmf 15%",
            "set, group",
            {one.key: {head: Entry(one.key, head) for head in ("categories", "words")} for one in CELLS},
            "As in the paper, from the labels of ALL documents. Groups have no order, so the "
            "published words beside them are those of any group of the set.",
            of="002 Table 3",
        ),
    ),
    seeds=1,
    quick=Quick(("HT7",)),
)
