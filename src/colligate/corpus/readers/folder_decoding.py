"""Turning the files of one folder into text; those that are not UTF-8 are taken to share one encoding."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from colligate.corpus.readers.decoding import broken, refuse_binary, refuse_swapped, warn_guessed
from colligate.corpus.readers.encoding import (
    MARK,
    SAMPLE_BYTES,
    UTF8,
    first_flaw,
    guess,
    known_encoding,
    marked_encoding,
    telling_lines,
)
from colligate.corpus.readers.opening import opening

if TYPE_CHECKING:
    from pathlib import Path


class FolderDecoder:
    """Decodes files of a folder. One short file seldom tells its encoding; all of them together do."""

    def __init__(self, folder: Path, files: list[Path], asked: str | None) -> None:
        self._folder = folder
        self._files = files
        self._asked = known_encoding(asked) if asked else None
        self._guessed = 0

    def text(self, path: Path) -> str:
        """Return the text of one file."""
        data = _bytes(path)
        marked = marked_encoding(data)
        encoding = self._asked or marked or UTF8
        flaw = first_flaw([data], encoding)
        refuse_swapped(data[:4], encoding, path)
        if flaw is None:
            return data.decode(encoding).removeprefix(MARK)
        refuse_binary(flaw._replace(nul=True) if b"\0" in data and not marked else flaw, path)
        if self._asked or marked:
            raise broken(path, flaw, encoding, None)
        if self._shared is None or first_flaw([data], self._shared) is not None:
            raise broken(path, flaw, UTF8, self._shared)
        self._guessed += 1
        return data.decode(self._shared)

    def finish(self) -> None:
        """Tell the user, once, how many files were read in an encoding that nobody named."""
        if self._guessed and self._shared is not None:
            warn_guessed(f"{self._guessed} file(s) of {self._folder} are", self._shared)

    @cached_property
    def _shared(self) -> str | None:
        sample = b""
        for path in self._files:
            data = _bytes(path)
            if marked_encoding(data) is None and b"\0" not in data and first_flaw([data], UTF8) is not None:
                sample += telling_lines([data]) + b"\n"
            if len(sample) >= SAMPLE_BYTES:
                break
        return guess(sample.rstrip(b"\n"))


def _bytes(path: Path) -> bytes:
    with opening(path) as opened:
        return opened.stream.read()
