"""A table whose columns are steps of a parameter, drawn as lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from experiments.line_chart import line_chart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from experiments.runner.declared import Entry, Shown
    from experiments.runner.kept import Kept

NUMBER = re.compile(r"\d[\d,]*\.?\d*")


def chart(shown: Shown, kept: Kept) -> str:
    """The rows as lines over the numbers in the headings; columns without a number are left out."""
    lines = {name: line(row, kept) for name, row in shown.rows.items()}
    drawn = {name: found for name, found in lines.items() if found}
    return line_chart(shown.title, f"{shown.chart} (steps not to scale; bars: deviation over seeds)", drawn)


def line(row: Mapping[str, Entry], kept: Kept) -> dict[float, tuple[float, float]]:
    """Mean and deviation by the number of the heading, of the columns that are computed."""
    found = {}
    for heading, entry in row.items():
        number, values = NUMBER.search(heading), list(kept.values(entry.key, entry.figure).values())
        if number and values:
            place = float(number[0].replace(",", ""))
            found[place] = (float(np.mean(values)), float(np.std(values)))
    return found


def file_name(shown: Shown) -> str:
    """What the drawing is called."""
    return re.sub(r"[^a-z0-9]+", "-", f"{shown.of} {shown.title}".lower()).strip("-") + ".svg"
