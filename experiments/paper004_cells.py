"""The cells of the experiment on Universum: defaults, many starts, the paper's grid, lines of its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.labelled import NEWS
from experiments.paper004_published import CORPORA, METHODS

TARGET_WEIGHTS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
OUTSIDER_WEIGHTS = (0.001, 0.01, 0.1, 1.0, 10.0)
BALANCES = OUTSIDER_WEIGHTS

Parameters = tuple[tuple[str, Any], ...]
AS_PUBLISHED: Parameters = (("outsiders", "all"), ("select", 0.1))
UNSCALED: Parameters = (("n_init", 1), ("scale", 1.0))


@dataclass(frozen=True)
class Cell:
    """A method on a set, with the parameters that are not the defaults."""

    corpus: str
    method: str
    parameters: Parameters = ()

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return " | ".join((self.corpus, self.method, self.told or "defaults"))

    @property
    def told(self) -> str:
        """The parameters in words."""
        return ", ".join(f"{name} {value}" for name, value in self.parameters)

    def at(self, name: str, value: Any) -> Cell:
        """The same with one more parameter."""
        return Cell(self.corpus, self.method, (*self.parameters, (name, value)))


def chosen_from(corpus: str, method: str) -> list[Cell]:
    """The cells of the paper's grid."""
    if method != "m2dcu":
        bare = Cell(corpus, method, UNSCALED)
        return [bare.at("target_weight", weight) for weight in TARGET_WEIGHTS]
    bare = Cell(corpus, method, (*AS_PUBLISHED, *UNSCALED))
    return [bare.at("outsider_weight", weight) for weight in OUTSIDER_WEIGHTS]


DEFAULTS = {corpus: {method: Cell(corpus, method) for method in METHODS} for corpus in CORPORA}
VARIANTS = {
    corpus: {
        "m2dcu .1": Cell(corpus, "m2dcu", AS_PUBLISHED),
        "m2dcu 6.4": Cell(corpus, "m2dcu", (("outsider_weight", 6.4),)),
        "m2dcu gmm": Cell(corpus, "m2dcu", (("init", "gmm"), ("n_init", 1))),
    }
    for corpus in CORPORA
}
# how many documents held out are rejected, by what outsiders cost
REJECTING = {
    weight: Cell(NEWS, "m2dcu", (("n_init", 5), ("reject", 0.9), ("outsider_weight", weight)))
    for weight in (0.0, 6.4, 64.0)
}
# the starts decide much, so that fewer of them hide what outsiders add
PAIRS = {
    f"{starts} starts": {
        corpus: tuple(Cell(corpus, method, given) for method in ("m2dcu", "m2dcu-0")) for corpus in CORPORA
    }
    for starts, given in (("20", ()), ("5", (("n_init", 5),)))
}
GRID = {
    corpus: {method: chosen_from(corpus, method) for method in ("m2dcu", "m2dcu-0", "cpm3c")}
    for corpus in CORPORA
}
ONE_START = Cell(NEWS, "m2dcu", (("n_init", 1),))
FIGURES = {
    "Figure 2: C_u, the weight of outsiders": {
        "at the scale found": {w: ONE_START.at("outsider_weight", w) for w in (0.0, *OUTSIDER_WEIGHTS, 64.0)},
        "rows of unit length": dict(zip(OUTSIDER_WEIGHTS, GRID[NEWS]["m2dcu"], strict=True)),
    },
    "Figure 3: C_l, the weight of documents": {
        "scale 2.83": {w: ONE_START.at("scale", 2.83).at("target_weight", w) for w in TARGET_WEIGHTS},
        "rows of unit length, m2dcu-0": dict(zip(TARGET_WEIGHTS, GRID[NEWS]["m2dcu-0"], strict=True)),
    },
    "Figure 4: l, the slack of mean scores": {
        "at the scale found": {0.0: ONE_START.at("outsider_weight", 64.0)}
        | {slack: ONE_START.at("balance", slack) for slack in BALANCES},
    },
}
CELLS = tuple(
    dict.fromkeys(
        [
            *(cell for cells in (*DEFAULTS.values(), *VARIANTS.values()) for cell in cells.values()),
            *(cell for sets in PAIRS.values() for cells in sets.values() for cell in cells),
            *(cell for methods in GRID.values() for cells in methods.values() for cell in cells),
            *REJECTING.values(),
            *(cell for lines in FIGURES.values() for cells in lines.values() for cell in cells.values()),
        ]
    )
)
