"""What a link on words should weigh in CITCC: Figure 3 of the constrained paper (2010), by that weight.

The settings are those of `experiments.paper001`, with 10,000 links on words beside 500 to 2,000 on documents,
where these links cost with the default weight of 10. Weight 1 is the paper's, 1/√M for M objects. Other
tries: a start that links on words do not shape, and twice as many word clusters.
"""

from __future__ import annotations

from typing import Any

from experiments.paper001 import FILE, Links
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec

LINKS, WORD_LINKS = (500, 1_000, 2_000), 10_000
# what claims and the choice of the default compare
JUDGED, OTHER_SEEDS = ("no word links", "weight 10, the default", "weight 1"), 3
TRIES: dict[str, dict[str, Any]] = {
    "no word links": {},
    "weight 10, the default": {},
    "weight 1": {"word_link_weight": 1.0},
    "weight 0.1": {"word_link_weight": 0.1},
    "start without word links": {"word_init": "svd"},
    "32 word clusters": {"n_word_clusters": 32},
}


def make_cell(links: int, name: str) -> Cell:
    """CITCC with so many links on documents, and links on words but in the first row."""
    bare = name == next(iter(TRIES))
    setting = Links(links, 0 if bare else WORD_LINKS)
    seeds = None if name in JUDGED else OTHER_SEEDS
    return Cell(f"{links} links | {name}", "citcc", setting, TRIES[name], seeds=seeds)


CELLS = {name: {links: make_cell(links, name) for links in LINKS} for name in TRIES}

EXPERIMENT = Experiment(
    name="paper001_words",
    paper="001",
    about="what a link on words should weigh in CITCC",
    corpora=(FILE,),
    cells=tuple(one for cells in CELLS.values() for one in cells.values()),
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
    ),
    seeds=10,
    quick=Quick(("500 links | weight 1",)),
)
