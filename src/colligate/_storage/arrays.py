"""Reading arrays from an npz file that anybody may have made: no pickles, nothing larger than the file."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from numpy.lib import format as npy

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from numpy.typing import NDArray

SUFFIX = ".npy"
NUMERIC_KINDS = "biuf"
HEADER_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read all arrays, which must be plain numbers as np.savez writes them; ValueError if they are not.

    What a member claims is held against the bytes that are there before any memory is taken for it.
    """
    with path.open("rb") as stream, ZipFile(stream) as archive:
        members = archive.infolist()
        _check_members(members, path.stat().st_size)
        return {member.filename.removesuffix(SUFFIX): _read_array(archive, member) for member in members}


def _check_members(members: list[ZipInfo], size: int) -> None:
    if len({member.filename for member in members}) < len(members):
        raise ValueError("two of its arrays have the same name")
    for member in members:
        if not member.filename.endswith(SUFFIX):
            raise ValueError(f"{member.filename!a:.60} is no array")
        if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
            raise ValueError(f"{member.filename!a:.60} is compressed, which is never written")
    if sum(member.file_size for member in members) > size:
        raise ValueError("its arrays claim to be larger than the file")


def _read_array(archive: ZipFile, member: ZipInfo) -> NDArray[Any]:
    with archive.open(member) as stream:
        _check_header(stream, member)
    with archive.open(member) as stream:
        found: NDArray[Any] = npy.read_array(stream, allow_pickle=False)
        if stream.read(1):
            raise ValueError(f"{member.filename!a:.60} holds more than its array")
    return found


def _check_header(stream: IO[bytes], member: ZipInfo) -> None:
    version = npy.read_magic(stream)
    if version not in HEADER_READERS:
        raise ValueError(f"{member.filename!a:.60} is of npy format {version}, which is never written")
    shape, _, kind = HEADER_READERS[version](stream)
    if kind.hasobject:
        raise ValueError(f"{member.filename!a:.60} holds a pickle, which is never loaded")
    if kind.kind not in NUMERIC_KINDS:
        raise ValueError(f"{member.filename!a:.60} holds {kind}, not numbers")
    # in Python's whole numbers, which cannot overflow
    if prod(map(int, shape)) * kind.itemsize != member.file_size - stream.tell():
        raise ValueError(f"{member.filename!a:.60} claims {shape} numbers, which are not there")
