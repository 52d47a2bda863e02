from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from colligate._storage.atomic import hash_file
from colligate.corpus import Analyser, Corpus
from colligate.errors import StoreError
from colligate.knowledge import Knowledge
from colligate.network import Network, ObjectType, Relation
from colligate.result import Result
from colligate.result.report_view import make_report_view
from colligate.result.store import SCHEMA
from tests import resealing
from tests.result.networks import network, network_result


def knowledge():
    found = Knowledge(unknown="report", contradictions="report")
    found.category("space", words=["orbit", "nasa"], strength=2.0)
    found.together(documents=[("d0", "d1"), ("d2", "d6")], strength=[1.0, 3.0], source="desk")
    found.apart(documents=[("d0", "d5"), ("d0", "d1")])
    found.groups(documents={"north": ["d0", "d3"], "south": ["d7"]}, apart=0.5)
    found.label({"d4": "space", "d8": "nobody's"})
    found.outside(["d10"]).outside(Corpus.from_texts(["cooking with fire"]))
    return found


@pytest.fixture
def full(make_result):
    compiled_names = make_result().network.names
    with pytest.warns(UserWarning, match="contradiction"):
        compiled = knowledge().compile(compiled_names)
    before = np.array([0, 0, 0, 1, 0, 1, 1, 1, 1, 1, -1], dtype=np.int32)
    words = np.arange(12, dtype=np.int32) % 3
    return make_result(
        compiled=compiled,
        statement_costs=np.linspace(0, 1, len(compiled)),
        before={"documents": before},
        word_labels=words,
        group_numbers=(7, 2),
        given_names=("", "On ice"),
    )


def same_arrays(one, other):
    assert list(one) == list(other)
    for name in one:
        assert one[name].dtype == other[name].dtype
        assert np.array_equal(one[name], other[name])


def reseal(folder, **changes):
    resealing.reseal(folder / "manifest.json", **changes)


def test_a_loaded_result_is_the_same_in_everything(full, tmp_path):
    again = Result.load(full.save(tmp_path / "run"))
    for name in ("labels", "memberships", "association", "model", "before"):
        same_arrays(getattr(full, name), getattr(again, name))
    for name in (
        "method",
        "parameters",
        "seed",
        "history",
        "n_iter",
        "converged",
        "restarts",
        "chosen",
        "group_numbers",
        "given_names",
        "versions",
    ):
        assert getattr(full, name) == getattr(again, name), name
    assert np.array_equal(full.statement_costs, again.statement_costs)
    assert np.array_equal(full.predict(full.counts), again.predict(full.counts))
    assert full.why("d0") == again.why("d0")
    assert make_report_view(full) == make_report_view(again)
    assert full.statements.to_arrow() == again.statements.to_arrow()


def test_knowledge_comes_back_as_it_was_compiled(full, tmp_path):
    again = Result.load(full.save(tmp_path / "run"))
    for name in ("subject_index", "object_index", "code", "unknown", "contradicted"):
        assert np.array_equal(getattr(full.compiled, name), getattr(again.compiled, name)), name
    assert list(full.compiled.statements) == list(again.compiled.statements)
    assert full.compiled.contradictions == again.compiled.contradictions
    assert again.compiled.outside_corpora[0].texts[0] == "cooking with fire"
    one, other = full.compiled.guidance["documents"], again.compiled.guidance["documents"]
    assert np.array_equal(one.pairs.strength, other.pairs.strength)
    assert [links.names for links in one.groups] == [links.names for links in other.groups]


def test_knowledge_by_position_comes_back(make_result, tmp_path):
    plain = make_result(with_corpus=False)
    compiled = Knowledge().together(documents=np.array([[0, 1], [2, 7]])).compile(plain.network.names)
    again = Result.load(make_result(with_corpus=False, compiled=compiled).save(tmp_path / "run"))
    assert list(again.compiled.statements) == list(compiled.statements)
    assert isinstance(again.network.types["documents"].names, range)
    assert again.corpus is None


