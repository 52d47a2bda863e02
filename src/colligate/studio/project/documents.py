"""The documents of a project as they are stored: a corpus, a network, or both where entities were found."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from colligate.corpus import Corpus
from colligate.errors import StoreError
from colligate.files import sha256
from colligate.network import Network

if TYPE_CHECKING:
    from pathlib import Path

CORPUS, NETWORK = "corpus", "network"


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


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of all files of a folder."""
    if path.is_file():
        return sha256(path)
    found = hashlib.sha256()
    for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
        found.update(f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n".encode(errors="replace"))
    return found.hexdigest()
