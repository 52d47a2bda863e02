"""The smaller parts: identities, the map, the start file, progress, shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import colligate as cg
from colligate import registry
from colligate.errors import InputError, StoreError
from colligate.methods.loop import Progress, Run, Settings, _report
from colligate.methods.start_file import read_start, start_parameters, write_start
from colligate.result.changes import first_identities, next_identities
from colligate.studio.actions.group import assign_to_seeds, split_cluster
from colligate.studio.map import MapLayout, make_layout
from colligate.studio.planning import format_command, make_order
from colligate.studio.project import Project
from colligate.studio.project import Settings as StudioSettings
from colligate.studio.project.runs import RunRecord
from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.schema import RunRequest, StatementRequest, UndoRequest, validate
from colligate.studio.worker.__main__ import read_event

HEAD = '{"format": "colligate-start", "format_version": 1, '


def test_the_largest_group_is_the_first():
    assert first_identities(np.array([1, 1, 0, 2, 2, 2, -1]), 3) == (2, 1, 0)


def test_groups_are_who_they_share_most_documents_with():
    before, after = np.array([0, 0, 0, 1, 1, -1]), np.array([1, 1, 0, 0, 0, 0])
    assert next_identities(before, [7, 4], after, 2, unused=9) == (4, 7)


def test_a_group_that_matches_nobody_or_a_new_one_gets_a_new_number():
    before, after = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])
    assert next_identities(before, [3, -1], after, 3, unused=5) == (3, 5, 6)


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(1)
    blocks = [np.r_[np.full(8, 0.3), np.full(24, 0.02)][(np.arange(32) - 8 * k) % 32] for k in range(4)]
    counts = np.vstack([rng.poisson(blocks[k], (25, 32)) for k in range(4)])
    return (
        cg.make("itcc", n_clusters=4, n_init=1, random_state=0)
        .fit(counts + (counts.sum(1) == 0)[:, None])
        .result_
    )


def test_the_map_stays_when_the_groups_do(result):
    first = make_layout(result, (0, 1, 2, 3))
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    turned = MapLayout(first.documents, first.identities, 0.5 + (first.centres - 0.5) @ turn, first.radii)
    second = make_layout(result, (0, 1, 2, 3), turned)
    assert np.allclose(second.centres, turned.centres)
    assert np.allclose(second.documents, 0.5 + (first.documents - 0.5) @ turn, atol=1e-5)


def test_every_document_has_a_place_and_places_are_stored(result, tmp_path):
    places = make_layout(result, (0, 1, 2, 3))
    assert places.documents.shape == (100, 2)
    assert len(np.unique(places.documents, axis=0)) == 100
    places.save(tmp_path / "1.npz")
    assert np.array_equal(MapLayout.load(tmp_path / "1.npz").documents, places.documents)


def test_a_start_file_reads_back_in_the_order_of_the_objects(tmp_path):
    corpus = cg.Corpus.from_texts(["a cat", "a dog", "a cat dog"], ids=["x", "y", "z"])
    network = cg.Network.from_corpus(corpus)
    path = tmp_path / "start.json"
    write_start(path, network, {"documents": np.array([1, -1, 0]), "words": np.array([0, 1])})
    found = read_start(path, network)
    assert found["documents"].tolist() == [1, -1, 0]
    assert sorted(start_parameters(found, network, registry.find_method("citcc"))) == ["init", "word_init"]
    with pytest.raises(InputError, match="kmeans cannot start from given groups"):
        start_parameters(found, network, registry.find_method("kmeans"))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "is damaged and cannot be read"),
        ("[]", "is not a start file"),
        ('{"format": "colligate-start", "format_version": 2}', "is not a start file"),
        (HEAD + '"groups": {"birds": {}}}', "has groups of 'birds'"),
        (HEAD + '"groups": {"words": {"owl": 0}}}', "names 'owl'"),
        (HEAD + '"groups": {"words": {"cat": "0"}}}', "whole numbers"),
        (HEAD + '"groups": []}', "holds no groups by type"),
    ],
)
def test_a_start_file_with_a_slip_is_refused(tmp_path, text, match):
    network = cg.Network.from_corpus(cg.Corpus.from_texts(["a cat", "a dog", "cat dog"]))
    (tmp_path / "start.json").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, StoreError), match=match):
        read_start(tmp_path / "start.json", network)


def test_the_events_of_the_loop_are_understood():
    told: list[Any] = []
    run = Run(state=None, history=(3.0, 2.5))  # type: ignore[arg-type]
    _report(Settings(0, 5, 10, 0.0, listener=told.append), Progress(0, (1.0,)), run)
    assert read_event(told[0]) == {
        "stage": "clustering",
        "restart": 2,
        "restarts": 5,
        "sweep": 1,
        "objective": 2.5,
    }


def test_a_group_is_divided_by_its_words_and_again_from_its_seeds(result):
    members = np.flatnonzero(np.isin(result.labels["documents"], [0, 1]))
    truth = result.labels["documents"][members]
    found = [part[:10] for part in split_cluster(result.counts, members, 2)]
    parts = assign_to_seeds(result.counts, members, found)
    assert max(np.mean(parts == truth), np.mean(parts != truth)) > 0.85
    with pytest.raises(InputError, match="cannot be split into 4"):
        split_cluster(result.counts, members[:5], 4)


@pytest.mark.parametrize(
    ("body", "model", "match"),
    [
        ([], UndoRequest, "^the body: input should be a valid dictionary"),
        ({"kind": "label"}, StatementRequest, r"^the body\.body: field required$"),
        (
            {"kind": 1, "body": {}},
            StatementRequest,
            r"^the body\.kind: input should be a valid string; got 1$",
        ),
        (
            {"knowledge": "maybe"},
            RunRequest,
            r"^the body\.knowledge: input should be 'on' or 'off'; got 'maybe'",
        ),
        (
            {"n_clusters": True},
            RunRequest,
            r"^the body\.n_clusters: input should be a valid integer; got True",
        ),
        (
            {"n_clusters": None},
            RunRequest,
            r"^the body\.n_clusters: input should be a valid integer; got None",
        ),
        ({"n_clusters": "4"}, RunRequest, r"^the body\.n_clusters: input should be a valid integer; got '4'"),
        ({"n_clusters": 10**400}, RunRequest, r"^the body\.n_clusters: .{,200}$"),
        ({"fresh": 1}, RunRequest, r"^the body\.fresh: input should be a valid boolean; got 1$"),
        ({"strange": 1}, RunRequest, r"^the body\.strange: extra inputs are not permitted; got 1$"),
    ],
)
def test_a_body_is_refused_by_the_field_that_is_wrong(body, model, match):
    with pytest.raises(RefusedError, match=match):
        validate(body, model)


def test_handlers_get_the_fields_that_are_set():
    assert validate({"fresh": True, "n_clusters": 3}, RunRequest) == {"fresh": True, "n_clusters": 3}
    assert validate({}, UndoRequest) == {}


def test_the_command_of_a_run_has_the_options_the_documents_were_read_with(tmp_path):
    settings = StudioSettings(
        "my docs.csv", "", "chinc", 3, reading={"text": ["title", "body"], "kb": "base.nt"}
    )
    corpus = cg.Corpus.from_texts(["a cat", "a dog", "a cat dog"])
    project = Project.create(tmp_path / "project", corpus, settings)
    order = make_order(project, None, {"n_clusters": 2}, 1)
    record = RunRecord(1, order["method"], order["parameters"], 0, None, False, order["knowledge"])
    assert format_command(project, record) == (
        "colligate cluster 'my docs.csv' --method chinc --clusters 2 --seed 0 --text title --text body "
        "--kb base.nt --no-subtypes"
    )
    project.close()
