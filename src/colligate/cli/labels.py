"""Known labels of documents: a table with a column of ids and a column of labels."""

from __future__ import annotations

from pathlib import Path

from colligate.corpus.gather import gather
from colligate.corpus.readers import Wanted, source_of
from colligate.files import located
from colligate.progress import Listener, nobody


def read_labels(
    path: Path, label: str, id: str | None = None, encoding: str | None = None, listener: Listener = nobody
) -> dict[str, str]:
    """Read labels by id; a document whose label is empty has none."""
    found = gather(source_of(located(path), Wanted((label,), id), encoding), listener)
    return {name: known.strip() for name, known in zip(found.ids, found.texts, strict=True) if known.strip()}
