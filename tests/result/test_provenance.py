from __future__ import annotations

from colligate.result import provenance
from colligate.version import __version__


def test_the_versions_of_the_parts_are_told():
    found = provenance.versions()
    assert found["colligate"] == __version__
    assert found["numpy"][0].isdigit()


def test_a_part_that_is_not_there_is_told_as_such(monkeypatch):
    monkeypatch.setattr(provenance, "PARTS", ("no-such-part",))
    assert provenance.versions()["no-such-part"] == "not installed"
