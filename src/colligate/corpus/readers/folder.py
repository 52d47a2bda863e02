"""Reading a folder of text files, one document for each file."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.corpus.readers.folder_decoding import FolderDecoder
from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import COMPRESSED, plain_suffix, reading, size_of
from colligate.corpus.readers.record import Record
from colligate.errors import CorpusError, SkippedFilesWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.progress import Listener

NAMED = 3


@dataclass(frozen=True)
class FolderSource:
    """The text files in a folder and those below it, in the order of their ids, without hidden ones."""

    path: Path
    encoding: str | None

    @property
    def name(self) -> str:
        """The path of the folder."""
        return str(self.path)

    def place(self, where: int) -> str:
        """The path of the file."""
        return str(self._files[where][1])

    def records(self, listener: Listener) -> Iterator[Record]:
        """Read the files in order."""
        self._warn_skipped()
        sizes = [size_of(path) for _, path in self._files]
        meter = Meter(listener, "reading", sum(sizes))
        decoder = FolderDecoder(self.path, [path for _, path in self._files], self.encoding)
        done = 0
        for where, (id, path) in enumerate(self._files):
            yield Record(id, decoder.text(path), where)
            done += sizes[where]
            meter.at(done)
        decoder.finish()
        meter.finish()

    @cached_property
    def _files(self) -> list[tuple[str, Path]]:
        texts = [path for path in self._found if _is_text(path)]
        if not texts:
            raise CorpusError(f"{self.path} holds no .txt, .txt.gz or .txt.zst file; {_instead(self._found)}")
        return sorted((_id(path, self.path), path) for path in texts)

    @cached_property
    def _found(self) -> list[Path]:
        with reading(self.path):
            return sorted(_walk(self.path))

    def _warn_skipped(self) -> None:
        skipped = [path.relative_to(self.path).as_posix() for path in self._found if not _is_text(path)]
        if not skipped or len(skipped) == len(self._found):
            return
        files = "1 file is" if len(skipped) == 1 else f"{len(skipped):,} files are"
        more = f" and {len(skipped) - NAMED:,} more" if len(skipped) > NAMED else ""
        warnings.warn(
            f"{self.path}: {files} not read, since a folder is read for its .txt files only: "
            f"{', '.join(skipped[:NAMED])}{more}",
            SkippedFilesWarning,
            stacklevel=2,
        )


def _is_text(path: Path) -> bool:
    return plain_suffix(path) == ".txt"


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files if not name.startswith("."))


def _raise(error: OSError) -> None:
    raise error


def _id(path: Path, folder: Path) -> str:
    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return plain.with_suffix("").relative_to(folder).as_posix()


def _instead(found: list[Path]) -> str:
    if not found:
        return "it is empty"
    return f"it holds {found[0].name}; to read a single file, pass its path"
