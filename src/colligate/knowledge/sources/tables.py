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
    """Return the names and the broader concepts of each concept, and the name of the file."""
    file = expand_path(path)
    if strange := sorted(set(columns) - set(COLUMNS)):
        raise KnowledgeError(f"columns= accepts the keys {', '.join(COLUMNS)}; got {strange[0]!r:.60}")
    headers = COLUMNS | dict(columns)
    names: dict[str, tuple[str, ...]] = {}
    broader: dict[str, tuple[str, ...]] = {}
    for line, row in _rows(file, headers):
        id, label = (row[headers[role]] for role in ("id", "label"))
        if not id or not label:
            raise KnowledgeError(
                f"{file}, line {line}: this concept has no {'label' if id else 'id'}; fill it in"
            )
        if id in names:
            raise KnowledgeError(
                f"{file}, line {line}: concept {id!r} already has a row; put all its labels into one row"
            )
        names[id] = (label, *_split_cell(row.get(headers["alternative"])))
        broader[id] = tuple(_split_cell(row[headers["broader"]]))
    _refuse_unknown_parents(file, names, broader)
    return names, broader, file.name


def _rows(path: Path, headers: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    if not path.is_file():
        raise KnowledgeError(f"there is no file {path}; check the path")
    opener: Any = gzip.open if path.suffix == ".gz" else open
    tabs = path.name.removesuffix(".gz").endswith(".tsv")
    with opener(path, "rt", encoding="utf-8-sig", newline="") as lines:
        try:
            reader = csv.DictReader(lines, delimiter="\t" if tabs else ",")
            for role in ("id", "label", "broader"):
                if headers[role] not in (reader.fieldnames or ()):
                    raise KnowledgeError(
                        f"{path} has no column {headers[role]!r}; name it with columns={{{role!r}: …}}"
                    )
            for row in reader:
                yield reader.line_num, row
        except (UnicodeDecodeError, csv.Error, OSError, EOFError) as error:
            raise KnowledgeError(f"{path} cannot be read as a table: {error}") from None


def _split_cell(cell: str | None) -> list[str]:
    return [part.strip() for part in (cell or "").split(SEVERAL) if part.strip()]


def _refuse_unknown_parents(
    path: Path, names: Mapping[str, object], broader: Mapping[str, tuple[str, ...]]
) -> None:
    for concept, parents in broader.items():
        for parent in parents:
            if parent not in names:
                raise KnowledgeError(
                    f"{path}: the parent {parent!r} of concept {concept!r} has no row; add a row for "
                    f"{parent!r}"
                )
