"""The paper on Universum (2011) as it was tuned: Porter's stems, its outsiders, and its whole grid.

The five sets have the most frequent of Porter's stems as words, as many as in the paper, without stop words.
`m2dcu` has the paper's outsiders (all three sources, the closest tenth), rows of unit length and one start.
C_l and C_u take all values of the paper's grid together, C_l alone for `m2dcu-0` and `cpm3c`; its l changes
nothing, since it bounds a sum over all documents. A method is tuned once: the grid is computed with one seed,
and the parameters with the best accuracy BY LABELS are then run with ten. Other methods have their defaults.
Which parameters are the best is known when the grid is stored, so the command has to run twice on an empty
folder of results.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from experiments.paper004 import AS_PUBLISHED, OUTSIDER_WEIGHTS, TABLES, TARGET_WEIGHTS, UNSCALED, Outside
from experiments.paper004 import EXPERIMENT as COMPARED
from experiments.published.paper004 import CORPORA, METHODS, PUBLISHED
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "paper004_porter"
TUNED = ("m2dcu", "m2dcu-0", "cpm3c")
GRID_SEEDS = 1
# the same figure, without a published one in brackets
ON_GRID = "accuracy on the grid"
NOTE = (
    "Porter's stems. The paper's grid is searched once, with one seed. The parameters with the best accuracy "
    "BY LABELS stand for m2dcu, m2dcu-0 and cpm3c, with ten seeds, the first of which chose them. The other "
    "methods have their defaults."
)


def make_cell(corpus: str, method: str, target: float = 0.0, outsider: float = 0.0) -> Cell:
    """A method on the stems of a set, with weights of the paper's grid if it has any."""
    weights = {"C_l": target, "C_u": outsider}
    shown = ", ".join(("Porter", *(f"{name} {value:g}" for name, value in weights.items() if value)))
    parameters = {**UNSCALED, "target_weight": target} if target else {}
    if outsider:
        parameters |= {**AS_PUBLISHED, "outsider_weight": outsider}
    published = {name: figures[corpus][METHODS.index(method)] for name, figures in PUBLISHED.items()}
    setting = Outside(corpus, with_outsiders=bool(outsider), stemmed=True)
    seeds = GRID_SEEDS if target else None
    return Cell(f"{corpus} | {method} | {shown}", method, setting, parameters, published, seeds)


def make_grid(corpus: str, method: str) -> list[Cell]:
    """All cells of a method on a set: one for each of its parameters in the paper's grid."""
    if method == "m2dcu":
        return [make_cell(corpus, method, *pair) for pair in product(TARGET_WEIGHTS, OUTSIDER_WEIGHTS)]
    if method in TUNED:
        return [make_cell(corpus, method, target) for target in TARGET_WEIGHTS]
    return [make_cell(corpus, method)]


GRID = {(corpus, method): make_grid(corpus, method) for corpus in CORPORA for method in METHODS}


def find_best(corpus: str, method: str, stored: StoredRuns) -> Cell:
    """The cell with the best accuracy of the first seed, by labels; the first cell if none is computed."""
    return max(GRID[corpus, method], key=lambda cell: stored.values(cell.key, "accuracy").get(0, -1.0))


STORED = StoredRuns(NAME)
BEST = {place: find_best(*place, STORED) for place in GRID}
TUNED_CELLS = {BEST[corpus, method].key for corpus in CORPORA for method in TUNED}
CELLS = tuple(
    replace(one, seeds=None) if one.key in TUNED_CELLS else one for cells in GRID.values() for one in cells
)


def table_of_methods(figure: str) -> TableSpec:
    """A table of the paper, with the parameters that are the best by labels."""
    of, title = TABLES[figure]
    rows = {
        method: {corpus: Entry(BEST[corpus, method].key, figure) for corpus in CORPORA} for method in METHODS
    }
    return TableSpec(f"{title}, as the paper tuned", "method", rows, NOTE, of)


def table_of_grid(corpus: str) -> TableSpec:
    """The whole grid of `m2dcu` on a set; the first column is `m2dcu-0`."""
    rows: dict[str, Mapping[str, Entry]] = {}
    for target in TARGET_WEIGHTS:
        cells = {"0": make_cell(corpus, "m2dcu-0", target)}
        cells |= {f"{weight:g}": make_cell(corpus, "m2dcu", target, weight) for weight in OUTSIDER_WEIGHTS}
        rows[f"C_l {target:g}"] = {f"C_u {name}": Entry(one.key, ON_GRID) for name, one in cells.items()}
    published = PUBLISHED["accuracy"][corpus]
    note = (
        f"One seed, ten where it is the best. Published: {published[0]:.3f} with outsiders, "
        f"{published[1]:.3f} without."
    )
    return TableSpec(f"The paper's grid on {corpus}: accuracy of m2dcu", "C_l", rows, note, "004 Table 3")


EXPERIMENT = Experiment(
    name=NAME,
    paper="004",
    about="nine methods on the stems of five sets, tuned by labels as in the paper",
    corpora=COMPARED.corpora,
    cells=CELLS,
    tables=(*map(table_of_methods, TABLES), *map(table_of_grid, CORPORA)),
    seeds=10,
    derived={ON_GRID: lambda run: float(run["accuracy"])},
    quick=Quick((f"{CORPORA[-1]} | m2dcu | Porter, C_l 2, C_u 10", f"{CORPORA[-1]} | kmeans")),
)
