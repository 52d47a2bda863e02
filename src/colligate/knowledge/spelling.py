"""Telling a slip of the pen from another word."""

from __future__ import annotations


def misspells(written: str, meant: str) -> bool:
    """Whether one word is another with a slip in it: `docments`, `wrods`, `Words`, but not `works`.

    A letter left out, added or swapped with its neighbour is one slip, and another letter in its place two;
    one slip is allowed for every four letters.
    """
    one, other = written.casefold(), meant.casefold()
    allowed = len(meant) // 4
    return written != meant and abs(len(one) - len(other)) <= allowed and slips(one, other) <= allowed


def slips(one: str, other: str) -> int:
    """The fewest letters left out, added or swapped with their neighbour that lead from one to the other."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, against in enumerate(other, start=1):
            best = last[j - 1] if letter == against else min(last[j], row[j - 1]) + 1
            if i > 1 and j > 1 and (letter, one[i - 2]) == (other[j - 2], against):
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
