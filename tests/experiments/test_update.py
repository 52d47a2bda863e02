"""Documents that come later: how a group is judged, which documents are late, and what the page says."""

import numpy as np
import pytest

import colligate as cg
from experiments.evaluation import update
from experiments.evaluation.update import (
    BATCHES,
    UNSEEN,
    Arrival,
    compose_tables,
    describe_bounds,
    key,
    measure_group,
)
from experiments.runner.store import StoredRuns


def test_a_group_is_judged_by_the_documents_of_a_class():
    members, wanted = np.array([1, 1, 1, 1, 0], dtype=bool), np.array([1, 1, 1, 0, 1], dtype=bool)
    assert measure_group(members, wanted) == (0.75, 0.75, 0.75)
    assert measure_group(~members & ~wanted, wanted) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("n_unseen", "n_of_class"), [(None, 60), (20, 20), (0, 0)])
def test_a_tenth_is_late_with_all_documents_of_one_class(monkeypatch, tmp_path, n_unseen, n_of_class):
    classes = np.repeat(["large", "small"], [940, 60])
    documents = cg.Corpus.from_texts([f"word{k % 7}" for k in range(1000)])
    monkeypatch.setattr(update, "read_documents", lambda corpus, data: (documents, classes))
    arrival = Arrival("any", tmp_path, 0, n_unseen=n_unseen)
    late, earlier = classes[arrival.late], classes[arrival.earlier]
    assert arrival.unseen == (None if n_unseen == 0 else "small")
    if n_unseen != 0:
        assert (late == "small").sum() == n_of_class
        assert not (earlier == "small").any()
    assert len(late) == (100 if n_unseen in (None, 0) else 100 - 60 + n_unseen)
    assert not set(arrival.late) & set(arrival.earlier)


def test_the_page_says_how_far_an_update_falls_behind(tmp_path):
    kept = StoredRuns("evaluation.update", tmp_path)
    kept.cells[key("R8", UNSEEN, "update")] = [{"seed": 0, "late_nmi": 0.5}, {"seed": 1, "late_nmi": 0.7}]
    kept.cells[key("R8", UNSEEN, "fit of everything")] = [
        {"seed": 0, "late_nmi": 0.6},
        {"seed": 1, "late_nmi": 0.6},
    ]
    kept.cells[key("R8", BATCHES, "kmeans")] = [{"seed": 0, "nmi": 0.4, "nmi_of_fit": 0.45}]
    text = describe_bounds(kept)
    assert "an update 0.100 (late documents)" in text
    assert "`colligate` in batches 0.000, `kmeans` in batches 0.050" in text
    assert any("0 updates" in part for part in compose_tables(tmp_path))
