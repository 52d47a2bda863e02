"""Subjects of very different sizes: when a run is told of them, and when it begins anew for it."""

from __future__ import annotations

import shlex

import pytest

from colligate.studio.planning import format_command


def is_uneven(watched, **request):
    """Make a run; whether it was told of uneven subjects, and whether it went on from present groups."""
    assert watched.run(**request)["status"] == "done"
    record = watched.session.view().record
    told = shlex.split(format_command(watched.session.project, record))
    assert ("uneven_sizes=True" in told) == record.parameters.get("uneven_sizes", False)
    return record.parameters.get("uneven_sizes", False), record.started


def test_it_is_told_once_and_stays_until_it_is_untold(watched):
    assert is_uneven(watched, method="colligate") == (False, False)
    assert is_uneven(watched, uneven_sizes=False) == (False, True)
    assert is_uneven(watched, uneven_sizes=True) == (True, False)
    assert is_uneven(watched) == (True, True)
    assert is_uneven(watched, fresh=True) == (True, False)
    assert is_uneven(watched, uneven_sizes=False) == (False, False)


def test_methods_that_do_not_know_it_are_not_told(watched):
    assert is_uneven(watched, method="colligate", uneven_sizes=True) == (True, False)
    assert is_uneven(watched, method="citcc") == (False, False)


@pytest.mark.parametrize("request_", [{"uneven_sizes": True}, {"uneven_sizes": True, "method": "kmeans"}])
def test_to_ask_it_of_them_is_refused(serving, request_):
    refused = serving.client.send("POST", "/api/runs", request_, 422)
    assert "has no setting for groups of very different sizes" in refused["error"]["what"]
