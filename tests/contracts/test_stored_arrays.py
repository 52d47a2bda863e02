"""The schema of every method accepts what the method stores, and refuses everything that could crash it."""

import contextlib
import json

import numpy as np
import pytest

import colligate as cg
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import hash_file
from colligate.errors import CancelledError, KnowledgeError, RefusedKnowledgeError, StoreError
from colligate.methods.fit import RunOptions
from colligate.methods.parameters import Choice
from colligate.registry import load_methods
from tests import resealing

ARRAYS = "arrays.npz"


def store_arrays(folder, arrays):
    """Write the arrays of a stored result, and seal the folder again."""
    write_arrays(folder / ARRAYS, arrays)
    files = json.loads((folder / "manifest.json").read_text())["files"]
    resealing.reseal(folder / "manifest.json", files=files | {ARRAYS: hash_file(folder / ARRAYS)})


def list_changes(name, values):
    """Yield arrays that must not be accepted in place of `values`."""
    yield np.repeat(values[None], 2, axis=0)
    if not values.size:
        return
    yield values.astype(values.dtype.newbyteorder(">"))
    yield values.astype(np.float16)
    if values.dtype.kind == "f":
        yield np.full_like(values, np.nan)
    # a number of groups is no position in any array
    elif name != "model/calibration_clusters":
        for number in (5000, -2, 2**31 - 1):
            changed = np.array(values)
            changed.reshape(-1)[0] = number
            yield changed


def test_a_stored_model_is_loaded_as_it_was_and_refused_once_it_is_changed(method, small, tmp_path):
    result = cg.make(method, n_clusters=3, n_init=1, random_state=0).fit(small).result_
    folder = result.save(tmp_path / "run")
    assert np.array_equal(cg.Result.load(folder).predict(small), result.predict(small))
    arrays = read_arrays(folder / ARRAYS)
    for name, values in arrays.items():
        for changed in list_changes(name, values):
            store_arrays(folder, {**arrays, name: changed})
            with pytest.raises(StoreError, match=r"array|label|costs"):
                cg.Result.load(folder)
    for changed in ({**arrays, "model/unheard_of": np.zeros(3)}, _without_model(arrays)):
        store_arrays(folder, changed)
        with pytest.raises(StoreError, match=r"does not belong|lacks"):
            cg.Result.load(folder)


NEED_MORE = {("device", "cuda"), ("outsiders", "rest")}
"""Choices that need a GPU, or documents that are marked."""


def list_choices():
    """List every value of every parameter that is a choice, with its method; encoders need texts."""
    return [
        (name, parameter, value)
        for name, cls in sorted(load_methods().items())
        if not cls.needs
        for parameter, domain in cls.domains.items()
        if isinstance(domain, Choice) and parameter != "embeddings"
        for value in domain.words
        if (parameter, value) not in NEED_MORE
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "parameter", "value"), list_choices())
def test_what_a_method_stores_is_accepted_with_every_choice(name, parameter, value, small, tmp_path):
    result = cg.make(name, n_clusters=3, n_init=1, random_state=0, **{parameter: value}).fit(small).result_
    loaded = cg.Result.load(result.save(tmp_path / "run"))
    assert np.array_equal(loaded.predict(small), result.predict(small))


@pytest.mark.filterwarnings("ignore")
def test_what_a_method_stores_is_accepted_with_every_kind_of_knowledge(method, small, knowledge, tmp_path):
    taken = 0
    for number, (kind, stated) in enumerate(knowledge.items()):
        model = cg.make(method, n_clusters=3, n_init=1, random_state=0)
        try:
            result = model.fit(small, knowledge=stated).result_
        except (RefusedKnowledgeError, KnowledgeError):
            continue
        loaded = cg.Result.load(result.save(tmp_path / f"run{number}"))
        assert np.array_equal(loaded.predict(small), result.predict(small)), kind
        taken += 1
    assert taken or not load_methods()[method].takes


def _without_model(arrays):
    return {name: values for name, values in arrays.items() if not name.startswith("model/")}


@pytest.mark.parametrize("name", sorted(load_methods()))
def test_every_method_has_a_schema(name):
    assert load_methods()[name].model_schema


def make_checkpointed(method, small, path, cancelled=bool):
    model = cg.make(method, n_clusters=3, n_init=2, random_state=0, tol=0.0, max_iter=6)
    return model.fit(small, options=RunOptions(checkpoint=path, checkpoint_interval=0.0, cancelled=cancelled))


@pytest.mark.filterwarnings("ignore::colligate.methods.base.NotConvergedWarning")
def test_a_changed_checkpoint_is_refused_and_a_sound_one_resumed(method, small, tmp_path):
    path = tmp_path / "checkpoint.npz"
    with contextlib.suppress(CancelledError):
        make_checkpointed(method, small, path, path.exists)
    sound, arrays = path.read_bytes(), read_arrays(path)
    assert any("/labels/" in name for name in arrays)
    for name, values in arrays.items():
        changes = [np.repeat(values[None], 2, axis=0)] if name.count("/") > 1 else []
        if "/labels/" in name:
            changes += [
                np.where(np.arange(len(values)) == 0, n, values).astype("i4") for n in (2**31 - 1, -2)
            ]
        for changed in changes:
            write_arrays(path, {**arrays, name: changed})
            with pytest.raises(StoreError, match="damaged"):
                make_checkpointed(method, small, path)
    path.write_bytes(sound)
    resumed = make_checkpointed(method, small, path)
    assert np.array_equal(resumed.labels_, make_checkpointed(method, small, tmp_path / "new.npz").labels_)


@pytest.mark.filterwarnings("ignore")
def test_a_checkpoint_of_other_precision_or_with_more_rows_is_refused_or_resumed(method, small, tmp_path):
    """No array reaches compiled code or scikit-learn in a form that they refuse by errors of their own."""
    path = tmp_path / "checkpoint.npz"
    with contextlib.suppress(CancelledError):
        make_checkpointed(method, small, path, path.exists)
    arrays = read_arrays(path)
    for name, values in arrays.items():
        if name == "meta" or not values.ndim:
            continue
        others = [np.concatenate([values, values])]
        if values.dtype == np.float64:
            others.append(values.astype(np.float32))
        if name.endswith("other_owners"):
            others.append(np.full_like(values, 7))
        for changed in others:
            write_arrays(path, {**arrays, name: changed})
            with contextlib.suppress(StoreError):
                make_checkpointed(method, small, path)


def test_deep_metadata_of_a_checkpoint_is_refused(small, tmp_path):
    path = tmp_path / "checkpoint.npz"
    make_checkpointed("kmeans", small, path)
    arrays = read_arrays(path)
    for depth in (70, 900, 100_000):
        text = arrays["meta"].tobytes()[:-1] + b', "deep": ' + b"[" * depth + b"]" * depth + b"}"
        write_arrays(path, {**arrays, "meta": np.frombuffer(text, np.uint8)})
        with pytest.raises(StoreError, match="nested too deeply"):
            make_checkpointed("kmeans", small, path)
