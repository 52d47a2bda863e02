"""A knowledge base in an embedded RDF store: building it from files, and opening it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from colligate._storage.atomic import expand_path, write_folder
from colligate._storage.manifest import INTEGER_MAP, OBJECT, STRINGS, Manifest
from colligate.entities.kb.answers import Row, SparqlBase, read_answer
from colligate.entities.kb.endpoint import Cache, EndpointBase
from colligate.entities.kb.load_rdf import load_files
from colligate.entities.kb.sparql import STANDARD, check_complexity
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
DEFAULT_CACHE = Cache()


class EmbeddedBase(SparqlBase):
    """A knowledge base in an RDF store of this process, which is only read."""

    def __init__(
        self, store: Store, *, languages: Iterable[str] = (), vocabulary: Vocabulary = STANDARD
    ) -> None:
        super().__init__(languages, vocabulary)
        self._store = store

    def query(self, sparql: str) -> QueryResult:
        """Return the answer to a query in SPARQL 1.1."""
        check_complexity(sparql)
        with _explain_errors():
            return read_answer(self._store.query(sparql))

    def _rows(self, query: str) -> Iterator[Row]:
        # The store's answer must end in the thread in which it began, so it is read at once.
        return iter(list(self._stream(query)))

    def _all_rows(self, select: Select) -> Iterator[Row]:
        return self._stream(select.text())

    def _stream(self, query: str) -> Iterator[Row]:
        with _explain_errors():
            for solution in cast("QuerySolutions", self._store.query(query)):
                yield tuple([term.value for term in cast("Iterable[NamedNode | Literal]", solution)])


@contextmanager
def _explain_errors() -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise KnowledgeBaseError(f"this is not a query in SPARQL: {error!s:.300}") from error
    except (OSError, RuntimeError) as error:
        raise StoreError(f"the knowledge base cannot be read ({error}); {ADVICE}") from error


def build(
    files: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    listener: Listener = ignore_events,
) -> Info:
    """Load RDF files and tables into a new folder, which appears only when it is complete.

    Parameters
    ----------
    files
        RDF files, and tables of entities, classes or triples.
    out
        The folder to write.
    overwrite
        Replace an older knowledge base in the folder.
    listener
        Receives progress events.

    Returns
    -------
    Info
        The size of the knowledge base.
    """
    paths = [expand_path(file) for file in files]
    if not paths:
        raise InputError("a knowledge base needs at least one file; got none")
    with write_folder(expand_path(out), overwrite=overwrite, owned=MANIFEST.list_files) as folder:
        counts = _build_store(folder, paths, listener)
        MANIFEST.write(folder, {"sources": [path.name for path in paths], "counts": asdict(counts)})
    return counts


def _build_store(folder: Path, paths: Sequence[Path], listener: Listener) -> Info:
    from pyoxigraph import Store

    store = Store(str(folder / STORE))
    load_files(store, paths, listener)
    listener(Event("counting", 0, 1))
    counts = EmbeddedBase(store).info()
    # On disk before the manifest records the sizes of the files.
    store.flush()
    listener(Event("counting", 1, 1))
    return counts


def open_base(
    location: str | os.PathLike[str],
    *,
    languages: Iterable[str] = (),
    vocabulary: Vocabulary = STANDARD,
    cache: Cache | None = DEFAULT_CACHE,
    policy: RequestPolicy | None = None,
    listener: Listener = ignore_events,
) -> KnowledgeBase:
    """Open a knowledge base.

    Parameters
    ----------
    location
        The URL of a SPARQL endpoint, a folder that `build` wrote, or a file, which is loaded into memory.
    languages
        Names in other languages are left out; names without a language always count. All by default.
    vocabulary
        The predicates for names, classes and the hierarchy.
    cache
        Where answers of an endpoint are kept; by default in the user's cache folder, None for nowhere.
    policy
        How an endpoint is queried.
    listener
        Receives progress events.
    """
    if isinstance(location, str) and location.lower().startswith(ADDRESSES):
        return EndpointBase(
            location,
            cache=cache,
            policy=policy,
            languages=languages,
            vocabulary=vocabulary,
            listener=listener,
        )
    return EmbeddedBase(
        _open_store(expand_path(location), listener), languages=languages, vocabulary=vocabulary
    )


def _open_store(path: Path, listener: Listener) -> Store:
    from pyoxigraph import Store

    if path.is_dir():
        MANIFEST.read(path)
        try:
            return Store.read_only(str(path / STORE))
        except (OSError, RuntimeError) as error:
            raise StoreError(f"{path} is damaged and cannot be read ({error}); {ADVICE}") from error
    if not path.exists():
        raise KnowledgeBaseError(f"there is no knowledge base {path}; give a folder, a file or a URL")
    store = Store()
    load_files(store, [path], listener)
    return store
