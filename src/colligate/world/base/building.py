"""Building a knowledge base: files in, a folder with a store out, or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.errors import InputError
from colligate.files import located, writing_folder
from colligate.progress import Event, nobody
from colligate.world.base.embedded import EmbeddedBase
from colligate.world.base.loading.files import load_files
from colligate.world.base.manifest import STORE, listed_files, write_manifest

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from colligate.progress import Listener
    from colligate.world.base.interface import Info


def build(
    files: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    listener: Listener = nobody,
) -> Info:
    """Load RDF files and tables into a new folder, and tell how much is in it.

    Nothing half-loaded ever stands under its name. With `overwrite` an older knowledge base is replaced.
    """
    paths = [located(file) for file in files]
    if not paths:
        raise InputError("a knowledge base needs at least one file; got none")
    with writing_folder(located(out), overwrite=overwrite, ours=listed_files) as folder:
        counts = _stored(folder, paths, listener)
        write_manifest(folder, [path.name for path in paths], counts)
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
