"""The figures of a result: the pictures of the report as objects that notebooks show and users restyle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._text import clean_view
from colligate.errors import InputError, ParameterError
from colligate.knowledge.changes import find_group
from colligate.report.column_chart import draw_shares
from colligate.report.figure import Figure
from colligate.report.flow_chart import MAX_FLOW_GROUPS, SIDES, TITLE, draw_flow
from colligate.report.group_bars import draw_sizes, draw_words
from colligate.report.heat_chart import MAX_COLUMNS, draw_heat, make_heat_table
from colligate.report.map import draw_map
from colligate.report.map_page import render_map_page
from colligate.report.trace_chart import draw_history, draw_restarts
from colligate.report.tree_chart import draw_tree
from colligate.report.view import AssociationView, ChangeView, GroupWordsView, WordGroupView
from colligate.result.changes import compare_groupings
from colligate.result.column_tables import find_column
from colligate.result.explain import is_integer
from colligate.result.layout import lay_out
from colligate.result.map_files import list_map_groups, make_map_view
from colligate.result.report_view import (
    NO_GROUP,
    make_association_view,
    make_change_view,
    make_column_view,
    make_nouns,
    make_point_view,
    make_trace_view,
    make_tree_view,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from colligate.report.drawing import Drawing
    from colligate.report.style import Style
    from colligate.result.layout import Layout
    from colligate.result.result import Result

    Groups = Iterable[int | str | np.integer[Any]]

MOST_WORDS = 50


class Figures:
    """The figures of a result. Each call returns a `Figure`: show it, restyle it, save it.

    The report draws the same pictures with the same code.
    """

    def __init__(self, result: Result) -> None:
        self._result = result

    def __repr__(self) -> str:
        names = ", ".join(name for name in vars(type(self)) if not name.startswith("_"))
        return f"Figures({names})"

    def map(self) -> Figure:
        """Draw the documents as dots, coloured by group; near ones use similar words.

        `save("map.html")` writes the interactive page.

        Returns
        -------
        Figure
        """
        return draw_map_figure(self._result)

    def sizes(self) -> Figure:
        """Draw a bar for each group, the largest first, and one for the documents in no group.

        Returns
        -------
        Figure
        """
        result = self._result
        groups = clean_view(self._describe_groups(range(result.n_groups()), 0))
        n_outside = int(np.sum(result.labels[result.centre] < 0))
        centre = make_nouns(result)[0]
        return Figure("sizes", lambda style: draw_sizes(groups, n_outside, centre, style))

    def words(self, limit: int = 8, *, groups: Groups | None = None) -> Figure:
        """Draw the most characteristic words of each group.

        Parameters
        ----------
        limit : int
            The number of words of a group, up to 50.
        groups : list of int or str, optional
            The groups by number or name; by default all.

        Returns
        -------
        Figure
        """
        views = clean_view(self._describe_groups(self._find_groups(groups), _check_limit(limit, MOST_WORDS)))
        terms = make_nouns(self._result)[1]
        return Figure("words", lambda style: draw_words(views, terms, style))

    def heat(self, words: int = 3, *, groups: Groups | None = None, word_groups: bool = False) -> Figure:
        """Draw how much more or less often than expected each group uses the words of all groups.

        A cell is log2 of the count of a word in a group over the expected count, with 1 added to both, so
        that rare words stay near 0.

        Parameters
        ----------
        words : int
            The number of most characteristic words that each group adds as columns. The 48 most frequent of
            them are drawn.
        groups : list of int or str, optional
            The groups by number or name; by default all.
        word_groups : bool
            Draw groups of words as columns, if the method makes some, as the report does.

        Returns
        -------
        Figure
        """
        result = self._result
        rows = self._find_groups(groups)
        views = clean_view(self._describe_groups(rows, 0))
        if word_groups:
            view = make_association_view(result)
            if view is None:
                raise InputError(f"{result.method} makes no groups of {result.terms}; leave word_groups out")
            view = replace(view, lift=[view.lift[k] for k in rows], mass=[view.mass[k] for k in rows])
        else:
            view = self._associate_words(rows, _check_limit(words, MAX_COLUMNS))
        table = make_heat_table(clean_view(view), views)
        terms = make_nouns(result)[1]
        return Figure("heat", lambda style: draw_heat(table, terms, style))

    def flows(self, other: Result | None = None, *, sides: tuple[str, str] | None = None) -> Figure:
        """Draw how many documents go from each group of this result to each group of another.

        Documents are the same if they have the same id; those of one result alone are left out.

        Parameters
        ----------
        other : Result, optional
            The other result. By default the flows are those of the report: from the run without knowledge to
            this result.
        sides : (str, str), optional
            The words above the two columns of groups.

        Returns
        -------
        Figure
        """
        result = self._result
        last = result if other is None else other
        view = make_change_view(result) if other is None else _compare(result, last)
        if view is None:
            raise InputError("this result has no run without knowledge to compare with; name another result")
        if max(len(view.before_names), len(view.after_names)) > MAX_FLOW_GROUPS:
            raise InputError(
                f"flows can be drawn between at most {MAX_FLOW_GROUPS} groups; join some first "
                "(Result.merge), or use Result.changes_since for the numbers"
            )
        shown, between = clean_view(view), other is not None
        words = sides or (("first result", "second result") if between else SIDES)
        title = "Flows between two results" if between else TITLE
        return Figure("flows", lambda style: _draw_flows(shown, last, words, title, style))

    def trace(self, *, restarts: bool = False) -> Figure:
        """Draw the objective after every iteration of the chosen run.

        Parameters
        ----------
        restarts : bool
            Draw the final objective of every restart instead.

        Returns
        -------
        Figure
        """
        view = make_trace_view(self._result)
        if restarts and len(view.restarts) < 2:
            raise InputError("there is only one run; restarts can be drawn with n_init of 2 or more")
        if restarts:
            return Figure("restarts", lambda style: draw_restarts(view, style))
        return Figure("trace", lambda style: draw_history(view, style))

    def hierarchy(self) -> Figure:
        """Draw the tree of groups: which groups are near each other.

        Returns
        -------
        Figure
        """
        rows, centre = clean_view(make_tree_view(self._result)), make_nouns(self._result)[0]
        if not rows:
            raise InputError("fewer than three groups can join in one way only; there is no tree to draw")
        return Figure("hierarchy", lambda style: draw_tree(rows, centre, style))

    def over(self, column: str, *, time: bool = False) -> Figure:
        """Draw the share of each group in every period or value of a column, with 95% intervals.

        The numbers are those of `Result.over`.

        Parameters
        ----------
        column : str
            The name of a column of the input.
        time : bool
            Refuse a column without dates.

        Returns
        -------
        Figure
        """
        result = self._result
        view = clean_view(make_column_view(result, find_column(result, column, time=time)))
        groups, centre = clean_view(self._describe_groups(range(result.n_groups()), 0)), make_nouns(result)[0]
        if not view.bins:
            raise InputError(f"the column {column!r:.120} has no values; choose another column")
        return Figure("over", lambda style: draw_shares(view, groups, centre, style))

    def _describe_groups(self, positions: Sequence[int], n_words: int) -> tuple[GroupWordsView, ...]:
        result = self._result
        labels = result.labels[result.centre]
        sizes = np.bincount(labels[labels >= 0], minlength=result.n_groups())
        words = result.top_words(n_words) if n_words else [[]] * result.n_groups()
        return tuple(
            GroupWordsView(result.group_numbers[k], result.group_names[k], int(sizes[k]), tuple(words[k]))
            for k in positions
        )

    def _find_groups(self, groups: Groups | None) -> list[int]:
        """Return the positions of groups by number or name; of all where none are named."""
        result = self._result
        if groups is None:
            return list(range(result.n_groups()))
        numbers = list(result.group_numbers)
        positions = []
        for group in groups:
            # numbers of groups often come from a frame
            plain = int(group) if isinstance(group, np.integer) else group
            number = find_group(plain, numbers, list(result.group_names))
            if number is None:
                known = zip(numbers, result.group_names, strict=True)
                listed = "; ".join(f"{k} {name}" for k, name in known)
                raise ParameterError(
                    f"there is no group {group!r:.80}; the groups are {listed:.400}",
                    parameter="groups",
                )
            positions.append(numbers.index(number))
        return positions

    def _associate_words(self, positions: list[int], n_words: int) -> AssociationView:
        """Take the lift of the most characteristic words of some groups."""
        result = self._result
        names = result.network.types[result.terms].names
        column_of = {str(name): k for k, name in enumerate(names)}
        top = result.top_words(n_words)
        words = list(dict.fromkeys(word for k in positions for word, _ in top[k]))
        columns = [column_of[word] for word in words]
        if not columns:
            raise InputError(
                f"no {result.terms} are characteristic of these groups; there is nothing to draw"
            )
        counts = result.object_tables[result.terms].counts
        total = max(float(counts.sum()), 1.0)
        part = np.asarray(counts[positions][:, columns].todense(), dtype=np.float64)
        in_groups = np.asarray(counts.sum(axis=1)).ravel()[positions]
        of_words = np.asarray(counts.sum(axis=0)).ravel()[columns]
        # one more on both sides: a rare word that is missing tells little
        lift = np.log2((part + 1.0) / (np.outer(in_groups, of_words) / total + 1.0))
        return AssociationView(
            [WordGroupView(None, 1, [word]) for word in words], lift.tolist(), (part / total).tolist()
        )


def draw_map_figure(result: Result, layout: Layout | None = None) -> Figure:
    """Draw the map of a result, with a layout that is there already or a new one."""
    labels = result.labels[result.centre]
    if layout is None:
        layout = lay_out(labels, result.n_groups(), result.counts, result.confidence, result.runner_up)
    places = layout
    points = make_point_view(result, places)
    groups = clean_view(list_map_groups(result, places))
    centre, terms = make_nouns(result)
    return Figure(
        "map",
        lambda style: draw_map(points, groups, centre, terms, style),
        page=lambda style: render_map_page(make_map_view(result, style.title, places), style),
    )


def _check_limit(limit: int, most: int) -> int:
    if not is_integer(limit) or not 1 <= limit <= most:
        raise ParameterError(
            f"the number of words must be a whole number from 1 to {most}; got {limit!r:.60}",
            parameter="limit",
        )
    return int(limit)


def _compare(first: Result, second: Result) -> ChangeView:
    """Compare the groups of the documents that two results share."""
    rows = {str(name): row for row, name in enumerate(first.network.types[first.centre].names)}
    pairs = [
        (rows[str(name)], row)
        for row, name in enumerate(second.network.types[second.centre].names)
        if str(name) in rows
    ]
    if not pairs:
        raise InputError("the two results have no document in common: their ids differ")
    left, right = np.array(pairs).T
    before, after = first.labels[first.centre][left], second.labels[second.centre][right]
    changes = compare_groupings(before, after, first.n_groups(), second.n_groups())
    n_rows, n_columns = (
        size if changes.flow.sum(axis=1 - side)[-1] else size - 1
        for side, size in enumerate(changes.flow.shape)
    )
    return ChangeView(
        moved=int(changes.moved.sum()),
        total=len(pairs),
        agreement=changes.agreement,
        before_names=(*first.group_names, NO_GROUP)[:n_rows],
        after_names=(*second.group_names, NO_GROUP)[:n_columns],
        flow=changes.flow[:n_rows, :n_columns].tolist(),
        examples=(),
    )


def _draw_flows(
    view: ChangeView, last: Result, sides: tuple[str, str], title: str, style: Style
) -> Drawing | None:
    """Draw flows with the colours and labels of the groups after."""
    numbers = last.group_numbers
    names = [
        style.name(numbers[k], name) if k < len(numbers) else name for k, name in enumerate(view.after_names)
    ]
    colours = [f"g{number}" for number in numbers] + ["grey"]
    return draw_flow(replace(view, after_names=names), colours, make_nouns(last)[0], sides, title, style)
