"""Sizes: a group has at least or at most so many documents.

The subject is a group, meant by the name of a category or label of the same knowledge; `*` means every group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from colligate._text import list_first
from colligate.errors import KnowledgeError
from colligate.knowledge.compile import EVERY_GROUP
from colligate.knowledge.contradictions import Contradiction, cite
from colligate.knowledge.guidance import GroupGuidance, Guidance
from colligate.knowledge.kinds.base import Kind, Layout
from colligate.knowledge.statements import Block, format_location
from colligate.knowledge.text import format_count, format_name, is_text, singular
from colligate.knowledge.yaml_file import is_list, line_of, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from yaml.nodes import Node

    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.kinds.base import Context, Part
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader

AT_LEAST, AT_MOST = "at_least", "at_most"
UNBOUNDED = np.iinfo(np.int64).max
_SECTION, _KEY = "groups", "sizes"
_DOCUMENTS = "documents"


class Bounds(NamedTuple):
    """The least and the greatest size of a group."""

    lower: int
    upper: int

    def intersect(self, lower: int, upper: int) -> Bounds:
        """Return the sizes that both allow."""
        return Bounds(max(self.lower, lower), min(self.upper, upper))


@dataclass(frozen=True, eq=False)
class GroupSizes(GroupGuidance):
    """Bounds on the sizes of the groups of a type: of named groups, and of every group."""

    name: ClassVar[str] = "sizes"
    named: Mapping[str, Bounds]
    every: Bounds

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups that have bounds."""
        return tuple(self.named)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All bounds, those of every group last."""
        return (np.array([*self.named.values(), self.every], dtype=np.int64),)

    def bounds(self, group_of_name: Mapping[str, int], n_groups: int) -> tuple[IntArray, IntArray]:
        """Return the least and greatest size of each group; a name without a group has no effect."""
        by_group = [self.every] * n_groups
        for name, bounds in self.named.items():
            if name in group_of_name:
                group = group_of_name[name]
                by_group[group] = by_group[group].intersect(*bounds)
        lower, upper = np.array(by_group, dtype=np.int64).reshape(-1, 2).T
        return lower.copy(), upper.copy()


class Size(Kind):
    """A group has at least or at most so many objects."""

    names = ("size",)
    section = _SECTION
    keys = (_KEY,)
    synonyms: ClassVar = {"group_size": _SECTION, "size": _KEY}
    about_groups = True
    has_strength = False

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{name: {at_least: 5, at_most: 200, note: …}}`; a list holds several for one group."""
        rows = [
            (name, *_read_bounds(reader, name, item), line_of(item))
            for _, name, value in reader.mapping(node, repr(key))
            for item in (reader.items(value, f"group {format_name(name)}") if is_list(value) else [value])
        ]
        if rows:
            names, lower, upper, notes, lines = zip(*rows, strict=True)
            yield _block(type_name or _DOCUMENTS, names, lower, upper, reader.source, lines, notes)

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write a mapping by group; a group with several statements gets a list of them."""
        is_documents = block.type == _DOCUMENTS
        section = layout.setdefault(_SECTION, {}) if is_documents else layout.setdefault(block.type, {})
        out = section if is_documents else section.setdefault(_KEY, {})
        for row, name in enumerate(block.subject.tolist()):
            item: dict[str, Any] = {
                key: int(bound)
                for key in (AT_LEAST, AT_MOST)
                if _is_bound(key, bound := block.values[key][row])
            }
            if note := note_of(block, row):
                item["note"] = note
            before = out.get(name)
            out[name] = (
                item if before is None else [*(before if isinstance(before, list) else [before]), item]
            )

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return the bounds that all statements on a group allow."""
        every, named = Bounds(0, UNBOUNDED), dict[str, Bounds]()
        for row in _rows(parts):
            if row.name == EVERY_GROUP:
                every = every.intersect(row.lower, row.upper)
            else:
                named[row.name] = named.get(row.name, Bounds(0, UNBOUNDED)).intersect(row.lower, row.upper)
        if not named and every == Bounds(0, UNBOUNDED):
            return Guidance(size)
        return Guidance(size, about_groups=(GroupSizes(named, every),))

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `group space has at most 200 documents`."""
        name = format_name(statement.subject)
        group = "every group" if statement.subject == EVERY_GROUP else f"group {name}"
        lower, upper = statement.values[AT_LEAST], statement.values[AT_MOST]
        noun = singular(statement.type) if (upper if np.isfinite(upper) else lower) == 1 else statement.type
        return f"{group} has {_bounds_text(lower, upper)} {noun}"

    def object_texts(self, block: Block) -> list[str]:
        """Return the bounds in words."""
        return [_bounds_text(*bounds) for bounds in zip(*_columns(block), strict=True)]

    def find_contradictions(self, parts: Sequence[Part], context: Context) -> Iterator[Contradiction]:
        """Find bounds that exclude each other, too many labels, and sums that cannot be met."""
        rows = list(_rows(parts))
        names = list(dict.fromkeys(row.name for row in rows if row.name != EVERY_GROUP))
        every = [row for row in rows if row.name == EVERY_GROUP]
        on_group = {name: [*every, *(row for row in rows if row.name == name)] for name in names}
        excluded = dict.fromkeys(
            pair for group in (every, *on_group.values()) if (pair := _excluding(group)) is not None
        )
        for claims in excluded:
            text = " and ".join(cite(number, context.statements) for number in claims)
            yield Contradiction(context.type, claims, (), f"{text}; these statements contradict each other")
        # sums over bounds that exclude each other would only repeat the contradiction
        if excluded:
            return
        yield from _too_many_labels(on_group, every, context)
        yield from _impossible_sums(on_group, every, context)

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if the size of its group, or of every group, is within the bounds."""
        smallest, largest = _sizes(rows)
        return np.asarray((smallest >= rows.value(AT_LEAST)) & (largest <= rows.value(AT_MOST)))

    def describe_outcomes(self, rows: StatementRows) -> Sequence[str]:
        """Return the sizes that the groups have."""
        type_name = rows.placed[0][1].type
        outcomes = []
        for name, low, high in zip(rows.subject_names, *_sizes(rows), strict=True):
            if name == EVERY_GROUP:
                outcomes.append(
                    f"the smallest group has {format_count(low, type_name)}, the largest {high:,}"
                )
            elif name in rows.named_groups:
                outcomes.append(f"it has {format_count(low, type_name)}")
            else:
                outcomes.append("no group has this name")
        return outcomes


