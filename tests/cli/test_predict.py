from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from colligate.corpus import Analyser, Corpus
from colligate.network import Network, ObjectType, Relation
from colligate.registry import make


@pytest.fixture
def new(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("id,text\nn1,orbit nasa moon\nn2,puck goalie ice\nn3,1984\n", encoding="utf-8")
    return path


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_new_documents_find_their_groups(call, run_folder, new):
    done = call("predict", run_folder, new)
    assert done.exit_code == 0, done.output
    found = {row["id"]: row for row in rows(done.stdout)}
    with (run_folder / "documents.csv").open(encoding="utf-8", newline="") as stream:
        known = {row["id"]: row for row in csv.DictReader(stream)}
    assert found["n1"]["cluster"] == known["s0"]["cluster"]
    assert found["n1"]["name"] == known["s0"]["name"]
    assert found["n2"]["cluster"] == known["h0"]["cluster"]
    assert 0 < float(found["n1"]["confidence"]) <= 1
    assert (found["n3"]["cluster"], found["n3"]["name"], found["n3"]["confidence"]) == ("-1", "", "0.0")


def test_the_columns_of_the_run_are_read_again(call, tmp_path):
    posts = ["orbit nasa moon", "nasa moon orbit shuttle", "puck goalie ice", "ice puck hockey"] * 3
    lines = [f"x{number},noise,{post}" for number, post in enumerate(posts)]
    (tmp_path / "docs.csv").write_text("\n".join(["name,text,post", *lines]), encoding="utf-8")
    options = ["--text", "post", "--id", "name", "-k", "2", "--out", tmp_path / "run"]
    assert call("cluster", tmp_path / "docs.csv", *options, "--method", "kmeans").exit_code == 0
    (tmp_path / "new.csv").write_text(
        "name,text,post\nn1,puck,orbit moon\nn2,orbit,puck ice\n", encoding="utf-8"
    )
    done = call("predict", tmp_path / "run", tmp_path / "new.csv")
    assert done.exit_code == 0, done.output
    with (tmp_path / "run" / "documents.csv").open(encoding="utf-8", newline="") as stream:
        known = {row["id"]: row["cluster"] for row in csv.DictReader(stream)}
    assert {row["id"]: row["cluster"] for row in rows(done.stdout)} == {"n1": known["x0"], "n2": known["x2"]}


def test_the_model_folder_will_do_and_a_file_receives_the_same(call, run_folder, new, tmp_path):
    shown = call("predict", run_folder, new).stdout
    done = call("predict", run_folder / "model", new, "--out", tmp_path / "found" / "new.csv")
    assert done.exit_code == 0
    assert done.stdout == ""
    assert rows((tmp_path / "found" / "new.csv").read_text(encoding="utf-8")) == rows(shown)


def test_json(call, run_folder, new, tmp_path):
    found = json.loads(call("predict", run_folder, new, "--json").stdout)
    assert [row["id"] for row in found["predictions"]] == ["n1", "n2", "n3"]
    found = json.loads(call("predict", run_folder, new, "--json", "--out", tmp_path / "o.csv").stdout)
    assert found == {"documents": 3, "out": str(tmp_path / "o.csv"), "warnings": []}


def test_columns_can_be_named(call, run_folder, tmp_path):
    path = tmp_path / "other.tsv"
    path.write_text("name\tsaid\na\torbit nasa\n", encoding="utf-8")
    assert "no text column" in call("predict", run_folder, path).stderr
    done = call("predict", run_folder, path, "--text", "said", "--id", "name")
    assert [row["id"] for row in rows(done.stdout)] == ["a"]


def test_a_truncated_or_tampered_model_is_refused(call, run_folder, new):
    arrays = run_folder / "model" / "arrays.npz"
    whole = arrays.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1])):
        arrays.write_bytes(damaged)
        done = call("predict", run_folder, new)
        assert done.exit_code == 3
        assert "arrays.npz is damaged or was changed" in done.stderr
        assert done.stdout == ""
    arrays.unlink()
    assert "arrays.npz is missing" in call("predict", run_folder, new).stderr
    manifest = run_folder / "model" / "manifest.json"
    arrays.write_bytes(whole)
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace('"colligate"', '"kmeans"'), encoding="utf-8"
    )
    done = call("predict", run_folder, new)
    assert done.exit_code == 3
    assert "manifest.json was changed" in done.stderr


def test_what_is_no_run_is_refused(call, new, tmp_path):
    done = call("predict", tmp_path / "none", new)
    assert done.exit_code == 3
    assert "there is no folder" in done.stderr
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "checkpoint.npz").write_bytes(b"")
    done = call("predict", tmp_path / "half", new)
    assert done.exit_code == 3
    assert "unfinished" in done.stderr


