"""Sources in short: the name of the file in every row, its path once."""

from __future__ import annotations

from colligate.report.render import shorten_sources


def test_files_are_called_by_their_name_and_their_path_is_told_once() -> None:
    found = shorten_sources(["/home/a/k.yaml:2", "/home/a/k.yaml:9", "C:\\data\\links.csv", "code"])
    assert list(found.short.values()) == ["k.yaml:2", "k.yaml:9", "links.csv", "code"]
    assert found.paths == ["/home/a/k.yaml", "C:\\data\\links.csv"]


def test_files_of_one_name_keep_their_paths() -> None:
    found = shorten_sources(["a/k.yaml:2", "b/k.yaml:2"])
    assert list(found.short.values()) == ["a/k.yaml:2", "b/k.yaml:2"]
    assert not found.paths


def test_what_is_no_file_stays_as_it_is() -> None:
    told = ["k.yaml:3", "the north/south list", ""]
    assert list(shorten_sources(told).short.values()) == told
