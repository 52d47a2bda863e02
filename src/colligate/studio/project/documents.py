"""The documents of a project as they are stored: a corpus, a network, or both where entities were found."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.corpus import Corpus
from colligate.damage import naming
from colligate.errors import StoreError
from colligate.files import sha256, writing_file
from colligate.network import Network

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

CORPUS, NETWORK, LABELS = "corpus", "network", "labels.json"


def save_documents(documents: Corpus | Network, folder: Path) -> None:
    """Store them in a folder."""
    corpus = documents if isinstance(documents, Corpus) else documents.corpus
    if corpus is not None:
        corpus.save(folder / CORPUS)
    if isinstance(documents, Network):
        documents.save(folder / NETWORK)


def load_documents(folder: Path) -> Network:
    """Load them as a network, which has its corpus where there is one."""
    corpus = Corpus.load(folder / CORPUS) if (folder / CORPUS).is_dir() else None
    if (folder / NETWORK).is_dir():
        return replace(Network.load(folder / NETWORK), corpus=corpus)
    if corpus is None:
        raise StoreError(f"{folder} holds no documents; restore it from a copy, or make the project again")
    return Network.from_corpus(corpus)


def save_labels(labels: Mapping[str, str], folder: Path) -> None:
    """Store known labels by id."""
    with writing_file(folder / LABELS) as temporary:
        temporary.write_text(json.dumps(dict(labels), ensure_ascii=False), encoding="utf-8")


def load_labels(folder: Path, network: Network) -> NDArray[np.str_] | None:
    """The known label of every document, empty where it has none; None where none is known."""
    if not (folder / LABELS).is_file():
        return None
    with naming(folder / LABELS, advice="restore it from a copy, or make the project again"):
        known = json.loads((folder / LABELS).read_text(encoding="utf-8"))
        return np.array([str(known.get(str(name), "")) for name in network.types[network.centre].names])


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of all files of a folder."""
    if path.is_file():
        return sha256(path)
    found = hashlib.sha256()
    for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
        found.update(f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n".encode(errors="replace"))
    return found.hexdigest()
