"""The output folder of a run: a checkpoint while the run goes, everything at once when it is done.

What is written goes to a folder inside it first, so that it is on the same disk, and is moved into place when
it is complete. A folder that Colligate did not make is never touched, and one run at a time has it.
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
from colligate.errors import CancelledError, StoreError

CHECKPOINT, RECORD, MODEL, REPORT = "checkpoint.npz", "run.json", "model", "report.html"
FORMAT = "colligate-run"
# The record comes last: a folder that has it is whole.
NAMES = ("documents.csv", "clusters.csv", "words.csv", "knowledge.csv", REPORT, MODEL, RECORD)
TABLE = re.compile(r"[\w-]+\.csv")
WRITING = ".colligate-writing."
NEW, OLD = "new", "old"
LEFTOVERS = (WRITING, f".{CHECKPOINT}.")
SHOWN = 3


@dataclass(frozen=True)
class OutputFolder:
    """A folder that belongs to one run."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Where the run is kept while it goes."""
        return self.path / CHECKPOINT

    @property
    def report(self) -> Path:
        """Where the report will be."""
        return self.path / REPORT

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Hand out an empty folder; what is in it at the end replaces what was there, or nothing changes."""
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
            raise StoreError(str(error).replace(str(new), str(self.path)) + self._how_to_go_on()) from error
        finally:
            # what was there before may be nowhere else
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
            raise CancelledError(f"the run was complete by then; it is in {self.path}") from None

    def _how_to_go_on(self) -> str:
        if not self.checkpoint.is_file():
            return ""
        return f"\nThe run itself is kept in {self.checkpoint}: put this right, and go on with --resume."


ADVICE = "add --overwrite to replace it, or choose another --out"


@contextmanager
def claim_folder(
    path: Path, *, overwrite: bool = False, resume: bool = False, advice: str = ADVICE
) -> Iterator[OutputFolder]:
    """Take a folder for a run, or say why it cannot be taken; if the run leaves nothing, neither does this.

    A checkpoint needs `resume` or `overwrite`, a finished run `overwrite`, and it stays until the new one is
    complete.
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


def read_record(path: Path) -> dict[str, Any] | None:
    """The run.json of a folder; None if there is none or it is not one of ours."""
    try:
        found = json.loads((path / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def _list_outputs(*folders: Path) -> tuple[str, ...]:
    """What the runs in some folders are made of, the record last: a network has tables of its own types."""
    listed = [name for folder in folders for name in (read_record(folder) or {}).get("tables", ())]
    tables = [name for name in listed if isinstance(name, str) and TABLE.fullmatch(name)]
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
    # A folder that cannot be written should be found now, and not after hours of clustering.
    Path(tempfile.mkdtemp(prefix=WRITING, dir=folder.path)).rmdir()


def _find_leftovers(entries: set[str]) -> set[str]:
    return {name for name in entries if name.startswith(LEFTOVERS)}


def _refuse_foreign(path: Path, entries: set[str]) -> None:
    left = _find_leftovers(entries)
    own = {CHECKPOINT, LOCK} | left
    # A run that was killed while it was moved into place has no record yet.
    if read_record(path) is not None or left:
        own |= set(_list_outputs(path, *(path / name / run for name in left for run in (NEW, OLD))))
    if foreign := sorted(entries - own):
        told = ", ".join(foreign[:SHOWN]) + (
            f" and {len(foreign) - SHOWN} more" if len(foreign) > SHOWN else ""
        )
        raise StoreError(f"{path} holds what is not from a run ({told}); choose another folder with --out")


def _refuse_taken(path: Path, entries: set[str], advice: str, *, overwrite: bool, resume: bool) -> None:
    if CHECKPOINT in entries:
        if not (resume or overwrite):
            raise StoreError(
                f"{path} holds a run that is not finished; add --resume to go on with it, "
                "--overwrite to start anew, or choose another folder with --out"
            )
    elif entries & set(_list_outputs(path)) and not overwrite:
        what = "a finished run, so there is nothing to resume" if resume else "a finished run"
        raise StoreError(f"{path} holds {what}; {advice}")


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
