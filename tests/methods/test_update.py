"""Documents that come later: where they go, which groups are new, and what stays."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.corpus.join import join_corpora
from colligate.errors import CorpusError, InputError, MatrixError
from colligate.methods.new_groups import find_new_groups, measure_likeness
from tests.studio.helpers import COMMON, TOPICS

PER_TOPIC = 40
LATER = "violin cello orchestra sonata concerto opera symphony quartet pianist chord melody tempo"


def draw_texts(words, number, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join([*rng.choice(words.split(), 9), *rng.choice(COMMON.split(), 5)]) for _ in range(number)]


def draw_late(seed=1, number=5):
    """A few documents of each topic, in the order of the topics."""
    return [text for words in TOPICS.values() for text in draw_texts(words, number, seed)]


@pytest.fixture(scope="module")
def result():
    texts = [text for words in TOPICS.values() for text in draw_texts(words, PER_TOPIC)]
    ids = [f"{topic} {k}" for topic in TOPICS for k in range(PER_TOPIC)]
    corpus = cg.Corpus.from_texts(texts, ids, columns={"topic": [id.split()[0] for id in ids]})
    first = ids[0]
    knowledge = cg.Knowledge().label({first: "Sky"})
    fitted = cg.make("colligate", n_clusters=4, random_state=0).fit(corpus, knowledge=knowledge).result_
    assert fitted.evaluate(np.repeat(np.arange(4), PER_TOPIC))["nmi"] == 1.0
    other = fitted.group_numbers[int(fitted.labels["documents"][PER_TOPIC])]
    return fitted.rename({other: "Second"})


@pytest.fixture(scope="module")
def updated(result):
    """Five late documents of each topic, and twenty of a new one, of which the words are new."""
    return result.update([*draw_late(), *draw_texts(LATER, 20, seed=2)])


def test_late_documents_join_the_groups_of_their_topics(result, updated):
    late = updated.labels["documents"][4 * PER_TOPIC :]
    assert late[:20].tolist() == np.repeat(result.labels["documents"][::PER_TOPIC], 5).tolist()


def test_documents_that_fit_in_no_group_and_are_alike_make_a_new_group(result, updated):
    assert updated.n_groups() == result.n_groups() + 1
    assert (updated.labels["documents"][-20:] == 4).all()
    assert updated.group_numbers[4] == max(result.group_numbers) + 1
    assert set(updated.group_names[4].replace(",", "").split()) <= set(LATER.split())


def test_groups_keep_numbers_names_and_knowledge(result, updated):
    assert updated.group_numbers[:4] == result.group_numbers
    assert updated.group_names[:4] == result.group_names
    assert "Second" in updated.group_names
    assert updated.named_groups == result.named_groups
    assert np.array_equal(updated.labels["documents"][: 4 * PER_TOPIC], result.labels["documents"])
    assert updated.audit().counts()["kept"] == 1
    # the confidence of both can be compared
    assert [float(updated.model[name]) for name in ("temperature", "doubt")] == [
        float(result.model[name]) for name in ("temperature", "doubt")
    ]


def test_the_summary_says_what_changed(result, updated):
    summary = updated.changes_since(result)
    assert summary.n_new == 40
    assert sum(group.placed for group in summary.groups) == 20
    assert [(group.number, group.placed, group.documents) for group in summary.new_groups] == [(4, 20, 20)]
    assert (summary.in_no_group, summary.moved) == (0, 0)
    first = str(summary).splitlines()[0]
    assert first == "40 new documents: 20 in the groups that were there, 20 in 1 new group, 0 in no group"


def test_a_summary_needs_the_result_that_was_updated(result, updated):
    with pytest.raises(InputError, match="the result that was updated"):
        result.changes_since(updated)


def test_documents_keep_ids_columns_and_new_words(result, updated):
    corpus = updated.corpus
    assert corpus.ids[: len(result.corpus)] == result.corpus.ids
    assert len(set(corpus.ids)) == 4 * PER_TOPIC + 40
    assert corpus.words[: len(result.corpus.words)] == result.corpus.words
    assert "violin" in corpus.words
    assert "violin" not in result.corpus.words
    assert corpus.columns["topic"][0].as_py() == next(iter(TOPICS))
    assert corpus.columns["topic"][len(corpus) - 1].as_py() is None


def test_more_of_the_present_topics_make_no_new_group(result):
    updated = result.update(draw_late(seed=5, number=20))
    assert updated.n_groups() == result.n_groups()


def test_too_few_documents_make_no_new_group(result):
    late = [*draw_late(), *draw_texts(LATER, 20, seed=2)]
    assert result.update(late, min_new_group=30).n_groups() == result.n_groups()


def test_an_updated_result_can_be_updated_stored_and_read(updated, tmp_path):
    again = updated.update(draw_texts(LATER, 5, seed=9))
    assert (again.labels["documents"][-5:] == 4).all()
    again.save(tmp_path / "stored")
    assert cg.Result.load(tmp_path / "stored").group_numbers == again.group_numbers


def test_a_document_without_a_known_word_is_in_no_group(result):
    updated = result.update([*draw_late(), "12 34"])
    assert updated.labels["documents"][-1] == -1
    assert updated.changes_since(result).in_no_group == 1


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ([], "no documents"),
        (["Wir fuhren gestern nach Hause", "und blieben dort"], "no word that the result knows"),
        (np.ones((2, 3)), "has 3 columns, but the result has"),
    ],
)
def test_bad_batches_are_refused_in_one_line(result, new, message):
    with pytest.raises(InputError, match=message) as error:
        result.update(new)
    assert "\n" not in str(error.value)


def test_ids_that_are_there_are_refused(result):
    new = cg.Corpus.from_texts(draw_late(), [result.corpus.ids[0], *map(str, range(19))])
    with pytest.raises(CorpusError, match="there already"):
        result.update(new)


def test_a_method_without_a_start_is_refused_by_name(result):
    fitted = cg.make("kmeans", n_clusters=4, random_state=0).fit(result.corpus).result_
    with pytest.raises(InputError, match="kmeans cannot be updated"):
        fitted.update(draw_late())


def test_a_method_that_groups_words_keeps_its_words(result):
    fitted = cg.make("itcc", n_clusters=4, n_word_clusters=6, random_state=0).fit(result.corpus).result_
    updated = fitted.update(draw_late())
    assert updated.corpus.words == result.corpus.words
    assert np.array_equal(
        updated.labels["documents"][4 * PER_TOPIC :], np.repeat(fitted.labels["documents"][::PER_TOPIC], 5)
    )


def test_a_matrix_is_updated_by_a_matrix(result):
    counts = result.corpus.counts
    fitted = cg.make("colligate", n_clusters=4, random_state=0).fit(counts[:150]).result_
    updated = fitted.update(counts[150:])
    assert len(updated.labels["documents"]) == counts.shape[0]
    with pytest.raises(MatrixError, match="columns"):
        fitted.update(counts[150:, :-1])


def test_columns_of_other_types_become_text():
    first = cg.Corpus.from_texts(["a word here"], ["a"], columns={"year": [1990], "score": [1]})
    later = cg.Corpus.from_texts(["more words"], ["b"], columns={"year": ["unknown"], "score": [0.5]})
    joined = join_corpora(first, later)
    assert [value.as_py() for value in joined.columns["year"]] == ["1990", "unknown"]
    assert [value.as_py() for value in joined.columns["score"]] == [1.0, 0.5]


def test_whole_numbers_that_floats_cannot_hold_become_text():
    first = cg.Corpus.from_texts(["a word here"], ["a"], columns={"code": [2**53 + 1]})
    later = cg.Corpus.from_texts(["more words"], ["b"], columns={"code": [0.5]})
    joined = join_corpora(first, later)
    assert [value.as_py() for value in joined.columns["code"]] == [str(2**53 + 1), "0.5"]


def test_two_new_topics_make_two_groups(result):
    other = "harvest tractor barley wheat soil farmer plough cattle orchard seedling irrigation silo"
    texts = [*draw_texts(LATER, 20, seed=2), *draw_texts(other, 20, seed=3)]
    joined = join_corpora(result.corpus, cg.Corpus.from_texts(texts))
    labels = np.append(result.labels["documents"], np.full(40, -1))
    is_late = np.arange(len(labels)) >= 4 * PER_TOPIC
    new = find_new_groups(joined.counts, labels, is_late, 10)
    assert {tuple(np.unique((rows - 4 * PER_TOPIC) // 20)) for rows in new} == {(0,), (1,)}
    assert all(len(rows) > 10 for rows in new)


def test_likeness_is_the_mean_cosine_of_two_documents():
    units = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], dtype=np.float32)
    assert measure_likeness(units) == pytest.approx(1 / 3)
