import numpy as np
import pytest
from scipy.sparse import csr_array

import colligate as cg
from experiments.evaluation import rivals, rivals_tables
from experiments.evaluation.knowledge import LINKED, MORE, OUTSIDE, WORDS, count_rejected, draw_outsiders
from experiments.evaluation.rivals import CORPORA, EXPERIMENT, OURS, TAKERS, key
from experiments.runner.run import run_once
from experiments.runner.store import StoredRuns

CORPUS = CORPORA[0]
LABELS = np.array(["a", "b", "c"]).repeat(40)
PAIRS = [(kind, name) for kind, names in TAKERS.items() for name in names]


@pytest.fixture
def planted(monkeypatch, tmp_path):
    """Three classes of documents with ten words each in place of a corpus; the folder that is never read."""
    means = np.where(np.arange(3).repeat(40)[:, None] == np.arange(3).repeat(10), 1.5, 0.1)
    counts = csr_array(np.random.default_rng(0).poisson(means).astype(np.float64))
    corpus = cg.Corpus.from_counts(counts, [f"w{number}" for number in range(30)])
    monkeypatch.setattr(rivals, "read_network", lambda name, data: (cg.Network.from_corpus(corpus), LABELS))
    return tmp_path


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_every_method_takes_what_it_is_told(planted, kind, name):
    run = run_once(rivals.make_cell(CORPUS, kind, name), planted, 0)
    assert run["nmi"] > 0.8
    assert ("found_outside" in run) == (kind == OUTSIDE)


@pytest.mark.parametrize("kind", [LINKED, MORE, WORDS])
def test_what_a_statement_names_is_not_judged(planted, kind):
    task = rivals.StatementSetting(CORPUS, kind).task(planted, 0)
    ends = {end for one in task.knowledge for end in (one.subject, one.object) if isinstance(end, int)}
    named = set() if kind == WORDS else ends
    assert set(np.flatnonzero(~task.judged)) == named


def test_all_methods_hear_the_same(planted):
    knowledge = [
        list(rivals.make_cell(CORPUS, LINKED, name).setting.task(planted, 3).knowledge)
        for name in TAKERS[LINKED]
    ]
    assert len(knowledge) > 1
    assert all(one == knowledge[0] for one in knowledge)


def test_all_methods_have_as_many_restarts():
    assert {tuple(cell.parameters.values()) for cell in EXPERIMENT.cells} == {(8,)}


def test_outsiders_are_of_one_class_and_a_tenth_is_marked():
    inside, marked = draw_outsiders(LABELS, 0)
    assert len(set(LABELS[~inside])) == 1
    assert len(marked) == 4
    assert not inside[marked].any()


def test_marked_outsiders_are_not_found():
    inside = np.arange(10) < 4
    groups = np.array([0, 0, 0, -1, -1, -1, -1, 1, 1, 1])
    assert count_rejected(groups, inside, np.array([4, 5])) == {"found_outside": 0.25, "lost_inside": 0.25}


def test_the_page_says_where_ours_stands(tmp_path):
    kept = StoredRuns(EXPERIMENT.name, tmp_path)
    for corpus, nmi in zip(CORPORA, (0.9, 0.45, 0.1), strict=True):
        for name in TAKERS[WORDS]:
            for seed, off in enumerate((-0.1, 0.1)):
                value = (nmi if name == OURS else 0.5) + off
                kept.add(
                    key(corpus, WORDS, name), {"seed": seed, "nmi": value, "accuracy": value, "commit": "c"}
                )
    first, second, third = CORPORA
    assert f"by NMI: {first} first, {second} tied, {third} below;" in rivals_tables.compose_ranks(kept, WORDS)
    assert "0.900±0.100 (2)" in "\n".join(rivals_tables.compose_tables(tmp_path))