def test_knowledge_without_statements_comes_back(make_result, tmp_path):
    compiled = Knowledge().compile(make_result().network.names)
    again = Result.load(make_result(compiled=compiled).save(tmp_path / "run"))
    assert len(again.audit()) == 0


def test_a_network_beyond_its_corpus_is_stored_whole(make_result, tmp_path):
    plain = make_result()
    places = sparse.csr_array(np.ones((11, 2)) / 3)
    types = {**plain.network.types, "places": ObjectType("places", ["Rome", "Lima"])}
    network = Network(types, (*plain.network.relations, Relation("documents", "places", places, 0.25)))
    again = Result.load(make_result(network=network).save(tmp_path / "run"))
    assert list(again.network.types["places"].names) == ["Rome", "Lima"]
    found = again.network.relations[1]
    assert (found.name, found.weight) == ("documents × places", 0.25)
    assert np.array_equal(found.matrix.toarray(), places.toarray())


def test_a_network_that_is_its_corpus_is_not_stored_twice(result, tmp_path):
    assert not (result.save(tmp_path / "run") / "network").exists()


def test_an_analyser_of_the_users_own_is_given_again(make_result, tmp_path):
    def split(text):
        return text.split()

    corpus = Corpus.from_texts(["nasa orbit", "puck goal"], analyser=Analyser(tokens=split))
    template = make_result([0, 1], texts=["nasa orbit", "puck goal"])
    place = [template.corpus.words.index(word) for word in corpus.words]
    made = make_result(
        [0, 1],
        texts=["nasa orbit", "puck goal"],
        corpus=corpus,
        network=Network.from_corpus(corpus),
        model={"log_words": template.model["log_words"][place]},
    )
    folder = made.save(tmp_path / "run")
    with pytest.raises(ValueError, match="pass analyser="):
        Result.load(folder).predict(["orbit"])
    assert Result.load(folder, analyser=Analyser(tokens=split)).predict(["orbit"]).tolist() == [0]


