from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from colligate._storage.atomic import hash_file
from colligate.corpus import Analyser, Corpus, store
from colligate.errors import InputError, StoreError
from tests.resealing import reseal


@pytest.fixture
def stored(tmp_path):
    corpus = Corpus.from_texts(["orbit shuttle\norbit", "", "café"], ids=["a", "b/ü", 'c,"d"'])
    corpus.save(tmp_path / "stored")
    return corpus, tmp_path / "stored"


def test_a_stored_corpus_comes_back_exactly(stored):
    corpus, folder = stored
    again = Corpus.load(folder)
    assert again.ids == corpus.ids
    assert again.words == corpus.words
    assert list(again.texts) == list(corpus.texts)
    assert again.analyser == corpus.analyser
    assert again.source == corpus.source
    for part in ("data", "indices", "indptr"):
        ours, theirs = getattr(corpus.counts, part), getattr(again.counts, part)
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)
    assert again.counts.shape == corpus.counts.shape
    assert sorted(path.name for path in folder.iterdir()) == sorted((*store.FILES, store.MANIFEST.name))


def test_saving_twice_writes_the_same_bytes(stored, tmp_path):
    _, folder = stored
    Corpus.load(folder).save(tmp_path / "again")
    for name in (*store.FILES, store.MANIFEST.name):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_corpus_without_texts_and_with_wide_indices(tmp_path):
    counts = sparse.csr_array(np.array([[1, 0], [0, 0]], dtype=np.int32))
    counts.indices = counts.indices.astype(np.int64)
    counts.indptr = counts.indptr.astype(np.int64)
    Corpus(["a", "b"], counts, ["x", "y"], None, Analyser(), "here").save(tmp_path / "c")
    again = Corpus.load(tmp_path / "c")
    assert again.texts is None
    assert again.counts.indices.dtype == np.int64
    assert again.counts.toarray().tolist() == [[1, 0], [0, 0]]


def test_a_callable_is_missed_only_when_new_text_is_counted(tmp_path):
    Corpus.from_texts(["aa bb"], analyser=Analyser(tokens=str.split)).save(tmp_path / "c")
    loaded = Corpus.load(tmp_path / "c")
    with pytest.raises(InputError, match=r"tokens=split.*pass an analyser"):
        Corpus.from_texts(["aa"], like=loaded)
    counted = Corpus.from_texts(["bb bb"], like=loaded, analyser=Analyser(tokens=str.split))
    assert counted.counts.toarray().tolist() == [[0, 2]]


def test_an_existing_folder_is_replaced_only_when_asked(stored):
    corpus, folder = stored
    with pytest.raises(StoreError, match="already exists"):
        corpus.save(folder)
    corpus.save(folder, overwrite=True)
    assert Corpus.load(folder).ids == corpus.ids


@pytest.mark.parametrize("name", [*store.FILES, store.MANIFEST.name])
@pytest.mark.parametrize("harm", ["missing", "truncated", "tampered"])
def test_harm_to_any_file_is_named(stored, name, harm):
    path = stored[1] / name
    content = path.read_bytes()
    if harm == "missing":
        path.unlink()
    elif harm == "truncated":
        path.write_bytes(content[: len(content) // 2])
    else:
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with pytest.raises(StoreError, match=name.replace(".", r"\.")):
        Corpus.load(stored[1])


def test_a_changed_manifest_is_noticed(stored):
    path = stored[1] / store.MANIFEST.name
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"source": "elsewhere"}))
    with pytest.raises(StoreError, match="changed after it was written"):
        Corpus.load(stored[1])


def test_a_newer_format_asks_for_an_upgrade(stored):
    path = stored[1] / store.MANIFEST.name
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"format_version": 9}))
    with pytest.raises(StoreError, match=r"newer version.*upgrade"):
        Corpus.load(stored[1])


@pytest.mark.parametrize("content", ["[]", "{}", "null", '{"format": "x"}'])
def test_a_manifest_of_another_kind(stored, content):
    (stored[1] / store.MANIFEST.name).write_text(content)
    with pytest.raises(StoreError, match="does not describe a stored corpus"):
        Corpus.load(stored[1])


def test_folders_that_are_no_stored_corpus(tmp_path):
    with pytest.raises(StoreError, match=r"there is no folder .*nowhere"):
        Corpus.load(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="not a complete corpus"):
        Corpus.load(tmp_path)


