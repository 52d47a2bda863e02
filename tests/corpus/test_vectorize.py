from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

import colligate as cg
from colligate.corpus import Analyser, Corpus
from colligate.errors import CorpusError, InputError, UnspacedTextWarning

PLAIN = Analyser(stop_words=None)


def words_of(text: str, **options) -> list[str]:
    return Corpus.from_texts([text], analyser=Analyser(**{"stop_words": None, **options})).words


def test_words_are_runs_of_word_characters_in_lower_case():
    assert words_of("Don't PANIC: 42 times, x_y b2b caf\u00e9!") == [
        "b2b",
        "café",
        "don",
        "panic",
        "times",
        "x_y",
    ]


def test_letters_of_any_script_with_their_marks():
    assert words_of("हिन्दी में Привет 東京 x² Ⅷ") == sorted(["हिन्दी", "में", "привет", "東京", "x²"])


def test_an_accent_is_one_letter_however_it_is_written():
    assert words_of("cafe\u0301 caf\u00e9") == ["café"]


def test_ascii_and_other_texts_are_cut_alike():
    text = "it's a b2b deal, no1 knows_it; e.g. THIS"
    assert words_of(text) == words_of(text + " é")


def test_stop_words():
    assert words_of("the orbit of the shuttle", stop_words="english") == ["orbit", "shuttle"]
    assert words_of("Don't stop", stop_words=["DON'T"]) == ["stop"]


def test_other_options():
    assert words_of("one two", ngrams=(1, 2)) == ["one", "one two", "two"]
    assert words_of("a bb ccc", min_length=3) == ["ccc"]
    assert words_of("é bb ccc", min_length=1) == ["bb", "ccc", "é"]
    assert words_of("No no", lowercase=False) == ["No", "no"]
    assert words_of("a1 b22", pattern=r"[a-z]\d+", min_length=3) == ["b22"]
    assert words_of("b b c c a", max_words=2, min_length=1) == ["b", "c"]
    assert words_of("x|Y|", tokens=lambda text: iter(text.split("|"))) == ["", "Y", "x"]


def test_document_frequencies_prune_words():
    texts = ["aa bb", "aa cc", "aa bb", "dd"]
    assert Corpus.from_texts(texts, analyser=Analyser(min_df=2)).words == ["aa", "bb"]
    assert Corpus.from_texts(texts, analyser=Analyser(min_df=0.5)).words == ["aa", "bb"]
    assert Corpus.from_texts(texts, analyser=Analyser(max_df=2)).words == ["bb", "cc", "dd"]
    kept = Corpus.from_texts(texts, analyser=Analyser(min_df=2, max_df=0.5))
    assert kept.words == ["bb"]
    assert kept.counts.toarray().tolist() == [[1], [0], [1], [0]]
    assert kept.empty.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"min_df": 3},
            r"no word of the texts occurs in at least 3 of its 2 .*less strict min_df$",
        ),
        ({"max_df": 0.1}, r"too frequent.*choose a less strict max_df$"),
    ],
)
def test_pruning_every_word_names_the_option(options, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.from_texts(["aa bb", "aa cc"], analyser=Analyser(**options))


@pytest.mark.parametrize("texts", [["", "  "], ["the of", "4 -"]])
def test_documents_without_any_word_are_refused(texts):
    with pytest.raises(CorpusError, match="no document of the texts has a word that can be counted; check"):
        Corpus.from_texts(texts)


def test_counts_are_canonical_and_equal_plain_counting():
    texts = ["bb aa bb", "", "cc aa", "aa aa aa"]
    corpus = Corpus.from_texts(texts, analyser=PLAIN)
    assert corpus.counts.dtype == np.int32
    assert corpus.counts.has_canonical_format
    expected = [[text.split().count(word) for word in corpus.words] for text in texts]
    assert corpus.counts.toarray().tolist() == expected


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (lambda text: text, "single text"),
        (lambda text: [1], r"it returned 1 \(int\)"),
        (len, "a list of words; it returned int"),
    ],
)
def test_a_callable_that_gives_no_words_is_refused(tokens, message):
    with pytest.raises(InputError, match=message):
        Corpus.from_texts(["aa"], analyser=Analyser(tokens=tokens))


def test_counting_like_another_corpus_uses_its_words_and_analyser():
    first = Corpus.from_texts(["one two", "two three"], analyser=Analyser(stop_words=None, ngrams=(1, 2)))
    second = Corpus.from_texts(["two three four", "nothing known"], like=first)
    assert second.words == first.words
    assert second.analyser == first.analyser
    row = dict(zip(second.words, second.counts.toarray()[0].tolist(), strict=True))
    assert row == {"one": 0, "one two": 0, "three": 1, "two": 1, "two three": 1}
    assert second.empty.tolist() == [False, True]


