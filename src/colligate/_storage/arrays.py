"""Arrays in npz files. A file may come from anybody: no pickles, and no claim beyond the file's bytes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

from colligate._storage.array_schema import LARGEST_EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO

    from numpy.typing import NDArray

SUFFIX = ".npy"
NUMERIC_KINDS = "biuf"
HEADER_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of numbers to an npz file, in their order."""
    with path.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read what `write_arrays` wrote; raise ValueError for anything else.

    What a member claims is compared with the bytes in the file before any memory is allocated for it.
    """
    with path.open("rb") as stream, ZipFile(stream) as archive:
        members = archive.infolist()
        _check_members(members, path.stat().st_size)
        return {member.filename.removesuffix(SUFFIX): _read_array(archive, member) for member in members}


def _check_members(members: list[ZipInfo], size: int) -> None:
    # ZipFile would silently use the last of two members of one name
    if len({member.filename for member in members}) < len(members):
        raise ValueError("two of its arrays have the same name")
    for member in members:
        if not member.filename.endswith(SUFFIX):
            raise ValueError(f"{member.filename!a:.60} is not an array")
        # compressed data can unfold to any size (a zip bomb)
        if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
            raise ValueError(f"{member.filename!a:.60} is compressed, but Colligate never compresses arrays")
    # members can overlap in the file, which multiplies its size without compression
    if sum(member.file_size for member in members) > size:
        raise ValueError("its arrays would be larger than the whole file")


def _read_array(archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    # the header is checked first: `read_array` allocates whatever it claims
    with archive.open(member) as stream:
        _check_header(stream, member)
    with archive.open(member) as stream:
        array: NDArray[Any] = npy.read_array(stream, allow_pickle=False)
        if stream.read(1):
            raise ValueError(f"{member.filename!a:.60} has extra bytes after its array")
    return array


def _check_header(stream: IO[bytes], member: ZipInfo) -> None:
    version = npy.read_magic(stream)
    if version not in HEADER_READERS:
        raise ValueError(f"{member.filename!a:.60} has npy format {version}, which Colligate never writes")
    shape, _, dtype = HEADER_READERS[version](stream)
    if dtype.hasobject:
        raise ValueError(
            f"{member.filename!a:.60} contains a Python pickle; Colligate does not load pickles, because "
            "they can run code"
        )
    if dtype.kind not in NUMERIC_KINDS:
        raise ValueError(f"{member.filename!a:.60} contains {dtype}, not numbers")
    if 0 in shape and max(map(int, shape)) > LARGEST_EMPTY:
        raise ValueError(f"{member.filename!a:.60} is empty, but claims the shape {shape}")
    # Python's integers cannot overflow
    if prod(map(int, shape)) * dtype.itemsize != member.file_size - stream.tell():
        raise ValueError(f"the size of {member.filename!a:.60} does not match its shape {shape}")
