"""Putting a new run in place of an old one: all of it or nothing, whatever comes in between."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from colligate.interrupts import held_back


def put_in_place(names: Sequence[str], path: Path, new: Path, old: Path) -> None:
    """Move what is in `path` to `old` and what is in `new` to `path`; if that fails, move everything back.

    The last of `names` goes first and comes last, so that a folder that has it is whole.
    """
    moves = [(path / name, old / name) for name in reversed(names) if (path / name).exists()]
    moves += [(new / name, path / name) for name in names if (new / name).exists()]
    with held_back():
        try:
            for source, target in moves:
                source.rename(target)
        except BaseException:
            for source, target in reversed(moves):
                if target.exists() and not source.exists():
                    target.rename(source)
            raise


def put_back(names: Sequence[str], path: Path, new: Path, old: Path) -> None:
    """Undo what a run that was killed in the midst of `put_in_place` left undone."""
    if (path / names[-1]).exists():
        return
    with held_back():
        for name in names:
            if (old / name).exists():
                if (path / name).exists():
                    (path / name).rename(new / name)
                (old / name).rename(path / name)
