from __future__ import annotations

from colligate.result import result
from colligate.version import __version__


def test_the_versions_of_the_parts_are_told():
    found = result.collect_versions()
    assert found["colligate"] == __version__
    assert found["numpy"][0].isdigit()


def test_a_part_that_is_not_there_is_told_as_such(monkeypatch):
    monkeypatch.setattr(result, "DEPENDENCIES", ("no-such-part",))
    assert result.collect_versions()["no-such-part"] == "not installed"
