"""Input that is wrong or odd: refused with a clear message, or taken without harm."""

import numpy as np
import pytest

import colligate as cg

from ..planted_documents import blocks

FAMILY = (
    "nmf",
    "tnmf",
    "cp",
    "cp-links",
    "snmf",
    "csnmf",
    "strinmf",
    "cstrinmf",
    "nmf-triplet",
    "ssnmf",
    "src",
)


def made(name, **parameters):
    return cg.make(name, **{"n_clusters": 3, "random_state": 0, "n_init": 1, **parameters})


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("weighting", ["tfidf", "counts"])
def test_negative_entries_are_refused_even_where_factors_may_be_negative(name, weighting):
    counts, _ = blocks(np.random.default_rng(0))
    counts = counts.astype(float)
    counts[4, 2] = -0.5
    with pytest.raises(cg.errors.MatrixError, match="Negative values in data: row 4, column 2"):
        made(name, weighting=weighting).fit(counts)


@pytest.mark.parametrize("name", FAMILY)
def test_rows_and_columns_of_zeros_are_in_no_group_and_change_nothing(name):
    counts, truth = blocks(np.random.default_rng(1))
    larger = np.zeros((counts.shape[0] + 3, counts.shape[1] + 5), dtype=int)
    larger[: counts.shape[0], 5:] = counts
    result = made(name).fit(larger).result_
    assert set(result.labels["documents"][-3:]) == {-1}
    assert result.evaluate(np.append(truth, [0, 0, 0]), result.labels["documents"] >= 0)["nmi"] > 0.9
    if "words" in result.labels:
        assert set(result.labels["words"][:5]) == {-1}
    assert set(result.predict(larger)[-3:]) == {-1}


@pytest.mark.parametrize("name", ["cp", "cp-links", "cstrinmf"])
def test_a_category_without_any_known_word_stops_or_leaves_its_group_open(name):
    counts, truth = blocks(np.random.default_rng(2))
    for unknown in ("error", "report"):
        knowledge = cg.Knowledge(unknown=unknown)
        knowledge = knowledge.category("a", words=[0, 1]).category("b", words=[900, 901])
        model = made(name, n_word_clusters=4)
        if unknown == "error":
            with pytest.raises(cg.errors.KnowledgeError, match="900"):
                model.fit(counts, knowledge=knowledge)
            continue
        with pytest.warns(cg.errors.KnowledgeWarning):
            result = model.fit(counts, knowledge=knowledge).result_
        assert result.evaluate(truth)["nmi"] > 0.9
        assert result.audit().counts() == {"kept": 2, "broken": 0, "contradicted": 0, "unknown": 2}


def contradicting(mode):
    knowledge = (
        cg.Knowledge(contradictions=mode).together(documents=[(0, 3), (3, 6)]).apart(documents=[(0, 6)])
    )
    return knowledge.together(documents=[(1, 4)])


@pytest.mark.parametrize("name", ["csnmf", "cstrinmf", "ssnmf"])
def test_contradictory_links_stop_or_are_told(name):
    counts, _ = blocks(np.random.default_rng(3))
    with pytest.raises(cg.errors.ContradictionError, match="1 contradiction in the knowledge"):
        made(name).fit(counts, knowledge=contradicting("error"))
    with pytest.warns(cg.errors.KnowledgeWarning, match="contradiction"):
        result = made(name).fit(counts, knowledge=contradicting("report")).result_
    assert result.audit().counts()["contradicted"] == 3
    assert np.all(np.diff(result.history) <= 1e-9 * result.history[0])
