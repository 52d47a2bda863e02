"""Opening a knowledge base by whatever names it: an address, a folder that was built, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.errors import KnowledgeBaseError, StoreError
from colligate.files import located
from colligate.progress import nobody
from colligate.world.base.cache import Cache
from colligate.world.base.embedded import EmbeddedBase
from colligate.world.base.endpoint import EndpointBase
from colligate.world.base.loading.files import load_files
from colligate.world.base.manifest import AGAIN, STORE, read_manifest
from colligate.world.base.vocabulary import USUAL

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from pathlib import Path

    from pyoxigraph import Store

    from colligate.progress import Listener
    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.base.manners import Manners
    from colligate.world.base.vocabulary import Vocabulary

ADDRESSES = ("http://", "https://")
USUAL_CACHE = Cache()


def open_base(
    place: str | os.PathLike[str],
    *,
    languages: Iterable[str] = (),
    vocabulary: Vocabulary = USUAL,
    cache: Cache | None = USUAL_CACHE,
    manners: Manners | None = None,
    listener: Listener = nobody,
) -> KnowledgeBase:
    """Open the SPARQL endpoint at a URL, the knowledge base in a folder, or a file, which is held in memory.

    `languages` such as `["en"]` leaves out names in others; names without a language always count. `cache`
    (the user's own where nothing is said, none with None) and `manners` are for endpoints.
    """
    if isinstance(place, str) and place.lower().startswith(ADDRESSES):
        return EndpointBase(
            place,
            cache=cache,
            manners=manners,
            languages=languages,
            vocabulary=vocabulary,
            listener=listener,
        )
    return EmbeddedBase(_store(located(place), listener), languages=languages, vocabulary=vocabulary)


def _store(path: Path, listener: Listener) -> Store:
    from pyoxigraph import Store

    if path.is_dir():
        return _stored(path)
    if not path.exists():
        raise KnowledgeBaseError(f"there is no knowledge base {path}; give a folder, a file or a URL")
    store = Store()
    load_files(store, [path], listener)
    return store


def _stored(folder: Path) -> Store:
    from pyoxigraph import Store

    read_manifest(folder)
    try:
        return Store.read_only(str(folder / STORE))
    except (OSError, RuntimeError) as error:
        raise StoreError(f"{folder} is damaged and cannot be read ({error}); {AGAIN}") from error
