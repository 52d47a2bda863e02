from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from colligate._storage.arrays import read_arrays


def header(shape, kind="<f8"):
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def written(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def test_arrays_come_back_as_they_were(tmp_path):
    arrays = {
        "a/b × c": np.arange(6, dtype=np.int32).reshape(2, 3),
        "f": np.asfortranarray(np.eye(3)),
        "none": np.zeros((0, 4), dtype=np.float32),
        "one": np.array(7),
        "flags": np.array([True, False]),
    }
    np.savez(tmp_path / "a.npz", **arrays)
    found = read_arrays(tmp_path / "a.npz")
    assert list(found) == list(arrays)
    for name, values in arrays.items():
        assert found[name].dtype == values.dtype
        assert np.array_equal(found[name], values)


@pytest.mark.parametrize("shape", [(10**12,), (2**40, 2**40), (3,), (1, 1)])
def test_a_claim_beyond_the_file_takes_no_memory(tmp_path, shape):
    path = written(tmp_path / "a.npz", [("a.npy", header(shape) + bytes(16))])
    with pytest.raises(ValueError, match=r"size of 'a\.npy' does not match its shape"):
        read_arrays(path)


def test_compressed_members_are_refused(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", a=np.zeros(10**6))
    with pytest.raises(ValueError, match="is compressed"):
        read_arrays(tmp_path / "a.npz")


def test_members_may_not_share_their_bytes(tmp_path):
    path = tmp_path / "a.npz"
    content = header((1000,)) + bytes(8000)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", content)
        for name in ("b.npy", "c.npy"):
            twin = zipfile.ZipInfo(name)
            first = archive.infolist()[0]
            twin.header_offset, twin.CRC = first.header_offset, first.CRC
            twin.file_size = twin.compress_size = first.file_size
            archive.filelist.append(twin)
    with pytest.raises(ValueError, match="larger than the whole file"):
        read_arrays(path)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ([("a.txt", b"x")], "is not an array"),
        ([("a.npy", header((1,), "|O") + bytes(8))], "pickle"),
        ([("a.npy", header((1,), "<U2") + bytes(8))], "not numbers"),
        ([("a.npy", b"x" * 200)], "magic"),
    ],
)
def test_other_members_are_refused(tmp_path, members, told):
    with pytest.raises(ValueError, match=told):
        read_arrays(written(tmp_path / "a.npz", members))


def test_two_members_of_one_name_are_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate"):
        path = written(tmp_path / "a.npz", [("a.npy", header((1,)) + bytes(8))] * 2)
    with pytest.raises(ValueError, match="same name"):
        read_arrays(path)
