import shutil
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import colligate as cg
from colligate._storage.atomic import hash_file
from colligate.errors import StoreError
from tests import resealing

from .comparison import assert_same


@pytest.fixture
def network():
    return cg.Network.from_edges(
        {
            ("documents", "people"): [("a", "Ada", 0.1), ("b", "Bob", 2.5)],
            ("people", "places"): [("Ada", 3), ("Bob", 0)],
            ("people", "knows", "people"): [("Ada", "Bob")],
            ("places", "places"): [],
        }
    )


def reseal(folder, **changes):
    files = {each.name: hash_file(each) for each in folder.glob("*.parquet")}
    resealing.reseal(folder / "network.json", **({"files": files} | changes))


def test_a_stored_network_is_parquet_that_others_can_read(network, tmp_path):
    network.save(tmp_path / "net")
    assert sorted(path.name for path in (tmp_path / "net").iterdir()) == [
        "network.json",
        "objects-0.parquet",
        "objects-1.parquet",
        *(f"relation-{position}.parquet" for position in range(4)),
    ]
    assert pq.read_table(tmp_path / "net" / "objects-1.parquet").to_pydict() == {"name": ["Ada", "Bob"]}
    assert pq.read_table(tmp_path / "net" / "relation-0.parquet").to_pydict() == {
        "row": [0, 1],
        "column": [0, 1],
        "weight": [0.1, 2.5],
    }
    assert_same(network, cg.Network.load(tmp_path / "net"))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@st.composite