def size_block(type_name: str, sizes: Mapping[str, tuple[Any, Any]], source: str) -> Block:
    """Return the block of sizes built in code: (at least, at most) by group, None for no bound."""
    names, lower, upper = [], [], []
    for name, (at_least, at_most) in sizes.items():
        if not is_text(name):
            raise KnowledgeError(f"group_size(…): the name of a group must be text; got {format_name(name)}")
        place = f"group_size({name!r})"
        low, high = (
            _check_count(value, place, key) for key, value in ((AT_LEAST, at_least), (AT_MOST, at_most))
        )
        _check_bounds(low, high, place)
        names.append(name)
        lower.append(0 if low is None else low)
        upper.append(np.inf if high is None else high)
    return _block(type_name, names, lower, upper, source)


def _block(
    type_name: str,
    names: Sequence[str],
    lower: Sequence[float],
    upper: Sequence[float],
    source: str,
    lines: Sequence[int] | None = None,
    notes: Sequence[str] | None = None,
) -> Block:
    subject = np.empty(len(names), dtype=object)
    subject[:] = names
    return Block(
        "size",
        type_name,
        subject,
        source,
        values={AT_LEAST: np.array(lower, dtype=np.float64), AT_MOST: np.array(upper, dtype=np.float64)},
        lines=None if lines is None else np.array(lines, dtype=np.int64),
        notes=None if notes is None else tuple(notes),
    )


def _read_bounds(reader: YamlReader, name: str, node: Node) -> tuple[float, float, str]:
    fields = reader.fields(node, f"group {format_name(name)}", (AT_LEAST, AT_MOST, "note"))
    place = format_location(reader.source, line_of(node))
    counts = {
        key: _check_count(reader.text(fields[key], repr(key)), place, key)
        for key in (AT_LEAST, AT_MOST)
        if key in fields
    }
    lower, upper = counts.get(AT_LEAST), counts.get(AT_MOST)
    _check_bounds(lower, upper, f"{place}: group {format_name(name)}")
    return (
        0.0 if lower is None else lower,
        np.inf if upper is None else upper,
        reader.note(fields.get("note")),
    )


def _check_count(value: Any, place: str, key: str) -> int | None:
    if value is None:
        return None
    is_number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if is_number or (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16):
        count = int(value)
        # stored as a float, which holds whole numbers exactly up to 2⁵³
        if 0 <= count < 2**53:
            return count
    raise KnowledgeError(f"{place}: {key} must be a whole number of at least 0; got {format_name(value)}")


def _check_bounds(lower: int | None, upper: int | None, place: str) -> None:
    if lower is None and upper is None:
        raise KnowledgeError(f"{place}: a size needs {AT_LEAST}, {AT_MOST} or both")
    if lower is not None and upper is not None and lower > upper:
        raise KnowledgeError(
            f"{place}: {AT_LEAST} ({lower}) is greater than {AT_MOST} ({upper}); correct one of the two"
        )


def _is_bound(key: str, value: float) -> bool:
    return bool(np.isfinite(value)) and (key == AT_MOST or value > 0)


def _bounds_text(lower: float, upper: float) -> str:
    if not np.isfinite(upper):
        return f"at least {lower:,.0f}"
    if lower == upper:
        return f"exactly {upper:,.0f}"
    return f"{lower:,.0f} to {upper:,.0f}" if lower > 0 else f"at most {upper:,.0f}"