def test_parts_that_do_not_fit_each_other(stored):
    path = stored[1] / store.COUNTS
    np.savez(path, data=np.int32([1]), indices=np.int32([0]), indptr=np.int32([0, 1]), shape=[1, 1])
    _reseal(stored[1])
    with pytest.raises(StoreError, match=r"counts\.npz does not fit"):
        Corpus.load(stored[1])
    np.savez(path, data=np.int32([1]), indices=np.int32([9]), indptr=np.int32([0, 1]), shape=[1, 1])
    _reseal(stored[1])
    with pytest.raises(StoreError, match=r"counts\.npz is damaged"):
        Corpus.load(stored[1])


def test_pickled_arrays_are_never_loaded(stored):
    np.savez(stored[1] / store.COUNTS, data=np.array([{}], dtype=object), allow_pickle=True)
    _reseal(stored[1])
    with pytest.raises(StoreError, match=r"counts\.npz is damaged.*pickle"):
        Corpus.load(stored[1])


def test_only_a_stored_corpus_is_replaced(stored, tmp_path):
    corpus, folder = stored
    (folder / "my_notes.txt").write_text("precious")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "documents.parquet").write_text("precious")
    (tmp_path / "file").write_text("precious")
    for target in (folder, tmp_path / "mine", tmp_path / "file"):
        with pytest.raises(StoreError, match="choose a"):
            corpus.save(target, overwrite=True)
    for kept in (folder / "my_notes.txt", tmp_path / "mine" / "documents.parquet", tmp_path / "file"):
        assert kept.read_text() == "precious"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"files": None}, "files must be an object of texts"),
        ({"files": []}, "files must be an object of texts"),
        ({"files": {"counts.npz": 1}}, "files must be an object of texts"),
        ({"source": 3}, "source must be text"),
        ({"analyser": "abc"}, "analyser must be an object"),
        ({"analyser": {"ngrams": 1}}, r"corpus\.json is damaged"),
    ],
)
def test_a_sealed_manifest_of_another_shape(stored, change, told):
    _reseal(stored[1], **change)
    with pytest.raises(StoreError, match=told):
        Corpus.load(stored[1])


def test_a_manifest_without_hashes(stored):
    reseal(stored[1] / store.MANIFEST.name, remove=["files"])
    with pytest.raises(StoreError, match=r"corpus\.json is damaged: files must be .* missing"):
        Corpus.load(stored[1])


def test_files_that_do_not_belong_there(stored, tmp_path):
    (stored[1] / "extra").write_text("x")
    with pytest.raises(StoreError, match="extra is not a part of the stored corpus"):
        Corpus.load(stored[1])
    (stored[1] / "extra").unlink()
    (tmp_path / "elsewhere").write_bytes((stored[1] / store.WORDS).read_bytes())
    (stored[1] / store.WORDS).unlink()
    (stored[1] / store.WORDS).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match=r"words\.parquet is a symbolic link"):
        Corpus.load(stored[1])


@pytest.mark.parametrize("data", [np.float64([1, 2, 1]), np.int32([1, 2, -1])])
def test_counts_that_are_none(stored, data):
    counts = stored[0].counts
    parts = {"indices": counts.indices, "indptr": counts.indptr, "shape": counts.shape}
    np.savez(stored[1] / store.COUNTS, data=data, **parts)
    _reseal(stored[1])
    with pytest.raises(StoreError, match=r"counts\.npz is damaged.*whole numbers of at least 0"):
        Corpus.load(stored[1])


def test_a_table_that_unfolds_to_more_rows_is_not_read(stored):
    pq.write_table(pa.table({"id": ["a"] * 100_000}), stored[1] / store.DOCUMENTS)
    _reseal(stored[1])
    with pytest.raises(StoreError, match=r"counts\.npz does not fit documents\.parquet"):
        Corpus.load(stored[1])


def test_a_lack_of_memory_is_told_by_the_file(stored, monkeypatch):
    def read(path):
        raise MemoryError

    monkeypatch.setattr(store, "read_arrays", read)
    with pytest.raises(StoreError, match=r"counts\.npz is damaged and cannot be read \(MemoryError"):
        Corpus.load(stored[1])


def test_a_tilde_is_the_home_folder(stored, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    stored[0].save("~/home")
    assert Corpus.load("~/home").ids == stored[0].ids
    assert (tmp_path / "home").is_dir()


def _reseal(folder, **changes):
    files = {name: hash_file(folder / name) for name in store.FILES}
    reseal(folder / store.MANIFEST.name, **({"files": files} | changes))
