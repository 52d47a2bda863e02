"""Concepts of a taxonomy from a table with a row for each."""

from __future__ import annotations

import csv
import gzip
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import expand_path
from colligate.errors import KnowledgeError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COLUMNS = {"id": "id", "label": "label", "broader": "broader", "alternative": "alternative"}
SEVERAL = "|"

Concepts = tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], str]


def read_concepts(path: str | os.PathLike[str], columns: Mapping[str, str]) -> Concepts:
    """The names and the broader concepts of each concept, and what the file is called."""
    file = expand_path(path)
    if strange := sorted(set(columns) - set(COLUMNS)):
        raise KnowledgeError(f"columns= names the columns for {', '.join(COLUMNS)}; got {strange[0]!r:.60}")
    called = COLUMNS | dict(columns)
    names: dict[str, tuple[str, ...]] = {}
    broader: dict[str, tuple[str, ...]] = {}
    for at, row in _rows(file, called):
        id, label = (row[called[role]] for role in ("id", "label"))
        if not id or not label:
            raise KnowledgeError(f"{file}, line {at}: this concept has no {'label' if id else 'id'}")
        if id in names:
            raise KnowledgeError(
                f"{file}, line {at}: concept {id!r} has a row already; put its labels into one"
            )
        names[id] = (label, *_several(row.get(called["alternative"])))
        broader[id] = tuple(_several(row[called["broader"]]))
    _refuse_strangers(file, names, broader)
    return names, broader, file.name


def _rows(path: Path, called: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    if not path.is_file():
        raise KnowledgeError(f"there is no file {path}")
    opener: Any = gzip.open if path.suffix == ".gz" else open
    tabs = path.name.removesuffix(".gz").endswith(".tsv")
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        try:
            reader = csv.DictReader(lines, delimiter="\t" if tabs else ",")
            for role in ("id", "label", "broader"):
                if called[role] not in (reader.fieldnames or ()):
                    raise KnowledgeError(
                        f"{path} has no column {called[role]!r}; name it with columns={{{role!r}: …}}"
                    )
            for row in reader:
                yield reader.line_num, row
        except (UnicodeDecodeError, csv.Error, OSError, EOFError) as error:
            raise KnowledgeError(f"{path} cannot be read as a table: {error}") from None


def _several(cell: str | None) -> list[str]:
    return [part.strip() for part in (cell or "").split(SEVERAL) if part.strip()]


def _refuse_strangers(
    path: Path, names: Mapping[str, object], broader: Mapping[str, tuple[str, ...]]
) -> None:
    for concept, parents in broader.items():
        for parent in parents:
            if parent not in names:
                raise KnowledgeError(f"{path}: concept {concept!r} stands below {parent!r}, which has no row")
