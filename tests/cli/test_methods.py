from __future__ import annotations

import json

import colligate as cg


def test_every_method_is_listed(call):
    told = call("methods").stdout
    for method in cg.methods():
        assert method.name in told
        assert method.family in told


def test_json(call):
    found = json.loads(call("methods", "--json").stdout)
    assert found["default"] in [method["name"] for method in found["methods"]]
    by_name = {method["name"]: method for method in found["methods"]}
    assert "links:documents" in by_name["citcc"]["takes"]
    assert by_name["itcc"]["takes"] == []
