"""Other programs beside ours: what each gets, how it is judged, and that the page says what was stored."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

import colligate as cg
from experiments.comparison import program_fits, programs

TOPICS = ("orbit shuttle moon rocket launch", "goal team match league coach")


@pytest.fixture
def source(tmp_path):
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(TOPICS[k % 2].split(), 7)) for k in range(30)]
    labels = np.array(["space", "sport"])[np.arange(30) % 2]
    programs.write_input(cg.Corpus.from_texts(texts), labels, tmp_path)
    return tmp_path, labels


def test_every_program_has_a_fit_and_a_package():
    assert set(programs.PROGRAMS) == set(program_fits.FITS)
    packages = {program.package for program in programs.PROGRAMS.values()}
    assert packages <= {*programs.PACKAGES, "colligate", "scikit-learn"}


def test_the_script_of_the_programs_needs_numpy_alone():
    tree = ast.parse(Path(program_fits.__file__).read_text(encoding="utf-8"))
    names = [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert {name for name in names if name.partition(".")[0] not in sys.stdlib_module_names} == {"numpy"}


def test_programs_get_ready_vectors_and_no_others(source):
    folder, labels = source
    given = program_fits.Input(folder, 0)
    assert given.n_classes == 2
    assert set(given.seed_words) == set(labels)
    assert np.linalg.norm(given.vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    phrases = [" ".join(words) for words in given.seed_words.values()]
    assert given.encoder.encode(["orbit", *phrases]).shape == (3, given.vectors.shape[1])
    with pytest.raises(KeyError, match="a text that nobody encoded"):
        given.encoder.encode(["a text that nobody encoded"])
    counted = [sorted(words) for words in given.list_words()]
    assert counted == [sorted(text.split()) for text in given.texts]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["colligate, seed words", "scikit-learn, NMF"])
def test_a_program_is_fitted_in_a_process_of_its_own(source, name):
    folder, labels = source
    figures = programs.fit_program(name, Path(sys.executable), folder, labels, 0)
    assert figures["nmi"] == 1.0
    assert (figures["groups"], figures["left_out"]) == (2, 0)
    assert figures["seconds"] > 0


def test_a_program_that_is_not_there_is_reported_with_its_error(source):
    folder, labels = source
    figures = programs.fit_program("Top2Vec", Path(sys.executable), folder, labels, 0)
    assert figures == {"failed": "ModuleNotFoundError: No module named 'top2vec'"}


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback\n  x\nValueError: no rows\n", "ValueError: no rows"),
        (
            "  error: command 'cc' failed\nerror: subprocess-exited\n╰─> guidedlda\n",
            "error: command 'cc' failed",
        ),
        ("one\n\ntwo\n", "two"),
        ("", "no message"),
    ],
)
def test_the_error_of_an_output_is_found(output, line):
    assert programs.find_error(output) == line


def test_documents_that_are_left_out_are_one_more_group():
    labels = np.array([0, 0, 0, 1, 1, 1])
    figures = programs.judge_groups(labels, np.array([0, 0, -1, 1, 1, -1]))
    assert (figures["groups"], figures["left_out"], figures["nmi_placed"]) == (2, 2, 1.0)
    assert figures["accuracy"] == pytest.approx(4 / 6, abs=1e-4)
    assert figures["nmi"] < 1


def test_failed_runs_are_computed_again():
    stored = {"runs": {"tweets": {"EVoC": {"0": {"failed": "x"}, "1": {"nmi": 0.5}}}}}
    assert [programs.is_missing(stored, "tweets", "EVoC", seed) for seed in range(3)] == [True, False, True]


def test_the_page_is_made_of_the_stored_runs():
    stored = programs.read_stored()
    assert programs.PAGE.read_text(encoding="utf-8") == programs.compose_page(stored)
    assert set(stored["packages"]) == {*programs.PACKAGES, "colligate", "scikit-learn"}
    for runs in stored["runs"].values():
        assert set(runs) <= set(programs.PROGRAMS)