def test_an_existing_folder_is_replaced_only_when_allowed(result, make_result, tmp_path):
    folder = result.save(tmp_path / "run")
    with pytest.raises(StoreError, match="already exists"):
        result.save(folder)
    make_result(seed=99).save(folder, overwrite=True)
    assert Result.load(folder).seed == 99
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_folder_of_something_else_is_never_replaced(result, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(
        StoreError, match=r"home is not replaced, because it contains letter\.txt.*choose another folder"
    ):
        result.save(tmp_path / "home", overwrite=True)
    assert (tmp_path / "home" / "letter.txt").exists()


def test_what_a_user_put_beside_a_stored_result_stays(result, tmp_path):
    folder = result.save(tmp_path / "run")
    for place in (folder / "my_notes.txt", folder / "corpus" / "my_notes.txt"):
        place.write_text("precious", encoding="utf-8")
        with pytest.raises(StoreError, match=r"run is not replaced, because it contains .*my_notes\.txt"):
            result.save(folder, overwrite=True)
        assert place.read_text(encoding="utf-8") == "precious"
        place.unlink()
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    with pytest.raises(StoreError, match="file is a file"):
        result.save(tmp_path / "file", overwrite=True)


def test_a_result_with_everything_can_be_replaced(full, result, tmp_path):
    folder = full.save(tmp_path / "run")
    result.save(folder, overwrite=True)
    assert Result.load(folder).compiled is None
    assert not (folder / "knowledge.parquet").exists()


def test_nothing_half_written_stays(result, tmp_path, monkeypatch):
    def full_disk(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(StoreError, match=r"cannot write .*run: No space left on device"):
        result.save(tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_a_target_that_cannot_be_written_is_named(result, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot write .*run"):
        result.save(tmp_path / "file" / "run")


def test_a_parameter_without_open_form_is_refused(make_result, tmp_path):
    with pytest.raises(StoreError, match=r"the result cannot be stored: JSON cannot store object"):
        make_result(parameters={"start": object()}).save(tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_parameters_of_numpy_are_stored_as_numbers(make_result, tmp_path):
    folder = make_result(parameters={"n_clusters": np.int64(3), "start": np.arange(2)}).save(tmp_path / "run")
    assert dict(Result.load(folder).parameters) == {"n_clusters": 3, "start": [0, 1]}


@pytest.mark.parametrize(
    "name",
    ["arrays.npz", "knowledge.parquet", "corpus/counts.npz", "corpus/documents.parquet", "manifest.json"],
)
def test_every_damaged_or_missing_file_is_named(full, tmp_path, name):
    folder = full.save(tmp_path / "run")
    file, kept = folder / name, (folder / name).read_bytes()
    for damaged in (kept[: len(kept) // 2], kept[:-9] + b"x" + kept[-8:], b""):
        file.write_bytes(damaged)
        with pytest.raises(StoreError, match=file.name):
            Result.load(folder)
    file.unlink()
    with pytest.raises(StoreError, match=f"{file.name} is missing"):
        Result.load(folder)


def test_a_changed_manifest_is_refused(result, tmp_path):
    folder = result.save(tmp_path / "run")
    path = folder / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"seed": 7', '"seed": 8'), encoding="utf-8")
    with pytest.raises(StoreError, match=r"manifest.json was changed after it was written"):
        Result.load(folder)


def test_foreign_and_newer_folders_are_refused(result, tmp_path):
    with pytest.raises(StoreError, match="there is no folder"):
        Result.load(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="is not a complete result"):
        Result.load(tmp_path)
    folder = result.save(tmp_path / "run")
    reseal(folder, format_version=9)
    with pytest.raises(StoreError, match=r"newer version.*upgrade"):
        Result.load(folder)
    for foreign in ('{"format": "other"}', "[1]"):
        (folder / "manifest.json").write_text(foreign, encoding="utf-8")
        with pytest.raises(StoreError, match="does not describe a stored result"):
            Result.load(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"network": {}},
        {"history": None},
        {"before": True, "files": {}, "corpus": False},
        {"files": {"../x": "0"}},
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(result, tmp_path, changes):
    folder = result.save(tmp_path / "run")
    reseal(folder, **changes)
    with pytest.raises(StoreError, match=str(tmp_path)):
        Result.load(folder)


def test_arrays_that_hold_objects_are_never_unpickled(result, tmp_path):
    folder = result.save(tmp_path / "run")
    evil = np.empty(1, dtype=object)
    np.savez(folder / "arrays.npz", **{"model/log_words": evil})
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    digest = hashlib.sha256((folder / "arrays.npz").read_bytes()).hexdigest()
    reseal(folder, files=files | {"arrays.npz": digest})
    with pytest.raises(StoreError, match=r"arrays\.npz is damaged.*pickle"):
        Result.load(folder)


def rewrite_arrays(folder, **changes):
    with np.load(folder / "arrays.npz") as stored:
        arrays = dict(stored) | changes
    np.savez(folder / "arrays.npz", **{name: values for name, values in arrays.items() if values is not None})
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    reseal(folder, files=files | {"arrays.npz": hash_file(folder / "arrays.npz")})


@pytest.mark.parametrize(
    "changes",
    [
        {"method": np.array([1])},
        {"labels": np.array([1])},
        {"evil/x": np.array([1])},
        {"statement_costs": None},
        {"statement_costs": np.ones(3)},
        {"labels/documents": np.ones(3)},
        {"memberships/documents": np.ones(11)},
    ],
)
def test_arrays_that_are_not_those_of_a_result(result, tmp_path, changes):
    folder = result.save(tmp_path / "run")
    rewrite_arrays(folder, **changes)
    with pytest.raises(StoreError, match=str(folder)):
        Result.load(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"files": None}, "files must be an object of texts"),
        ({"files": []}, "files must be an object of texts"),
        ({"files": {"arrays.npz": 3}}, "files must be an object of texts"),
        ({"history": "abc"}, "history must be a list of numbers; got 'abc'"),
        ({"history": ["a"]}, "history must be a list of numbers"),
        ({"restarts": {}}, "restarts must be a list of numbers"),
        ({"n_iter": True}, "n_iter must be a whole number"),
        ({"n_iter": -1}, "n_iter must be a whole number"),
        ({"chosen": 2}, "restart 2 of 2 was chosen"),
        ({"converged": 1}, "converged must be true or false"),
        ({"seed": "7"}, "seed must be a whole number, or null"),
        ({"parameters": [1]}, "parameters must be an object"),
        ({"versions": {"numpy": 2}}, "versions must be an object of texts"),
        ({"network": 3}, "network must be an object"),
        ({"corpus": "yes"}, "corpus must be true or false"),
        ({"knowledge": [1]}, "knowledge must be an object, or null"),
        ({"knowledge": {}}, "blocks must be a list of objects"),
        ({"knowledge": {"blocks": [{}], "n_groups": {}}}, "kind must be text"),
        ({"method": 5}, "method must be text"),
        ({"group_numbers": [0, "1"]}, "group_numbers must be a list of whole numbers"),
        ({"group_numbers": [3, 3]}, "numbers of the 2 groups must be different"),
        ({"group_numbers": [0, 1, 1]}, "numbers of the 2 groups must be different"),
        ({"given_names": ["ice", "ice"]}, "names of the 2 groups must be different"),
    ],
)
def test_a_sealed_manifest_of_another_shape_is_refused(result, tmp_path, changes, told):
    folder = result.save(tmp_path / "run")
    reseal(folder, **changes)
    with pytest.raises(StoreError, match=told):
        Result.load(folder)


def test_a_sealed_manifest_without_its_parts_is_refused(result, tmp_path):
    folder = result.save(tmp_path / "run")
    kept = (folder / "manifest.json").read_text(encoding="utf-8")
    for name in SCHEMA:
        (folder / "manifest.json").write_text(kept, encoding="utf-8")
        resealing.reseal(folder / "manifest.json", remove=[name])
        with pytest.raises(StoreError, match=rf"manifest\.json is damaged: {name} must be .* is missing"):
            Result.load(folder)


@pytest.mark.parametrize(
    "change", [{"rows": 99}, {"rows": -1}, {"columns": ["code"]}, {"kind": "evil"}, {"names": "abc"}]
)
def test_statements_that_do_not_fit_are_refused(full, tmp_path, change):
    folder = full.save(tmp_path / "run")
    blocks = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["knowledge"]["blocks"]
    reseal(folder, knowledge={"blocks": [blocks[0] | change, *blocks[1:]], "n_groups": {}})
    with pytest.raises(StoreError):
        Result.load(folder)


@pytest.mark.parametrize(
    ("name", "value"), [("subject", 5), ("code", "x"), ("strength", True), ("line", 0.5)]
)
def test_statements_of_another_type_are_refused(full, tmp_path, name, value):
    folder = full.save(tmp_path / "run")
    path = folder / "knowledge.parquet"
    table = pq.read_table(path)
    column = pa.array([value] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index(name), name, column), path)
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for block in content["knowledge"]["blocks"]:
        block["columns"] = sorted({*block["columns"], name})
    files = content["files"] | {"knowledge.parquet": hash_file(path)}
    reseal(folder, files=files, knowledge=content["knowledge"])
    with pytest.raises(StoreError, match=f"the column '{name}' of the statements contains"):
        Result.load(folder)


def test_a_method_that_is_not_there_is_told(result, tmp_path, monkeypatch):
    folder = result.save(tmp_path / "run")
    monkeypatch.undo()
    with pytest.raises(StoreError, match=r"manifest\.json was made by a method .* there is no method 'fake'"):
        Result.load(folder)


def test_files_outside_the_folder_are_never_opened(result, tmp_path):
    folder = result.save(tmp_path / "run")
    (tmp_path / "secret").write_text("of the user", encoding="utf-8")
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    reseal(folder, files=files | {"../secret": hash_file(tmp_path / "secret")})
    with pytest.raises(StoreError, match=r"lists the file '\.\./secret', which is outside this folder"):
        Result.load(folder)
    reseal(folder, files=files)
    (folder / "arrays.npz").rename(tmp_path / "arrays.npz")
    (folder / "arrays.npz").symlink_to(tmp_path / "arrays.npz")
    with pytest.raises(StoreError, match=r"arrays\.npz is a symbolic link"):
        Result.load(folder)


def test_a_file_too_many_is_named(result, tmp_path):
    folder = result.save(tmp_path / "run")
    (folder / "corpus" / "extra").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match=r"corpus/extra is not a part of the stored result"):
        Result.load(folder)


def test_a_tilde_is_the_home_folder(result, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert result.save("~/run") == tmp_path / "run"
    assert Result.load("~/run").seed == result.seed
    assert result.report("~/report.html") == tmp_path / "report.html"
    assert all(path.parent == tmp_path / "tables" for path in result.write_tables("~/tables"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "run", "tables"]


def test_a_stored_result_may_be_moved(result, tmp_path):
    folder = result.save(tmp_path / "run")
    shutil.move(folder, tmp_path / "elsewhere")
    assert Result.load(tmp_path / "elsewhere").group_names == result.group_names


def test_a_damaged_network_of_a_result_is_named(make_result, tmp_path):
    folder = make_result(with_corpus=False).save(tmp_path / "run")
    file = folder / "network" / "relation-0.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(StoreError, match=r"relation-0\.parquet is damaged"):
        Result.load(folder)


def test_a_result_of_a_network_survives_with_everything_it_tells(tmp_path, fake_method):
    knowledge = Knowledge().together(people=[("Ann", "Bo")]).compile(network().names)
    result = network_result(compiled=knowledge)
    again = Result.load(result.save(tmp_path / "run"))
    assert [relation.weight for relation in again.network.relations] == [0.5, 0.3, 0.1, 0.1]
    assert again.groups_of("people") == result.groups_of("people")
    assert again.top_objects("cities") == result.top_objects("cities")
    assert again.why("p2") == result.why("p2")
    for one, other in zip(again.contributions(), result.contributions(), strict=True):
        assert {kind: own.tolist() for kind, own in one.by_group.items()} == {
            kind: own.tolist() for kind, own in other.by_group.items()
        }
    assert again.predict({"people": np.eye(4)}).tolist() == result.predict({"people": np.eye(4)}).tolist()
    assert again.link_satisfaction("people") == {"together": 1.0}


def test_types_of_any_name_survive(tmp_path, fake_method):
    names = ("../papers", "a/b", "labels")
    types = {name: ObjectType(name, range(2)) for name in names}
    relations = (Relation(names[0], names[1], np.eye(2)), Relation(names[0], names[2], np.eye(2)))
    result = network_result(Network(types, relations), {name: [0, 1] for name in names})
    again = Result.load(result.save(tmp_path / "run"))
    assert {name: found.tolist() for name, found in again.labels.items()} == {name: [0, 1] for name in names}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_the_weight_of_the_one_relation_of_a_corpus_survives_without_a_copy_of_it(make_result, tmp_path):
    plain = make_result()
    weighted = (dataclasses.replace(plain.network.relations[0], weight=0.5),)
    folder = make_result(network=Network(plain.network.types, weighted)).save(tmp_path / "run")
    assert not (folder / "network").exists()
    assert Result.load(folder).network.relations[0].weight == 0.5
    assert Result.load(plain.save(tmp_path / "plain")).network.relations[0].weight is None
