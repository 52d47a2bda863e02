import gzip

import pytest

from experiments.knowledge_bases import BASES, SOURCES, list_sources
from experiments.linked_news import base_folder
from experiments.runner.experiment import load_experiment
from experiments.runner.run import missing_files


def folder(path, triples="head\trelation\ttail\n"):
    path.mkdir()
    for name in list_sources("figer"):
        (path / name).write_bytes(gzip.compress(triples.encode(), mtime=0))
    return path


def test_a_base_of_other_files_is_kept_elsewhere(tmp_path):
    first = base_folder("figer", folder(tmp_path / "first"))
    assert base_folder("figer", folder(tmp_path / "copy")) == first
    assert base_folder("figer", folder(tmp_path / "other", "head\trelation\ttail\na\tb\tc\n")) != first


@pytest.mark.parametrize(
    ("name", "bases"),
    [
        ("paper003", ("freebase", "yago")),
        ("paper003_entities", ("freebase", "figer", "yago", "dbpedia")),
        ("paper003_figures", ("freebase", "yago")),
        ("paper003_filters", ("freebase",)),
        ("paper003_reasons", ("freebase",)),
        ("paper001_names", ("freebase",)),
        ("paper001_reasons", ("freebase",)),
        ("sets", ("freebase", "yago")),
    ],
)
def test_an_experiment_names_all_files_of_its_bases(tmp_path, name, bases):
    assert set(list_sources(*bases)) <= set(missing_files(load_experiment(name), tmp_path))


def rows(base, data):
    """All rows of all tables that a base is made of."""
    return [row for content in BASES[base](data).values() for row in content]


@pytest.mark.parametrize("base", BASES)
def test_the_files_of_a_base_are_those_that_it_reads(tmp_path, base):
    """With all of them it can be read; without any one it cannot."""
    for name in SOURCES[base]:
        (tmp_path / name).write_bytes(gzip.compress(b""))
    assert rows(base, tmp_path) == []
    for name in SOURCES[base]:
        (tmp_path / name).rename(tmp_path / "away")
        with pytest.raises((FileNotFoundError, SystemExit)):
            rows(base, tmp_path)
        (tmp_path / "away").rename(tmp_path / name)