def test_an_unfitted_vectorizer_is_cloned():
    vectorizer = CountVectorizer(token_pattern=r"\d+")
    corpus = Corpus.from_texts(["1 22", "22 x"], analyser=Analyser(vectorizer=vectorizer))
    assert corpus.words == ["1", "22"]
    assert not hasattr(vectorizer, "vocabulary_")
    assert Corpus.from_texts(["22 22"], like=corpus).counts.toarray().tolist() == [[0, 2]]


def test_a_fitted_vectorizer_keeps_its_words():
    vectorizer = CountVectorizer().fit(["aa bb"])
    corpus = Corpus.from_texts(["bb cc bb"], analyser=Analyser(vectorizer=vectorizer))
    assert corpus.words == ["aa", "bb"]
    assert corpus.counts.toarray().tolist() == [[0, 2]]
    assert vectorizer.vocabulary_ == {"aa": 0, "bb": 1}


@pytest.mark.parametrize("fitted", [True, False])
def test_a_vectorizer_that_weighs_gives_its_counts(fitted):
    vectorizer = TfidfVectorizer(min_df=1)
    texts = ["aa bb aa", "bb"]
    if fitted:
        vectorizer.fit(texts)
    corpus = Corpus.from_texts(iter(texts), analyser=Analyser(vectorizer=vectorizer))
    assert corpus.counts.toarray().tolist() == [[2, 1], [0, 1]]


class Lengths(BaseEstimator):
    """Reads the texts twice, which a stream would not allow."""

    def __init__(self, sign: float = 1.0) -> None:
        self.sign = sign

    def fit(self, texts, y=None):
        self.longest_ = max(len(text) for text in texts)
        return self

    def fit_transform(self, texts, y=None):
        return self.fit(texts).transform(texts)

    def transform(self, texts):
        return np.array([[self.sign * len(text)] for text in texts])

    def get_feature_names_out(self):
        return ["length"]


def test_any_vectorizer_that_names_its_words_will_do():
    corpus = Corpus.from_texts(iter(["aa", "b"]), analyser=Analyser(vectorizer=Lengths()))
    assert corpus.counts.toarray().tolist() == [[2], [1]]
    assert Corpus.from_texts(["abc"], like=corpus).counts.toarray().tolist() == [[3]]


def test_an_unfitted_foreign_vectorizer_cannot_count_like_another():
    corpus = Corpus.from_texts(["aa"])
    with pytest.raises(InputError, match="Lengths is not fitted"):
        Corpus.from_texts(["aa"], like=corpus, analyser=Analyser(vectorizer=Lengths()))


def test_a_vectorizer_that_does_not_count_is_refused():
    with pytest.raises(InputError, match="Lengths must return counts"):
        Corpus.from_texts(["aa"], analyser=Analyser(vectorizer=Lengths(sign=-1.0)))


@pytest.mark.parametrize(
    ("vectorizer", "texts", "message"),
    [
        (CountVectorizer(), ["1", ""], "no document of the texts has a word that can be counted"),
        (CountVectorizer(max_df=0.5, min_df=0.5), ["aa bb", "aa bb"], "less strict min_df or max_df"),
        (
            CountVectorizer(vocabulary=["zz"]),
            ["aa bb"],
            "no document of the texts has a word that can be counted",
        ),
    ],
)
def test_a_vectorizer_that_leaves_no_word(vectorizer, texts, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.from_texts(texts, analyser=Analyser(vectorizer=vectorizer))


@pytest.mark.parametrize("text", ["a line ___ here __x", "a line ___ hère __x"])
def test_underscores_alone_are_no_word(text):
    assert "___" not in words_of(text)
    assert "__x" in words_of(text)


CHINESE = ["今天天气很好我们去公园散步吧", "机器学习是人工智能的一个分支", "人工智能正在改变我们的世界"]
THAI = ["วันนี้อากาศดีเราไปเดินเล่นที่สวนสาธารณะกันเถอะ", "การเรียนรู้ของเครื่องเป็นสาขาหนึ่งของปัญญาประดิษฐ์"]
JAPANESE = ["今日は天気がいいので公園へ散歩に行きましょう", "機械学習は人工知能の一分野です"]


@pytest.mark.parametrize("texts", [CHINESE, THAI, JAPANESE, [*CHINESE, "a line in English"]])
def test_clauses_that_count_as_words_are_told_of(texts):
    with pytest.warns(UnspacedTextWarning, match=r"whole clauses, such as .*set segmenter="):
        cg.Corpus.from_texts(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["今天 天气 很 好 我们 去 公园 散步", "机器 学习 是 人工 智能 的 一个 分支"],
        ["วันนี้ อากาศ ดี เรา ไป เดินเล่น ที่ สวนสาธารณะ", "การเรียนรู้ ของ เครื่อง เป็น สาขา"],
        ["donaudampfschifffahrtsgesellschaft", "снег и лёд на дороге", "आज मौसम अच्छा है"],
        ["a long report in English that quotes 人工智能正在改变我们的世界 once"],
    ],
)
def test_words_that_are_parted_are_not(texts):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cg.Corpus.from_texts(texts, analyser=cg.Analyser(stop_words=None))
