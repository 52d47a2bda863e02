"""Groups by a column of the input: the share of each group in every period or class, with 95% intervals.

A share of few documents is uncertain. The whisker of a bar is Wilson's interval, and a bar is pale where a
period has fewer documents than `FEW`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from colligate._array import find_interval
from colligate._text import clean, count_noun, format_count, format_percent
from colligate.report.cell_tables import MIN_COLUMNS
from colligate.report.drawing import Box, Drawing, Layer, Line, Text, fit_text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import ColumnCountsView, GroupLike, Nouns

FEW = 5
"""The share of fewer documents says next to nothing."""
MAX_BARS = 2000
_NAMES = 300.0
_PLOT = 640.0
_HEADER = 200.0
_WIDEST_BAR = 60.0
_TICKS = 6
_PALE = 0.35


def draw_shares(
    view: ColumnCountsView, groups: Sequence[GroupLike], centre: Nouns = DOCUMENT, style: Style = PLAIN
) -> Drawing | None:
    """Draw a row of bars for each group, the largest first; None without a value or a document.

    A bar is the share of the group in the documents of a period or class that are in any group.
    """
    counts = np.asarray(view.counts, dtype=np.int64).reshape(len(groups), len(view.bins))
    totals = counts.sum(axis=0)
    order = sorted((k for k, group in enumerate(groups) if group.size), key=lambda k: -groups[k].size)
    shown = order[: max(MIN_COLUMNS, MAX_BARS // max(1, len(view.bins)))]
    if not totals.any() or not shown:
        return None
    chart = _Shares(view, counts, totals, style)
    names = [f"{groups[k].number} {style.name(groups[k].number, groups[k].name)}" for k in shown]
    chart.find_left(names)
    marks = chart.draw_header()
    for row, (k, name) in enumerate(zip(shown, names, strict=True)):
        marks += chart.draw_row(row, counts[k], groups[k].number, name)
    of = f" of {len(order):,}" if len(shown) < len(order) else ""
    return Drawing(
        f"Groups by {clean(view.name)}",
        f"{count_noun(len(shown), 'group')}{of} by {count_noun(len(view.bins), view.unit or 'value')}. A bar "
        f"is the share of the group in the {centre.many} of this {view.unit or 'value'}; the highest line is "
        f"{format_percent(chart.most)}. A whisker is the 95 % interval; pale bars have fewer than {FEW} "
        f"{centre.many} behind them.",
        chart.left + chart.width + 4.2 * style.font_size,
        chart.top + len(shown) * chart.row,
        marks,
        "shares",
        interactive=True,
    )


class _Shares:
    """The places of rows, bars and labels of one column."""

    def __init__(
        self,
        view: ColumnCountsView,
        counts: np.ndarray,
        totals: np.ndarray,
        style: Style,
    ) -> None:
        self.view, self.totals, self.style = view, totals, style
        counted = totals >= FEW if (totals >= FEW).any() else totals > 0
        shares = (counts / np.maximum(totals, 1))[:, counted]
        highest = find_interval(counts, totals)[1][:, counted]
        # whiskers fit, unless they would press the bars down
        self.most = float(min(1.0, highest.max(), 2.0 * shares.max() or 1.0))
        widest = _PLOT / _TICKS if view.unit else _WIDEST_BAR
        self.step = min(widest, _PLOT / max(1, len(view.bins)))
        self.width = self.step * len(view.bins)
        self.row = 3.2 * style.font_size
        self.left = 0.0
        self.turned = not view.unit and any(
            text_width(label, style.font_size) > self.step - 4 for label in view.bins
        )
        longest = max(text_width(label, style.font_size) for label in view.bins)
        self.top = 8.0 + (min(_HEADER, longest) if self.turned else 1.8 * style.font_size)

    def find_left(self, names: Sequence[str]) -> None:
        """Make room for the names of the groups."""
        size = self.style.font_size
        self.left = 14.0 + min(_NAMES, max(text_width(name, size) for name in names) + 2.0 * size)

    def draw_header(self) -> list[Mark]:
        """Draw the labels of the bins; of dates only some, so that none covers another."""
        size, bins = self.style.font_size, [clean(label) for label in self.view.bins]
        if self.turned:
            return [
                Text(
                    fit_text(label, size, self.top - 8),
                    self._middle(k),
                    self.top - 6,
                    size,
                    "soft",
                    turn=-90,
                    title=label,
                )
                for k, label in enumerate(bins)
            ]
        apart = math.ceil(len(bins) / _TICKS) if self.view.unit else 1
        return [
            Text(
                fit_text(label, size, self.step * apart), self._middle(k), 0.8 * size, size, "soft", "middle"
            )
            for k, label in enumerate(bins)
            # the last label would reach over the edge
            if k % apart == 0 and (k == 0 or k + apart / 2 <= len(bins))
        ]

    def draw_row(self, row: int, counts: np.ndarray, number: int, name: str) -> list[Mark]:
        """Draw the name of a group, its bars and their whiskers."""
        size, base = self.style.font_size, self.top + (row + 0.9) * self.row
        height = 0.8 * self.row
        low, high = find_interval(counts, self.totals)
        bars: list[Mark] = []
        whiskers = []
        gap = 0.15 * self.step
        for k, count in enumerate(counts.tolist()):
            total = int(self.totals[k])
            if not total:
                continue
            share, x = count / total, self.left + k * self.step
            if count:
                tall = max(1.5, height * min(share / self.most, 1.0))
                bars.append(
                    Box(
                        x + gap,
                        base - tall,
                        self.step - 2 * gap,
                        tall,
                        f"g{number}",
                        min(2.0, gap),
                        1.0 if total >= FEW else _PALE,
                        self._describe(k, count, low[k], high[k]),
                    )
                )
            ends = [base - height * min(value / self.most, 1.0) for value in (low[k], high[k])]
            whiskers.append([(self._middle(k), ends[0]), (self._middle(k), ends[1])])
        thin = max(0.8, min(1.5, 0.12 * self.step))
        dot = Box(2.0, base - 1.05 * size, 0.7 * size, 0.7 * size, f"g{number}", 0.35 * size)
        text = Text(fit_text(name, size, self.left - 12 - 1.4 * size), 1.4 * size, base - 0.7 * size, size)
        marks: list[Mark] = [
            Layer([dot, text], href=f"#group-{number}", title=name),
            Line([[(self.left, base), (self.left + self.width, base)]], "line"),
            *bars,
            # paper around a whisker keeps it visible on its bar
            Line(whiskers, "paper", 2.0 * thin + 1.0, 0.75),
            Line(whiskers, "ink", thin, 0.8),
        ]
        if row == 0:
            # the scale of all rows, once
            right = self.left + self.width + 6
            marks += [
                Line([[(self.left, base - height), (self.left + self.width, base - height)]], "line"),
                Text(format_percent(round(self.most, 2)), right, base - height, 0.8 * size, "soft"),
                Text("0", right, base, 0.8 * size, "soft"),
            ]
        return marks

    def _middle(self, bin_number: int) -> float:
        return self.left + (bin_number + 0.5) * self.step

    def _describe(self, k: int, count: int, low: float, high: float) -> str:
        total = int(self.totals[k])
        return (
            f"{clean(self.view.bins[k])}: {format_count(count)} of {format_count(total)}, "
            f"{format_percent(count / total)} (95 %: {format_percent(low)} to {format_percent(high)})"
        )
