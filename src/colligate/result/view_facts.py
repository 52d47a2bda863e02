"""What the report tells in sentences and figures: the summary, the facts and the warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.wording import counted, singular

if TYPE_CHECKING:
    from colligate.result.result import Result


def summary(result: Result) -> str:
    """The whole result in one sentence."""
    labels = result.labels[result.centre]
    used = np.unique(labels[labels >= 0]).size
    text = f"{labels.size:,} {result.centre} in {used:,} groups by {result.method}"
    if others := [
        f"{result.labels[kind].size:,} {kind} in {result.n_groups(kind):,} groups"
        for kind in result.labels
        if kind != result.centre
    ]:
        text += f", with {' and '.join(filter(None, [', '.join(others[:-1]), others[-1]]))}"
    if result.compiled is None:
        return f"{text}, without knowledge."
    counts = result.audit().counts()
    total, kept = sum(counts.values()), counts["kept"]
    return f"{text}; {kept:,} of {total:,} statements of knowledge are kept."


def facts(result: Result) -> list[tuple[str, str]]:
    """What is needed to make the grouping again, and what it came to in numbers."""
    found = [("Method", result.method)]
    found += [(_capital(kind), f"{len(objects):,}") for kind, objects in result.network.types.items()]
    found.append(("Groups", f"{result.n_groups():,}"))
    found += [
        (f"{_capital(singular(kind))} groups", f"{result.n_groups(kind):,}")
        for kind in result.labels
        if kind != result.centre
    ]
    found += [
        ("Sweeps", f"{result.n_iter:,}" + ("" if result.converged else " (stopped early)")),
        ("Restarts", f"{len(result.restarts):,}"),
        ("Seed", "none" if result.seed is None else str(result.seed)),
        *_links(result),
    ]
    if result.corpus is not None:
        found.append(("Source", str(result.corpus.source)))
    found.append(("Parameters", ", ".join(f"{name} = {value}" for name, value in result.parameters.items())))
    return [*found, ("Versions", ", ".join(f"{part} {found}" for part, found in result.versions.items()))]


def warnings(result: Result) -> list[str]:
    """What the reader should know first."""
    found = []
    if not result.converged:
        found.append("The run stopped before the objective settled; allow more sweeps (max_iter).")
    labels = result.labels[result.centre]
    empty = np.diff(result.around.matrix.indptr) == 0
    if bare := int(np.sum((labels < 0) & empty)):
        found.append(
            f"{_counted(result, bare, 'holds', 'hold')} {_nothing(result)}: in no group and not on the map."
        )
    if outside := int(np.sum((labels < 0) & ~empty)):
        found.append(f"{_counted(result, outside, 'is', 'are')} outside every group and not on the map.")
    if unused := result.n_groups() - np.unique(labels[labels >= 0]).size:
        are = "is" if unused == 1 else "are"
        found.append(
            f"{counted(unused, 'groups')} {are} empty; fewer groups may fit these {result.centre} better."
        )
    if result.compiled is not None and (unknown := result.audit().counts()["unknown"]):
        found.append(f"{counted(unknown, 'statements')} of the knowledge could not be used; see the audit.")
    return found


def _links(result: Result) -> list[tuple[str, str]]:
    """The share of links kept; those of the centre first and without its name."""
    kinds = [result.centre, *(kind for kind in result.labels if kind != result.centre)]
    return [
        (f"{_capital(sign)} links kept" + ("" if kind == result.centre else f", {kind}"), f"{share:.1%}")
        for kind in kinds
        for sign, share in result.link_satisfaction(kind).items()
    ]


def _nothing(result: Result) -> str:
    only = len(result.around.parts) == 1
    return f"no counted {singular(result.terms)}" if only else "nothing that was counted"


def _counted(result: Result, number: int, one: str, many: str) -> str:
    return f"{counted(number, result.centre)} {one if number == 1 else many}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
