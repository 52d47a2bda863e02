from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from colligate.corpus import Analyser, Corpus, store
from colligate.errors import InputError, StoreError


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
    assert sorted(path.name for path in folder.iterdir()) == sorted((*store.FILES, store.MANIFEST))


def test_saving_twice_writes_the_same_bytes(stored, tmp_path):
    _, folder = stored
    Corpus.load(folder).save(tmp_path / "again")
    for name in (*store.FILES, store.MANIFEST):
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
    with pytest.raises(InputError, match=r"tokens=split.*pass analyser="):
        Corpus.from_texts(["aa"], like=loaded)
    counted = Corpus.from_texts(["bb bb"], like=loaded, analyser=Analyser(tokens=str.split))
    assert counted.counts.toarray().tolist() == [[0, 2]]


def test_an_existing_folder_is_replaced_only_when_asked(stored):
    corpus, folder = stored
    with pytest.raises(StoreError, match="exists already"):
        corpus.save(folder)
    corpus.save(folder, overwrite=True)
    assert Corpus.load(folder).ids == corpus.ids


@pytest.mark.parametrize("name", [*store.FILES, store.MANIFEST])
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
    path = stored[1] / store.MANIFEST
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"source": "elsewhere"}))
    with pytest.raises(StoreError, match="changed after it was written"):
        Corpus.load(stored[1])


def test_a_newer_format_asks_for_an_upgrade(stored):
    path = stored[1] / store.MANIFEST
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"format": store.FORMAT + 1}))
    with pytest.raises(StoreError, match=r"newer Colligate.*upgrade"):
        Corpus.load(stored[1])


@pytest.mark.parametrize("content", ["[]", "{}", "null", '{"format": "x"}'])
def test_a_manifest_of_another_kind(stored, content):
    (stored[1] / store.MANIFEST).write_text(content)
    with pytest.raises(StoreError, match="names no format"):
        Corpus.load(stored[1])


def test_folders_that_are_no_stored_corpus(tmp_path):
    with pytest.raises(StoreError, match=r"there is no folder .*nowhere"):
        Corpus.load(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="not a stored corpus"):
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


def _reseal(folder):
    found = json.loads((folder / store.MANIFEST).read_text())
    found.pop(store.SELF)
    found["sha256"] = {name: store.sha256(folder / name) for name in store.FILES}
    (folder / store.MANIFEST).write_text(json.dumps(found | {store.SELF: store._seal(found)}))
