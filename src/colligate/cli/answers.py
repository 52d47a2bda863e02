"""The file that answers go to: a knowledge file, complete and whole after every one of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.errors import KnowledgeWarning, StoreError
from colligate.files import located
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from colligate.knowledge import Compiled
    from colligate.result import Result

SUFFIX = ".answers.yaml"


def answers_path(run: Path, given: Path | None) -> Path:
    """The file given, or one beside the run, whose folder is for the run alone."""
    if given is not None:
        return located(given)
    folder = located(run).resolve()
    return folder.with_name(folder.name + SUFFIX)


class Answers:
    """What was known when the asking began, and the answers since; the last can be taken back."""

    def __init__(self, path: Path, result: Result) -> None:
        self.path = path
        self.resumed = path.exists()
        self._earlier = _earlier(path, result)
        self._since: list[Knowledge] = []

    def __len__(self) -> int:
        return len(self._since)

    @property
    def n_stand_ins(self) -> int:
        """How many labels came with the answers of this sitting: an answer itself is one statement."""
        return sum(len(part) - 1 for part in self._since)

    @property
    def since(self) -> tuple[Knowledge, ...]:
        """The answers of this sitting; one taken back and another in its place are not the same."""
        return tuple(self._since)

    @property
    def knowledge(self) -> Knowledge:
        """All that is known by now."""
        found = Knowledge(unknown="report", contradictions="report").merge(self._earlier)
        for part in self._since:
            found.merge(part)
        return found

    def compiled(self, result: Result, more: Knowledge | None = None) -> Compiled:
        """All that is known by now, and more where it is given, as numbers."""
        known = self.knowledge if more is None else self.knowledge + more
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            return known.compile(result.network.names)

    def contradicted(self, told: Knowledge, result: Result) -> str:
        """What an answer contradicts; what contradicted itself before may stay."""
        before, after = self.compiled(result), self.compiled(result, told)
        is_new = after.n_contradictions > before.n_contradictions
        return after.contradictions[-1].text if is_new else ""

    def add(self, answer: Knowledge) -> None:
        """Take in an answer, with what comes with it; it is on the disk when this returns."""
        self._since.append(answer)
        self._write()

    def take_back(self) -> bool:
        """Take the last answer back; False if there is none."""
        if not self._since:
            return False
        self._since.pop()
        self._write()
        return True

    def _write(self) -> None:
        if known := self.knowledge:
            known.write(self.path)
        else:
            self.path.unlink(missing_ok=True)


def _earlier(path: Path, result: Result) -> Knowledge:
    """What the file holds; where there is none, what the run was told, so that one file says everything."""
    if path.exists():
        _refuse_comments(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            return Knowledge.read(path, unknown="report", contradictions="report")
    told = Knowledge(unknown="report", contradictions="report")
    return told if result.compiled is None else told.add(*result.compiled.statements.blocks)


def _refuse_comments(path: Path) -> None:
    """The file is written anew with every answer, and comments would be lost."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            raise StoreError(
                f"{path}:{number}: the file has comments, which would be lost; add the answers to another "
                "file with --answers"
            )