def networks(draw):
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    types = {}
    for position, size in enumerate(sizes):
        names = st.lists(TEXT, min_size=size, max_size=size, unique=True)
        types[f"t{position}"] = cg.ObjectType(f"t{position}", draw(names | st.just(range(size))))
    relations = []
    for number in range(draw(st.integers(0, 3))):
        rows, columns = draw(st.sampled_from(list(types))), draw(st.sampled_from(list(types)))
        shape = len(types[rows]), len(types[columns])
        floats = draw(st.sampled_from([np.float32, np.float64]))
        values = st.just(0.0) | st.floats(2**-20, 1e6, width=32 if floats is np.float32 else 64)
        cells = draw(st.lists(values, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
        matrix = sparse.csr_array(np.array(cells, dtype=floats).reshape(shape))
        whole = draw(st.sampled_from([np.int32, np.int64]))
        matrix.indices, matrix.indptr = matrix.indices.astype(whole), matrix.indptr.astype(whole)
        weight = draw(st.floats(0, 9))
        relations.append(cg.Relation(rows, columns, matrix, weight, f"r{number}"))
    return cg.Network(types, tuple(relations))


@settings(max_examples=50, deadline=None)
@given(networks())
def test_every_network_comes_back_as_it_was(network):
    with tempfile.TemporaryDirectory() as folder:
        network.save(Path(folder) / "net")
        assert_same(network, cg.Network.load(Path(folder) / "net"))


def test_large_indices_stay_large(tmp_path):
    matrix = sparse.csr_array(np.eye(2))
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    network = cg.Network({"x": cg.ObjectType("x", range(2))}, (cg.Relation("x", "x", matrix),))
    assert network.relations[0].matrix.indices.dtype == np.int64
    network.save(tmp_path / "net")
    assert_same(network, cg.Network.load(tmp_path / "net"))


def test_the_same_network_is_stored_in_the_same_bytes(network, tmp_path):
    network.save(tmp_path / "one")
    network.save(tmp_path / "two")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


@pytest.mark.parametrize("name", ["network.json", "objects-0.parquet", "relation-1.parquet"])
def test_every_damaged_or_missing_file_is_named(network, tmp_path, name):
    network.save(tmp_path / "net")
    file, kept = tmp_path / "net" / name, (tmp_path / "net" / name).read_bytes()
    for damaged in (kept[: len(kept) // 2], kept[:-9] + b"x" + kept[-8:], b"", b"[1]"):
        file.write_bytes(damaged)
        with pytest.raises(StoreError, match=file.name):
            cg.Network.load(tmp_path / "net")
    file.unlink()
    with pytest.raises(StoreError, match=f"{file.name} is missing"):
        cg.Network.load(tmp_path / "net")


def test_a_changed_foreign_or_newer_manifest_is_refused(network, tmp_path):
    folder = tmp_path / "net"
    network.save(folder)
    path = folder / "network.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"weight": null', '"weight": 2.0', 1), encoding="utf-8"
    )
    with pytest.raises(StoreError, match=r"network\.json was changed after it was written"):
        cg.Network.load(folder)
    reseal(folder, format_version=9)
    with pytest.raises(StoreError, match=r"network\.json was written by a newer version.*format 9.*upgrade"):
        cg.Network.load(folder)
    path.write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(StoreError, match="does not describe a stored network"):
        cg.Network.load(folder)
    with pytest.raises(StoreError, match="there is no folder"):
        cg.Network.load(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="is not a complete network"):
        cg.Network.load(tmp_path)


def x(**changes):
    return {"name": "x", "singular": "x", "size": 2, "named": False} | changes


def r(**changes):
    return {"rows": "x", "columns": "x", "weight": 1.0, "name": "r", "in_text": False} | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"types": None}, "types must be a list of objects"),
        ({"types": [7]}, "types must be a list of objects"),
        ({"relations": None}, "relations must be a list of objects"),
        ({"types": [{"named": False}]}, "name must be text, but it is missing"),
        ({"types": [x(size=-1)]}, "size must be a whole number"),
        ({"types": [x(size=10**30)], "relations": []}, "network.json is damaged"),
        ({"types": [x(name="\n")], "relations": []}, "name of a type must be one line"),
        ({"types": [x(), x()], "relations": []}, "it lists a type twice"),
        ({"types": [], "relations": []}, "at least one type"),
        ({"types": [x()], "relations": [{}]}, "name must be text, but it is missing"),
        ({"types": [x()], "relations": [r(rows="y")]}, "relation-0.parquet is damaged"),
        ({"types": [x()], "relations": [r(weight=-1.0)]}, "weight of relation r must be finite"),
        ({"types": [x()], "relations": [r(weight="a")]}, "weight must be a number, or null"),
        ({"types": [x(named=True)], "relations": []}, "'objects-0.parquet' does not match the types"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused_by_the_name_of_a_file(network, tmp_path, changes, message):
    network.save(tmp_path / "net")
    for path in (tmp_path / "net").glob("*.parquet"):
        if path.name != "relation-0.parquet" or not changes.get("relations"):
            path.unlink()
    reseal(tmp_path / "net", **changes)
    with pytest.raises(StoreError, match=str(tmp_path)) as caught:
        cg.Network.load(tmp_path / "net")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "columns",
    [
        {"row": [1, 0], "column": [0, 1], "weight": [1.0, 1.0]},
        {"row": [0, 9], "column": [0, 1], "weight": [1.0, 1.0]},
        {"row": [-1, 0], "column": [0, 1], "weight": [1.0, 1.0]},
        {"row": [0, 1], "column": [0, 9], "weight": [1.0, 1.0]},
        {"row": [0, 1], "column": [0, -1], "weight": [1.0, 1.0]},
        {"row": [0, 1], "column": [0, 1], "weight": [1.0, -1.0]},
        {"row": [0, 1], "column": [0, 1], "weight": [1.0, float("nan")]},
        {"row": [0, 1], "column": [0, 1], "weight": ["a", "b"]},
        {"row": [0.5, 1.5], "column": [0, 1], "weight": [1.0, 1.0]},
        {"row": [0, None], "column": [0, 1], "weight": [1.0, 1.0]},
        {"row": [0, 1], "column": [0, 1]},
    ],
)
def test_a_relation_whose_numbers_do_not_fit_is_refused_by_its_file(network, tmp_path, columns):
    network.save(tmp_path / "net")
    pq.write_table(pa.table(columns), tmp_path / "net" / "relation-0.parquet")
    reseal(tmp_path / "net")
    with pytest.raises(StoreError, match=r"relation-0\.parquet is damaged"):
        cg.Network.load(tmp_path / "net")


@pytest.mark.parametrize("names", [["a"], ["a", "a"], [None, "a"], [1, 2]])
def test_names_that_do_not_fit_are_refused_by_their_file(network, tmp_path, names):
    network.save(tmp_path / "net")
    pq.write_table(pa.table({"name": names}), tmp_path / "net" / "objects-0.parquet")
    reseal(tmp_path / "net")
    with pytest.raises(StoreError, match=r"objects-0\.parquet is damaged"):
        cg.Network.load(tmp_path / "net")


def test_files_outside_the_folder_are_never_touched(network, tmp_path):
    network.save(tmp_path / "net")
    (tmp_path / "secret").write_text("keep", encoding="utf-8")
    reseal(tmp_path / "net", files={"../secret": "0"})
    with pytest.raises(
        StoreError, match=r"network\.json lists the file '\.\./secret', which is outside this folder"
    ):
        cg.Network.load(tmp_path / "net")
    with pytest.raises(StoreError, match="choose another folder"):
        network.save(tmp_path / "net", overwrite=True)
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "keep"


def test_an_existing_folder_is_replaced_only_when_allowed_and_only_if_it_is_a_network(network, tmp_path):
    network.save(tmp_path / "net")
    with pytest.raises(StoreError, match="already exists"):
        network.save(tmp_path / "net")
    smaller = cg.Network.from_matrix(np.eye(2))
    smaller.save(tmp_path / "net", overwrite=True)
    assert_same(smaller, cg.Network.load(tmp_path / "net"))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(StoreError, match=r"contains letter.txt, .*choose another folder"):
        smaller.save(tmp_path / "home", overwrite=True)
    assert (tmp_path / "home" / "letter.txt").exists()


def test_nothing_half_written_stays(network, tmp_path, monkeypatch):
    def full_disk(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full_disk)
    with pytest.raises(StoreError, match=r"cannot write .*net: No space left on device"):
        network.save(tmp_path / "net")
    assert not list(tmp_path.iterdir())


def test_a_stored_network_may_be_moved(network, tmp_path):
    network.save(tmp_path / "net")
    shutil.move(tmp_path / "net", tmp_path / "elsewhere")
    assert_same(network, cg.Network.load(tmp_path / "elsewhere"))
