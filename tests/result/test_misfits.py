"""Documents that fit no group: marked, left out and placed again; tiny groups are reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import colligate as cg
from colligate.errors import ParameterError
from colligate.result.misfits import list_tiny_groups
from colligate.result.report_view import list_warnings

N_TOPICS, N_EACH, N_ODD = 4, 60, 40


@pytest.fixture(scope="module")
def result() -> cg.Result:
    """Four subjects, documents of words of all subjects, and one without a word."""
    rng = np.random.default_rng(0)
    words = [[f"t{topic}w{k}" for k in range(60)] for topic in range(N_TOPICS)]
    everything = [word for of_topic in words for word in of_topic]
    texts = [
        " ".join([*rng.choice(words[topic], 20), *rng.choice(everything, 10)])
        for topic in range(N_TOPICS)
        for _ in range(N_EACH)
    ]
    texts += [" ".join(rng.choice(everything, 30)) for _ in range(N_ODD)]
    corpus = cg.Corpus.from_texts([*texts, "the"], analyser=cg.Analyser(min_df=1))
    method = cg.make("colligate", n_clusters=N_TOPICS, random_state=0, n_ensemble=2, embeddings=None)
    return method.fit(corpus, knowledge=cg.Knowledge().label({str(len(texts)): "odd"})).result_


def test_documents_of_random_words_do_not_fit_and_others_do(result):
    n_subject = N_TOPICS * N_EACH
    assert result.fits[:n_subject].mean() > 0.98
    odd = result.misfit[n_subject : n_subject + N_ODD]
    # the rule is calibrated: a document without a subject is taken for one that fits about once in twenty
    assert (odd <= 0.05).mean() <= 0.2
    assert 0.3 < np.median(odd) < 0.95
    assert np.isnan(result.misfit[-1])


def test_documents_that_fit_nowhere_are_left_out_and_placed_again(result):
    out = result.leave_out()
    labels, before = out.labels["documents"], result.labels["documents"]
    assert set(np.flatnonzero((labels < 0) & (before >= 0))) == set(
        np.flatnonzero((result.misfit > 0.05) & (before >= 0))
    ) - {N_TOPICS * N_EACH + N_ODD - 1}
    assert not out.fits[labels < 0].any()
    assert out.memberships["documents"][labels < 0].max() == 0
    again = out.place_all()
    assert np.array_equal(again.labels["documents"], before)
    assert np.array_equal(again.memberships["documents"], result.memberships["documents"])
    assert again.place_all() is again
    fewer = (out.leave_out(0.5).labels["documents"] < 0).sum()
    assert 1 < fewer < (labels < 0).sum()


def test_a_stored_result_keeps_what_was_left_out(result, tmp_path):
    result.leave_out().save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    assert np.array_equal(loaded.place_all().labels["documents"], result.labels["documents"])


def test_the_table_tells_documents_that_do_not_fit_from_empty_ones(result):
    fits = result.documents.to_arrow().column("fits").to_pylist()
    assert fits[-1] is None
    assert fits[:-1] == result.fits[:-1].tolist()


def test_the_report_says_how_many_do_not_fit(result):
    n_unfit = int((result.misfit > 0.05).sum())
    assert any(
        text.startswith(f"{n_unfit} documents fit no group much better") for text in list_warnings(result)
    )
    texts = list_warnings(result.leave_out())
    assert any(f"{n_unfit - 1} documents fit no group better than random words" in text for text in texts)
    assert not any("outside every group" in text for text in texts)


@pytest.mark.parametrize("level", [0, 1, -0.5, 2])
def test_a_level_that_is_no_share_is_refused(result, level):
    with pytest.raises(ParameterError, match="level must be between 0 and 1"):
        result.leave_out(level)


def test_tiny_groups_are_reported(result):
    assert list_tiny_groups(result) == []
    labels = result.labels["documents"].copy()
    labels[labels == 3] = 0
    labels[5] = 3
    tiny = replace(result, labels={**result.labels, "documents": labels})
    assert list_tiny_groups(tiny) == [3]
    assert any(text.startswith("Group 3 has very few documents") for text in list_warnings(tiny))
