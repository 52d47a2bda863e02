"""The knowledge base inside the process: an RDF store on disk or in memory.

Building a knowledge base: files in, a folder with a store out, or nothing at all.

Opening a knowledge base by whatever names it: an address, a folder that was built, or a file.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from colligate._storage.atomic import expand_path, write_folder
from colligate._storage.manifest import INTEGER_MAP, OBJECT, STRINGS, Manifest
from colligate.entities.kb.answers import Row, SparqlBase, read_answer
from colligate.entities.kb.endpoint import Cache, EndpointBase
from colligate.entities.kb.load_rdf import load_files
from colligate.entities.kb.sparql import STANDARD
from colligate.errors import InputError, KnowledgeBaseError, StoreError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pyoxigraph import Literal, NamedNode, QuerySolutions, Store

    from colligate.entities.kb.base import Info, KnowledgeBase, QueryResult
    from colligate.entities.kb.endpoint import RequestPolicy
    from colligate.entities.kb.sparql import Select, Vocabulary
    from colligate.progress import Listener


STORE = "store"
ADVICE = "build the knowledge base again"
MANIFEST = Manifest(
    name="knowledge_base.json",
    format="colligate-knowledge-base",
    version=2,
    what="knowledge base",
    schema={"sources": STRINGS, "counts": OBJECT, "files": INTEGER_MAP},
    hint="choose the folder that `colligate kb build` wrote",
    advice=ADVICE,
    # the store checks its own files, so sizes find a missing or cut one without reading gigabytes
    measure=lambda path: path.stat().st_size,
    exact=False,
)


ADDRESSES = ("http://", "https://")
USUAL_CACHE = Cache()


class EmbeddedBase(SparqlBase):
    """A knowledge base in a store of this process; it is only ever read here."""

    def __init__(
        self, store: Store, *, languages: Iterable[str] = (), vocabulary: Vocabulary = STANDARD
    ) -> None:
        super().__init__(languages, vocabulary)
        self._store = store

    def query(self, sparql: str) -> QueryResult:
        """The answer to a query in SPARQL 1.1, as it stands."""
        with _readable():
            return read_answer(self._store.query(sparql))

    def _rows(self, query: str) -> Iterator[Row]:
        # an answer of the store must end in the thread in which it began, so it is not handed out
        return iter(list(self._streamed(query)))

    def _all(self, select: Select) -> Iterator[Row]:
        return self._streamed(select.text())

    def _streamed(self, query: str) -> Iterator[Row]:
        with _readable():
            for solution in cast("QuerySolutions", self._store.query(query)):
                yield tuple([term.value for term in cast("Iterable[NamedNode | Literal]", solution)])


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise KnowledgeBaseError(f"this is no query in SPARQL: {error!s:.300}") from error
    except (OSError, RuntimeError) as error:
        raise StoreError(f"the knowledge base cannot be read ({error}); {ADVICE}") from error


def build(
    files: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    listener: Listener = ignore_events,
) -> Info:
    """Load RDF files and tables into a new folder, and tell how much is in it.

    Nothing half-loaded ever stands under its name. With `overwrite` an older knowledge base is replaced.
    """
    paths = [expand_path(file) for file in files]
    if not paths:
        raise InputError("a knowledge base needs at least one file; got none")
    with write_folder(expand_path(out), overwrite=overwrite, owned=MANIFEST.list_files) as folder:
        counts = _stored(folder, paths, listener)
        MANIFEST.write(folder, {"sources": [path.name for path in paths], "counts": asdict(counts)})
    return counts


def _stored(folder: Path, paths: Sequence[Path], listener: Listener) -> Info:
    from pyoxigraph import Store

    store = Store(str(folder / STORE))
    load_files(store, paths, listener)
    listener(Event("counting", 0, 1))
    counts = EmbeddedBase(store).info()
    store.flush()
    listener(Event("counting", 1, 1))
    return counts


def open_base(
    place: str | os.PathLike[str],
    *,
    languages: Iterable[str] = (),
    vocabulary: Vocabulary = STANDARD,
    cache: Cache | None = USUAL_CACHE,
    policy: RequestPolicy | None = None,
    listener: Listener = ignore_events,
) -> KnowledgeBase:
    """Open the SPARQL endpoint at a URL, the knowledge base in a folder, or a file, which is held in memory.

    `languages` such as `["en"]` leaves out names in others; names without a language always count. `cache`
    (the user's own where nothing is said, none with None) and `policy` are for endpoints.
    """
    if isinstance(place, str) and place.lower().startswith(ADDRESSES):
        return EndpointBase(
            place,
            cache=cache,
            policy=policy,
            languages=languages,
            vocabulary=vocabulary,
            listener=listener,
        )
    return EmbeddedBase(_store(expand_path(place), listener), languages=languages, vocabulary=vocabulary)


def _store(path: Path, listener: Listener) -> Store:
    from pyoxigraph import Store

    if path.is_dir():
        return _is_stored(path)
    if not path.exists():
        raise KnowledgeBaseError(f"there is no knowledge base {path}; give a folder, a file or a URL")
    store = Store()
    load_files(store, [path], listener)
    return store


def _is_stored(folder: Path) -> Store:
    from pyoxigraph import Store

    MANIFEST.read(folder)
    try:
        return Store.read_only(str(folder / STORE))
    except (OSError, RuntimeError) as error:
        raise StoreError(f"{folder} is damaged and cannot be read ({error}); {ADVICE}") from error