def test_an_output_that_cannot_be_written(call, run_folder, new):
    done = call("predict", run_folder, new, "--out", new / "found.csv")
    assert done.exit_code == 3
    assert done.stderr.startswith(f"error: cannot write {new / 'found.csv'}")


def test_an_existing_file_is_replaced_only_on_demand(call, run_folder, new, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious", encoding="utf-8")
    done = call("predict", run_folder, new, "--out", out)
    assert done.exit_code == 3
    assert f"{out} already exists; add --overwrite to replace it" in done.stderr
    assert out.read_text(encoding="utf-8") == "precious"
    assert call("predict", run_folder, new, "--out", out, "--overwrite").exit_code == 0
    assert [row["id"] for row in rows(out.read_text(encoding="utf-8"))] == ["n1", "n2", "n3"]


def test_the_input_and_the_run_are_never_replaced(call, run_folder, new, tmp_path):
    (tmp_path / "link.csv").symlink_to(new)
    (tmp_path / "hard.csv").hardlink_to(new)
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("orbit", encoding="utf-8")
    places = [
        (new, new),
        (new, tmp_path / "link.csv"),
        (new, tmp_path / "hard.csv"),
        (texts, texts / "a.txt"),
    ]
    places += [(new, run_folder / "model" / "arrays.npz")]
    for given, out in places:
        before = out.read_bytes()
        done = call("predict", run_folder, given, "--out", out, "--overwrite")
        assert done.exit_code == 3
        assert f"{out} is not replaced" in done.stderr
        assert out.read_bytes() == before
    done = call("predict", run_folder, new, "--out", texts, "--overwrite")
    assert done.exit_code == 3
    assert f"{texts} is not a file" in done.stderr


def test_formulas_are_harmless_in_csv_and_untouched_in_json(call, run_folder, tmp_path):
    path = tmp_path / "evil.csv"
    path.write_text("id,text\n=1+1,orbit nasa\n-2,puck\n", encoding="utf-8")
    shown = call("predict", run_folder, path).stdout
    call("predict", run_folder, path, "--out", tmp_path / "o.csv")
    for text in (shown, (tmp_path / "o.csv").read_text(encoding="utf-8")):
        assert [row["id"] for row in rows(text)] == ["'=1+1", "-2"]
    found = json.loads(call("predict", run_folder, path, "--json").stdout)
    assert [row["id"] for row in found["predictions"]] == ["=1+1", "-2"]


def test_words_of_a_users_own_are_told_with_what_can_be_done(call, new, tmp_path):
    corpus = Corpus.from_texts(["orbit moon", "puck ice"] * 3, analyser=Analyser(tokens=str.split))
    make("kmeans", n_clusters=2, random_state=0).fit(corpus).result_.save(tmp_path / "own")
    make("kmeans", n_clusters=2, random_state=0).fit(corpus.counts).result_.save(tmp_path / "matrix")
    for name, why in (("own", "tokens=split"), ("matrix", "made from a matrix")):
        done = call("predict", tmp_path / name, new)
        assert done.exit_code == 1
        assert why in done.stderr
        assert "in Python" in done.stderr
        assert "colligate cluster" in done.stderr
        assert "analyser=" not in done.stderr


def stored(tmp_path, *relations):
    kinds = {kind for relation in relations for kind in relation[:2]}
    sizes = {"documents": 4, "words": 6, "people": 4}
    names = {
        "documents": range(4),
        "words": ["orbit", "nasa", "moon", "puck", "goalie", "ice"],
        "people": range(4),
    }
    types = {kind: ObjectType(kind, names[kind]) for kind in sizes if kind in kinds}
    network = Network(types, tuple(Relation(*relation) for relation in relations))
    model = make("hinc", n_clusters=2, random_state=0).fit(network)
    return model.result_.save(tmp_path / "model")


def test_a_network_with_words_takes_new_texts(call, new, tmp_path):
    words = np.array([[2, 1, 1, 0, 0, 0], [1, 2, 1, 0, 0, 0], [0, 0, 0, 1, 2, 1], [0, 0, 0, 2, 1, 1]])
    run = stored(tmp_path, ("documents", "words", words), ("documents", "people", np.eye(4)))
    done = call("predict", run, new)
    found = rows(done.stdout)
    assert len({row["cluster"] for row in found[:2]}) == 2
    assert found[2]["cluster"] == "-1"
    assert "note: the run used people too, but --mentions is not set" in done.stderr


def test_a_network_without_words_is_told_of(call, new, tmp_path):
    done = call(
        "predict", stored(tmp_path, ("documents", "people", np.kron(np.eye(2), np.ones((2, 2))))), new
    )
    assert done.exit_code == 1
    assert "its documents have people instead of words" in done.stderr