def _columns(block: Block) -> tuple[list[float], list[float]]:
    return block.values[AT_LEAST].tolist(), block.values[AT_MOST].tolist()


class _Row(NamedTuple):
    name: str
    lower: int
    upper: int
    number: int


def _rows(parts: Sequence[Part]) -> Iterator[_Row]:
    for part in parts:
        lower, upper = _columns(part.block)
        for row in np.flatnonzero(part.resolved).tolist():
            most = int(upper[row]) if np.isfinite(upper[row]) else UNBOUNDED
            yield _Row(str(part.block.subject[row]), int(lower[row]), most, part.first + row)


def _least(rows: Sequence[_Row]) -> _Row | None:
    """Return the row with the greatest lower bound."""
    return max(rows, key=lambda row: row.lower, default=None)


def _most(rows: Sequence[_Row]) -> _Row | None:
    """Return the row with the smallest upper bound."""
    return min(rows, key=lambda row: row.upper, default=None)


def _excluding(rows: Sequence[_Row]) -> tuple[int, int] | None:
    """Return two statements on one group that cannot both hold."""
    least, most = _least(rows), _most(rows)
    if least is None or most is None or least.lower <= most.upper:
        return None
    return least.number, most.number


def _groupable(context: Context) -> BoolArray:
    """Tell which objects are to be in a group."""
    guidance, grouping = context.guidance, context.grouping
    mask = np.ones(guidance.size, dtype=bool) if grouping is None else grouping.groupable.copy()
    mask[guidance.outsiders] = False
    return mask


def _too_many_labels(
    on_group: Mapping[str, Sequence[_Row]], every: Sequence[_Row], context: Context
) -> Iterator[Contradiction]:
    guidance = context.guidance
    if guidance.labels is None or guidance.label_statements is None:
        return
    labels = np.where(_groupable(context), guidance.labels, -1)
    for code, name in enumerate(guidance.label_names):
        most = _most(on_group.get(name, every))
        labelled = np.flatnonzero(labels == code)
        if most is not None and labelled.size > most.upper:
            numbers = tuple(int(number) for number in guidance.label_statements[labelled] if number >= 0)
            count = format_count(labelled.size, context.type)
            verb = "is" if labelled.size == 1 else "are"
            text = f"{cite(most.number, context.statements)}, but {count} {verb} labelled {format_name(name)}"
            yield Contradiction(context.type, (most.number,), numbers, text)


def _impossible_sums(
    on_group: Mapping[str, Sequence[_Row]], every: Sequence[_Row], context: Context
) -> Iterator[Contradiction]:
    """Compare the sums of the bounds with the number of objects; names beyond the groups are left out."""
    n_objects = int(_groupable(context).sum())
    rest = 0 if context.grouping is None else context.grouping.n_groups - len(on_group)
    # more names than groups: several of them will share a group, so sums say nothing
    if rest < 0:
        return
    chosen = [*map(_least, on_group.values()), *([_least(every)] * rest)]
    least = [row for row in chosen if row is not None and row.lower > 0]
    if (total := sum(row.lower for row in least)) > n_objects:
        need = f"need at least {format_count(total, context.type)} in all"
        yield _sum_contradiction(least, need, n_objects, context)
    chosen = [*map(_most, on_group.values()), *([_most(every)] * rest)]
    most = [row for row in chosen if row is not None and row.upper < UNBOUNDED]
    # a group without an upper bound has room for any number
    if context.grouping is None or len(most) < len(chosen) or not chosen:
        return
    if (total := sum(row.upper for row in most)) < n_objects:
        need = f"have room for at most {format_count(total, context.type)} in all"
        yield _sum_contradiction(most, need, n_objects, context)


def _sum_contradiction(rows: Sequence[_Row], need: str, n_objects: int, context: Context) -> Contradiction:
    numbers = tuple(dict.fromkeys(row.number for row in rows))
    cited = list_first([cite(number, context.statements) for number in numbers])
    groups = "the groups" if context.grouping is None else f"the {context.grouping.n_groups} groups"
    text = f"{groups} {need}, but there are {n_objects:,} {context.type} to group: {cited}"
    return Contradiction(context.type, numbers, (), text)


def _sizes(rows: StatementRows) -> tuple[list[int], list[int]]:
    """Return the smallest and the largest of the groups that each statement is about."""
    counts = np.bincount(rows.labels[rows.labels >= 0], minlength=rows.n_groups)
    smallest, largest = (int(counts.min()), int(counts.max())) if counts.size else (0, 0)
    sizes = [
        (smallest, largest)
        if name == EVERY_GROUP
        else (int(counts[rows.named_groups[name]]),) * 2
        if name in rows.named_groups
        else (0, 0)
        for name in rows.subject_names
    ]
    return [low for low, _ in sizes], [high for _, high in sizes]
