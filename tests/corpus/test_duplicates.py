"""Copies among documents: equal texts, nearly equal ones, and texts that only share phrases."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.corpus import duplicates, scanner
from colligate.errors import InputError, ParameterError

WORDS = [f"word{number}" for number in range(400)]


def write_text(seed: int, n_words: int = 80) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS, n_words))


def drop_words(text: str, positions: list[int]) -> str:
    return " ".join(word for place, word in enumerate(text.split()) if place not in positions)


def test_equal_and_nearly_equal_texts_are_copies_of_the_first():
    text, other = write_text(0), write_text(1)
    near = drop_words(text, [10, 50])
    corpus = cg.Corpus.from_texts([text, other, f"  {text}\n", near], ids=["a", "b", "c", "d"])
    copies = corpus.duplicates()
    assert copies.original.tolist() == [0, 1, 0, 0]
    assert copies.exact.tolist() == [False, False, True, False]
    assert len(copies) == 2
    assert [rows.tolist() for rows in copies.sets] == [[0, 2, 3]]
    assert copies.describe() == ("2 of 4 documents are copies of others (1 exact, 1 near), such as c of a")
    assert copies.table().column("copy_of").to_pylist() == ["a", "a"]


def test_the_similarity_of_short_texts_is_that_of_their_sets_of_runs():
    text = write_text(2)
    near = drop_words(text, [10, 50])
    words, kept = text.split(), near.split()
    runs = {tuple(words[k : k + 3]) for k in range(len(words) - 2)}
    others = {tuple(kept[k : k + 3]) for k in range(len(kept) - 2)}
    copies = cg.Corpus.from_texts([text, near]).duplicates()
    assert copies.similarity[1] == pytest.approx(len(runs & others) / len(runs | others))


def test_long_texts_are_compared_by_a_sample_of_their_runs():
    text = write_text(3, 3_000)
    near = drop_words(text, list(range(0, 3_000, 60)))
    copies = cg.Corpus.from_texts([text, near]).duplicates()
    exact = (3_000 - 2 - 150) / (3_000 - 2 + 100)
    assert copies.similarity[1] == pytest.approx(exact, abs=0.12)


def test_a_chain_of_small_differences_joins_no_texts_that_differ():
    texts = [write_text(4, 100)]
    for part in range(4):
        words = texts[-1].split()
        words[part * 25 : part * 25 + 20] = [f"other{part}x{k}" for k in range(20)]
        texts.append(" ".join(words))
    copies = cg.Corpus.from_texts(texts).duplicates()
    assert (copies.original[copies.original] == copies.original).all()
    assert (copies.similarity[copies.copies] >= duplicates.THRESHOLD).all()
    assert copies.original[-1] != 0


def test_the_threshold_decides_and_is_checked():
    text = write_text(5)
    corpus = cg.Corpus.from_texts([text, drop_words(text, [10, 30, 50, 70])])
    assert len(corpus.duplicates(0.6)) == 1
    assert len(corpus.duplicates(0.95)) == 0
    with pytest.raises(ParameterError, match="threshold must be above 0 and at most 1; got 2"):
        corpus.duplicates(2)


def test_empty_texts_are_no_copies_and_case_is_a_small_difference():
    corpus = cg.Corpus.from_texts(["", " ", "Good service", "good SERVICE", "good", "good", "ok"])
    assert corpus.duplicates().original.tolist() == [0, 1, 2, 2, 4, 4, 6]


@pytest.mark.filterwarnings("ignore::colligate.errors.UnspacedTextWarning")
def test_texts_without_spaces_are_compared_by_characters():
    text = "北京是中华人民共和国的首都也是全国的政治中心文化中心国际交往中心"
    copies = cg.Corpus.from_texts([text, text[:-1], "上海是一个很大的城市而且很有意思的地方"]).duplicates()
    assert copies.original.tolist() == [0, 0, 2]


def test_counts_without_texts_are_compared_by_their_words():
    counts = np.zeros((4, 40), dtype=int)
    counts[0, :20] = counts[1, :20] = 1
    counts[2, :18] = 1
    counts[3, 20:] = 1
    copies = cg.Corpus.from_counts(counts, [f"w{k}" for k in range(40)]).duplicates()
    assert copies.original.tolist() == [0, 0, 0, 3]
    assert copies.exact.tolist() == [False, True, False, False]
    assert copies.similarity[2] == pytest.approx(0.9)


def count_comparisons(monkeypatch):
    """Return a list to which each search adds the number of pairs that it compared."""
    compared, search = [], scanner.find_originals
    monkeypatch.setattr(scanner, "find_originals", lambda *arrays: compared.append(search(*arrays)))
    return compared


def test_a_common_beginning_makes_no_copies_and_few_comparisons(monkeypatch):
    beginning = write_text(6, 30)
    corpus = cg.Corpus.from_texts([f"{beginning} {write_text(100 + k)}" for k in range(300)])
    compared = count_comparisons(monkeypatch)
    assert len(corpus.duplicates()) == 0
    assert 0 < compared[0] <= duplicates.MOST_COMPARED * len(corpus)


def test_many_copies_of_one_text_are_compared_with_it_alone(monkeypatch):
    text = write_text(7)
    corpus = cg.Corpus.from_texts([text, *(drop_words(text, [k]) for k in range(60))])
    compared = count_comparisons(monkeypatch)
    assert len(corpus.duplicates()) == 60
    assert compared == [60]


def test_a_corpus_with_too_many_documents_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(duplicates, "MAX_DOCUMENTS", 2)
    with pytest.raises(InputError, match="at most 2 documents, and this corpus has 3"):
        cg.Corpus.from_texts(["one text", "two texts", "three"]).duplicates()
