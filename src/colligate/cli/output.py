"""The output folder of a run: a checkpoint during the run, all outputs at once at the end.

Outputs are written to a temporary folder inside the output folder (the same disk) and moved into place when
complete. A folder that Colligate did not make is never touched. A lock allows one run at a time.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colligate._storage.atomic import LOCK_NAME as LOCK
from colligate._storage.atomic import (
    defer_interrupts,
    expand_path,
    lock_folder,
    restore_files,
    swap_files,
    wrap_write_errors,
)
from colligate._storage.plain_file import read_bounded
from colligate._text import list_first
from colligate.errors import CancelledError, StoreError

CHECKPOINT, RECORD, MODEL, REPORT = "checkpoint.npz", "run.json", "model", "report.html"
START = "start.json"
# Replies of language models stay when the run is replaced, so that nobody pays for them twice.
CACHE = "names.json"
FORMAT = "colligate-run"
# The record comes last: a folder with a record is complete.
NAMES = ("documents.csv", "clusters.csv", "words.csv", "knowledge.csv", REPORT, START, MODEL, RECORD)
TABLE = re.compile(r"[\w-]+\.(csv|xlsx|parquet)")
WRITING = ".colligate-writing."
NEW, OLD = "new", "old"
LEFTOVERS = (WRITING, f".{CHECKPOINT}.")


@dataclass(frozen=True)
class OutputFolder:
    """A folder that belongs to one run."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """The path of the checkpoint."""
        return self.path / CHECKPOINT

    @property
    def report(self) -> Path:
        """The path of the report."""
        return self.path / REPORT

    @property
    def name_cache(self) -> Path:
        """The path of the replies of language models."""
        return self.path / CACHE

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Yield an empty folder; its content replaces the old outputs at the end, or nothing changes."""
        with wrap_write_errors(self.path):
            temporary = Path(tempfile.mkdtemp(prefix=WRITING, dir=self.path))
        new, old = temporary / NEW, temporary / OLD
        try:
            with wrap_write_errors(self.path):
                new.mkdir()
                old.mkdir()
                yield new
                self._put_in_place(temporary)
        except StoreError as error:
            raise StoreError(str(error).replace(str(new), str(self.path)) + self._advise_resume()) from error
        finally:
            # The old outputs may be nowhere else.
            if (self.path / RECORD).exists() or not (old.is_dir() and any(old.iterdir())):
                shutil.rmtree(temporary, ignore_errors=True)

    def _put_in_place(self, temporary: Path) -> None:
        new = temporary / NEW
        try:
            with defer_interrupts():
                swap_files(_list_outputs(self.path, new), self.path, new, temporary / OLD)
                self.checkpoint.unlink(missing_ok=True)
                shutil.rmtree(temporary, ignore_errors=True)
        except KeyboardInterrupt:
            if new.exists() and any(new.iterdir()):
                raise
            raise CancelledError(f"the run was already complete; it is in {self.path}") from None

    def _advise_resume(self) -> str:
        if not self.checkpoint.is_file():
            return ""
        return f"\nThe run is saved in {self.checkpoint}: solve the problem, then continue with --resume."


ADVICE = "add --overwrite to replace it, or choose another --out"


@contextmanager
def claim_folder(
    path: Path, *, overwrite: bool = False, resume: bool = False, advice: str = ADVICE
) -> Iterator[OutputFolder]:
    """Claim a folder for a run, or refuse with the reason; an empty folder is removed afterwards.

    A folder with a checkpoint needs `resume` or `overwrite`, one with a finished run `overwrite`. Old outputs
    stay until the new ones are complete.
    """
    folder = OutputFolder(expand_path(path))
    missing = [parent for parent in (folder.path, *folder.path.parents) if not parent.exists()]
    try:
        with ExitStack() as held:
            with wrap_write_errors(folder.path):
                _refuse_foreign(folder.path, _list_entries(folder.path))
                folder.path.mkdir(parents=True, exist_ok=True)
                held.enter_context(lock_folder(folder.path))
                _prepare_folder(folder, advice, overwrite=overwrite, resume=resume)
            yield folder
    finally:
        _remove_empty(missing)


def refuse_existing(out: Path, *, overwrite: bool) -> None:
    """Refuse to write over a file or folder without --overwrite."""
    if out.exists() and not overwrite:
        raise StoreError(f"{out} already exists; {ADVICE}")


def read_record(path: Path) -> dict[str, Any] | None:
    """Read the run.json of a folder; None if it has none or another program wrote it."""
    try:
        record = json.loads(read_bounded(path / RECORD))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and record.get("format") == FORMAT else None


def find_origin(path: Path) -> dict[str, Any] | None:
    """Return the options of `cluster` by which the documents of a run were read; None if they are unknown."""
    record = read_record(path) or {}
    origin = record.get("options" if record.get("command") == "cluster" else "origin")
    return origin if isinstance(origin, dict) else None


def _list_outputs(*folders: Path) -> tuple[str, ...]:
    """List the outputs of the runs in these folders, the record last; networks have tables of their types."""
    recorded = [name for folder in folders for name in (read_record(folder) or {}).get("tables", ())]
    tables = [name for name in recorded if isinstance(name, str) and TABLE.fullmatch(name)]
    return (*dict.fromkeys(name for name in tables if name not in NAMES), *NAMES)


def _list_entries(path: Path) -> set[str]:
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is a file; --out needs a folder")
    return {entry.name for entry in path.iterdir()} if path.exists() else set()


def _prepare_folder(folder: OutputFolder, advice: str, *, overwrite: bool, resume: bool) -> None:
    for name in _find_leftovers(_list_entries(folder.path)):
        new, old = folder.path / name / NEW, folder.path / name / OLD
        restore_files(_list_outputs(new, old), folder.path, new, old)
    entries = _list_entries(folder.path)
    _refuse_foreign(folder.path, entries)
    _refuse_taken(folder.path, entries, advice, overwrite=overwrite, resume=resume)
    _clear(folder, entries, keep_checkpoint=resume)
    # Find out now, not after hours of clustering, that the folder cannot be written.
    Path(tempfile.mkdtemp(prefix=WRITING, dir=folder.path)).rmdir()


def _find_leftovers(entries: set[str]) -> set[str]:
    return {name for name in entries if name.startswith(LEFTOVERS)}


def _refuse_foreign(path: Path, entries: set[str]) -> None:
    leftovers = _find_leftovers(entries)
    expected = {CHECKPOINT, LOCK, CACHE} | leftovers
    # A run killed while its outputs were moved has no record yet.
    if read_record(path) is not None or leftovers:
        expected |= set(_list_outputs(path, *(path / name / run for name in leftovers for run in (NEW, OLD))))
    if foreign := sorted(entries - expected):
        raise StoreError(
            f"{path} contains files that are not from a run ({list_first(foreign)}); choose another folder "
            "with --out"
        )


def _refuse_taken(path: Path, entries: set[str], advice: str, *, overwrite: bool, resume: bool) -> None:
    if CHECKPOINT in entries:
        if not (resume or overwrite):
            raise StoreError(
                f"{path} contains an unfinished run; add --resume to continue it, --overwrite to start "
                "again, or choose another folder with --out"
            )
    elif entries & set(_list_outputs(path)) and not overwrite:
        what = "a finished run, so there is nothing to resume" if resume else "a finished run"
        raise StoreError(f"{path} contains {what}; {advice}")


def _clear(folder: OutputFolder, entries: set[str], *, keep_checkpoint: bool) -> None:
    for name in _find_leftovers(entries):
        left = folder.path / name
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    if not keep_checkpoint:
        folder.checkpoint.unlink(missing_ok=True)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return
