"""Finds kept on disk while the documents are gone through, so that the work can go on after any end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from colligate.errors import StoreError
from colligate.files import writing_file
from colligate.npz import read_arrays
from colligate.world.mentions.found import WIDTH, Found

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Kept:
    """One npz file of plain arrays, replaced as a whole; `fingerprint` (hexadecimal) tells whose it is."""

    path: Path
    fingerprint: str
    interval: float = 5.0
    _written: float = field(default_factory=time.monotonic, init=False)

    def save(self, done: int, parts: list[Found], *, force: bool = False) -> None:
        """Write what was found in the first `done` documents, unless that was done a moment ago."""
        if not force and time.monotonic() - self._written < self.interval:
            return
        parts[:] = [Found.joined(parts)]
        hits, small = parts[0].hits, parts[0].small
        with writing_file(self.path) as temporary, temporary.open("wb") as stream:
            np.savez(stream, owner=self._owner, hits=hits, small=small, done=np.array([done]))
        self._written = time.monotonic()

    def load(self) -> tuple[int, list[Found]]:
        """Documents that are done, and what was found in them; nothing if there is no file."""
        if not self.path.exists():
            return 0, []
        try:
            stored = read_arrays(self.path)
            found = Found(stored["hits"].reshape(-1, WIDTH), stored["small"].reshape(-1, 2))
            owner, done = stored["owner"], int(stored["done"][0])
        except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile) as error:
            raise StoreError(f"{self.path} is damaged ({error}); remove it and start anew") from error
        if not np.array_equal(owner, self._owner):
            raise StoreError(
                f"{self.path} belongs to other documents, another knowledge base or other options; "
                f"run with the same ones, or remove it and start anew"
            )
        return done, [found]

    @property
    def _owner(self) -> np.ndarray:
        return np.frombuffer(bytes.fromhex(self.fingerprint), dtype=np.uint8)
