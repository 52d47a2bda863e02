"""Requests are checked against their models."""

from __future__ import annotations

import pytest

from colligate.studio.server.endpoint import RefusedError
from colligate.studio.server.schema import RunRequest, StatementRequest, UndoRequest, validate


@pytest.mark.parametrize(
    ("body", "model", "match"),
    [
        ([], UndoRequest, "^the request: input should be a valid dictionary"),
        ({"kind": "label"}, StatementRequest, r"^the request\.body: field required$"),
        (
            {"kind": 1, "body": {}},
            StatementRequest,
            r"^the request\.kind: input should be a valid string; got 1$",
        ),
        (
            {"knowledge": "maybe"},
            RunRequest,
            r"^the request\.knowledge: input should be 'on' or 'off'; got 'maybe'",
        ),
        (
            {"n_clusters": True},
            RunRequest,
            r"^the request\.n_clusters: input should be a valid integer; got True",
        ),
        (
            {"n_clusters": None},
            RunRequest,
            r"^the request\.n_clusters: input should be a valid integer; got None",
        ),
        (
            {"n_clusters": "4"},
            RunRequest,
            r"^the request\.n_clusters: input should be a valid integer; got '4'",
        ),
        ({"n_clusters": 10**400}, RunRequest, r"^the request\.n_clusters: .{,200}$"),
        ({"fresh": 1}, RunRequest, r"^the request\.fresh: input should be a valid boolean; got 1$"),
        ({"strange": 1}, RunRequest, r"^the request\.strange: extra inputs are not permitted; got 1$"),
    ],
)
def test_a_body_is_refused_by_the_field_that_is_wrong(body, model, match):
    with pytest.raises(RefusedError, match=match):
        validate(body, model)


def test_handlers_get_the_fields_that_are_set():
    assert validate({"fresh": True, "n_clusters": 3}, RunRequest) == {"fresh": True, "n_clusters": 3}
    assert validate({}, UndoRequest) == {}
