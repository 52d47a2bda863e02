"""A stored result names the encoder of its vectors, but cannot make the program load it."""

import json

import numpy as np
import pytest

import colligate as cg
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import hash_file
from colligate.corpus import encoders
from colligate.errors import InputError, MissingEncoderWarning, StoreError
from tests import resealing

NAME = "sentence-transformers:/evil/folder"
TEXTS = [f"{topic} {word}" for topic in ("orbit moon", "puck ice") for word in "abcdefgh"]


class Encoder:
    """Turns a text into a vector by its first letter."""

    def encode(self, texts):
        return np.array([[1.0, 0.0] if text.startswith("o") else [0.0, 1.0] for text in texts])


@pytest.fixture
def folder(tmp_path):
    """A stored result whose vectors claim to be from a model of another package."""
    model = cg.make("colligate", n_clusters=2, n_init=1, random_state=0, embeddings=[Encoder(), "auto"])
    path = model.fit(TEXTS).result_.save(tmp_path / "run")
    arrays = read_arrays(path / "arrays.npz")
    key = next(name for name in arrays if name.endswith("_source"))
    source = json.loads(arrays[key].tobytes()) | {
        "kind": "name",
        "name": "sentence-transformers:/evil/folder",
    }
    store(path, arrays | {key: np.frombuffer(json.dumps(source).encode(), np.uint8)})
    content = json.loads((path / "manifest.json").read_text())
    parameters = content["parameters"] | {"embeddings": NAME}
    resealing.reseal(path / "manifest.json", parameters=parameters)
    return path


def store(path, arrays):
    write_arrays(path / "arrays.npz", arrays)
    files = json.loads((path / "manifest.json").read_text())["files"]
    resealing.reseal(path / "manifest.json", files=files | {"arrays.npz": hash_file(path / "arrays.npz")})


@pytest.fixture(autouse=True)
def _no_loading(monkeypatch):
    load = encoders.load_encoder

    def refuse(name):
        # the models that come with packages of the installation are nobody else's
        if name in encoders.MODELS:
            return load(name)
        raise AssertionError(f"{name} was loaded")

    monkeypatch.setattr(encoders, "load_encoder", refuse)


def test_predict_does_not_load_what_a_stored_result_names(folder):
    result = cg.Result.load(folder)
    with pytest.warns(MissingEncoderWarning, match="/evil/folder, which is not stored"):
        result.predict(["orbit a"])


def test_update_does_not_load_what_a_stored_result_names(folder):
    with pytest.raises(InputError, match="loading a model can run code"):
        cg.Result.load(folder).update(["orbit a"])


def test_a_model_that_the_user_named_is_used(monkeypatch):
    monkeypatch.setattr(encoders, "_LOADED_NAMES", {"model2vec:mine"})
    assert encoders.is_trusted_name("model2vec:mine")
    assert not encoders.is_trusted_name("model2vec:other")


@pytest.mark.parametrize("text", ["[]", "{}", '{"kind": 1}', "[" * 5000, '{"kind": "name", "name": null}'])
def test_a_source_that_is_none_is_refused(folder, text):
    arrays = read_arrays(folder / "arrays.npz")
    key = next(name for name in arrays if name.endswith("_source"))
    store(folder, arrays | {key: np.frombuffer(text.encode(), np.uint8)})
    with pytest.raises(StoreError, match="source of vectors"):
        cg.Result.load(folder)
