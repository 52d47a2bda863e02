"""What moved between two runs: flows between groups, under the names that groups had, and their documents."""

from __future__ import annotations

import pytest

from colligate.studio.project import Project
from tests.studio.helpers import Serving, copy_project


@pytest.fixture(scope="module")
def merged(finished, tmp_path_factory):
    """A server with a second run, before which one group was called Ice and then merged into another."""
    made = Serving(Project(copy_project(finished, tmp_path_factory.mktemp("changes"))))
    view = made.session.view()
    kept, gone = (int(view.identities[view.row_of[name]]) for name in ("s0", "h0"))
    made.session.record("name", {"group": gone, "name": "Ice"})
    made.session.record("merge", {"groups": [kept, gone]})
    assert made.watched.run()["status"] == "done"
    yield made, kept, gone
    made.close()


def test_a_merged_group_keeps_its_name_in_the_changes(merged):
    serving, kept, gone = merged
    changes = serving.client.get("/api/runs/2/changes?from=1")
    names = {group["group"]: group["short"] for group in changes["before"]}
    assert gone in names
    assert not names[gone].startswith("group ")
    assert set(names) == set(serving.session.view(1).record.identities)
    assert {"source": gone, "target": kept} in [
        {part: flow[part] for part in ("source", "target")} for flow in changes["flow"]
    ]


def test_the_documents_of_a_flow_are_those_that_it_counts(merged):
    serving = merged[0]
    before, after = serving.session.view(1), serving.session.view(2)
    for flow in serving.client.get("/api/runs/2/changes?from=1")["flow"]:
        query = f"from=1&source={flow['source']}&target={flow['target']}"
        answer = serving.client.get(f"/api/runs/2/changes/documents?{query}")
        assert answer["total"] == flow["documents"] == len(answer["documents"])
        assert {int(before.identities[row]) for row in answer["documents"]} == {flow["source"]}
        assert {int(after.identities[row]) for row in answer["documents"]} == {flow["target"]}
        confidence = after.result.confidence[answer["documents"]].tolist()
        assert confidence == sorted(confidence, reverse=True)


@pytest.mark.parametrize("source", ["", "x", "1.5", "--1", "9" * 40, "-"])
def test_a_source_that_is_no_group_is_refused(merged, source):
    client = merged[0].client
    status, _, content = client.ask("GET", f"/api/runs/2/changes/documents?from=1&source={source}&target=0")
    assert status == 422, content
