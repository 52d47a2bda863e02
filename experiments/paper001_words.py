"""What a link on words should weigh in CITCC: Figure 3 of the constrained paper (2010), by that weight.

The settings are those of `experiments.paper001`, with 10,000 links on words beside 500 to 2,000 on documents.
Weight 1 is the paper's, 1/√V for V words, and the default; the default was 10, with which these links cost.
Categories of words still weigh 10, which holds their words. Other tries: a start that links on words do not
shape, and twice as many word clusters. The second table has
other problems of two groups, the first ones of Figure 4, on which nothing was chosen: with the same links,
and with a tenth of the same words listed in a category for each group.
"""

from __future__ import annotations

from typing import Any

from experiments.corpora.newsgroups import PAIR, PAIRS
from experiments.paper001 import FILE, Links
from experiments.paper001_pairs import ORDER
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec

LINKS, WORD_LINKS, LISTED = (500, 1_000, 2_000), 10_000, 0.1
# what the choice of the default compares
JUDGED, OTHER_SEEDS, N_PROBLEMS = ("no word links", "weight 10", "weight 1, the default"), 3, 5
HEAVY = {"word_link_weight": 10.0}
TRIES: dict[str, dict[str, Any]] = {
    "no word links": {},
    "weight 10": HEAVY,
    "weight 1, the default": {},
    "weight 0.1": {"word_link_weight": 0.1},
    "weight 10, start without word links": {**HEAVY, "word_init": "svd"},
    "weight 10, 32 word clusters": {**HEAVY, "n_word_clusters": 32},
}
# knowledge about words on other problems: the number of links, the share that is listed, the weight
KNOWN: dict[str, tuple[int, float, dict[str, Any]]] = {
    "no word links": (0, 0.0, {}),
    "links, weight 10": (WORD_LINKS, 0.0, HEAVY),
    "links, weight 1": (WORD_LINKS, 0.0, {}),
    "categories, weight 10": (0, LISTED, {}),
    # categories weigh ten times a listed link
    "categories, weight 1": (0, LISTED, {"word_link_weight": 0.1}),
}
PROBLEMS = [PAIRS[place] for place in ORDER if set(PAIRS[place]) != set(PAIR)][:N_PROBLEMS]


def make_cell(links: int, name: str) -> Cell:
    """CITCC with so many links on documents, and links on words but in the first row."""
    bare = name == next(iter(TRIES))
    setting = Links(links, 0 if bare else WORD_LINKS)
    seeds = None if name in JUDGED else OTHER_SEEDS
    return Cell(f"{links} links | {name}", "citcc", setting, TRIES[name], seeds=seeds)


def make_other(pair: tuple[str, ...], name: str) -> Cell:
    """CITCC on another problem, with the fewest links on documents."""
    count, listed, parameters = KNOWN[name]
    setting = Links(LINKS[0], count, pair, listed)
    return Cell(f"{' and '.join(pair)} | {name}", "citcc", setting, parameters, seeds=OTHER_SEEDS)


CELLS = {name: {links: make_cell(links, name) for links in LINKS} for name in TRIES}
OTHERS = {name: {" and ".join(pair): make_other(pair, name) for pair in PROBLEMS} for name in KNOWN}

EXPERIMENT = Experiment(
    name="paper001_words",
    paper="001",
    about="what a link on words should weigh in CITCC",
    corpora=(FILE,),
    cells=tuple(one for rows in (CELLS, OTHERS) for cells in rows.values() for one in cells.values()),
    tables=(
        TableSpec(
            f"NMI of citcc with {WORD_LINKS:,} links on words, by what is changed",
            "citcc",
            {
                name: {f"{links:,} links": Entry(one.key) for links, one in cells.items()}
                for name, cells in CELLS.items()
            },
            "The columns are links on documents, made from labels. Weight 1 is the paper's.",
            "001 Figure 3",
        ),
        TableSpec(
            f"NMI of citcc on other groups, with {LINKS[0]} links on documents, by knowledge about words",
            "citcc",
            {name: {head: Entry(one.key) for head, one in cells.items()} for name, cells in OTHERS.items()},
            f"{WORD_LINKS:,} links on words, or a tenth of the words in a category for each group. Links and "
            "lists are made from labels. Weight 1 is the default of links, 10 that of categories.",
        ),
    ),
    seeds=10,
    quick=Quick(("500 links | weight 1, the",)),
)
