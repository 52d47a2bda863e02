"""Contradictions: statements that cannot all hold, found before the run and told in the user's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.chains import Chains
from colligate.knowledge.kind import find_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.statements import Statements
    from colligate.knowledge.ties import Clashes, Ties

MOST_TOLD = 20
"""How many contradictions are told in detail; all are counted."""

_LONGEST_CHAIN = 8


@dataclass(frozen=True)
class Contradiction:
    """Statements that cannot hold (`claims`) because of what belongs together (`chain`), by their numbers."""

    type: str
    claims: tuple[int, ...]
    chain: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Finding:
    """The contradictions about one type: the first few in detail, their number, all statements involved."""

    told: tuple[Contradiction, ...]
    total: int
    involved: IntArray


def find_contradictions(type_name: str, ties: Ties, statements: Statements) -> Finding:
    """Find what must not meet in one component but does, with the chain that brings it together."""
    clashes = ties.clashes()
    if not len(clashes):
        return Finding((), 0, np.zeros(0, dtype=np.int64))
    chains = Chains(ties.n_nodes, ties.bonds)
    told = tuple(
        _told(type_name, clashes, at, ties.size, chains, statements)
        for at in range(min(MOST_TOLD, len(clashes)))
    )
    return Finding(told, len(clashes), _involved(clashes, ties.size, chains, told))


def summary(contradictions: Iterable[Contradiction], total: int) -> str:
    """The message of an error or a warning, without the advice how to go on."""
    lines = [f"  {found.text}" for found in contradictions]
    if total > len(lines):
        lines.append(f"  and {total - len(lines)} more")
    return "\n".join([f"{total} contradiction{'s' if total > 1 else ''} in the knowledge:", *lines])


def _told(
    type_name: str, clashes: Clashes, at: int, size: int, chains: Chains, statements: Statements
) -> Contradiction:
    start, end = int(clashes.left[at]), int(clashes.right[at])
    chain = chains.shortest(start, end)
    first = chain.pop(0) if start >= size else int(clashes.first[at])
    second = chain.pop() if end >= size else int(clashes.second[at])
    claims = [number for number in (first, second) if number >= 0]
    return Contradiction(type_name, tuple(claims), tuple(chain), _text(claims, chain, statements))


def _text(claims: list[int], chain: list[int], statements: Statements) -> str:
    against = " and ".join(_worded(number, statements) for number in claims)
    if not chain:
        return f"{against}, which cannot both hold"
    links = [_worded(number, statements) for number in chain[:_LONGEST_CHAIN]]
    if len(chain) > _LONGEST_CHAIN:
        links.append(f"and {len(chain) - _LONGEST_CHAIN} more")
    return f"{against}, yet together through {', '.join(links)}"


def _worded(number: int, statements: Statements) -> str:
    statement = statements[number]
    return f"{find_kind(statement.kind).claim(statement)} ({statement.where})"


def _involved(clashes: Clashes, size: int, chains: Chains, told: tuple[Contradiction, ...]) -> IntArray:
    in_detail = [number for found in told for number in (*found.claims, *found.chain)]
    claims = np.concatenate([clashes.first[clashes.left < size], clashes.second[clashes.right < size]])
    along = chains.involved(clashes.left, clashes.right)
    return np.unique(np.concatenate([np.array(in_detail, dtype=np.int64), claims[claims >= 0], along]))
