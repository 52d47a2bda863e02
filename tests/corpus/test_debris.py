"""Debris is not counted, is reported by kind, and takes time in proportion to the length of a text."""

from __future__ import annotations

import time

import pytest

import colligate as cg
from colligate.corpus.debris import (
    ATTACHMENTS,
    ENTITIES,
    HEADERS,
    NUMBERS,
    SIGNATURES,
    TAGS,
    DebrisRemover,
    describe_debris,
)

MAIL = "From: ann@example.org\nSubject: the moon\nOrganization: Widgets\n\tof Ohio\nLines: 2\n\nIt is full.\n"


def words_of(text, **options):
    return cg.Corpus.from_texts([text], analyser=cg.Analyser(stop_words=None, **options)).words


def remove(text):
    remover = DebrisRemover()
    return remover(text), dict(remover.documents)


@pytest.mark.parametrize(
    ("text", "clean", "kind"),
    [
        ("Tom &amp; Ann&#39;s &lt; game", "Tom & Ann's < game", ENTITIES),
        ("a &amp;quot;b&amp;quot; c", 'a "b" c', ENTITIES),
        ("one<br/>two <b class='x'>three</b>", "one two  three ", TAGS),
        ("<script>var nasa = 1</script>moon<!-- hidden --> orbit</p>", " moon  orbit ", TAGS),
        ("moon\n-- \nAnn\nOhio", "moon", SIGNATURES),
        ("Re: moon\n" + MAIL, "Re: moon\n the moon\n\nIt is full.\n", HEADERS),
        ("moon\n" + ("M" + "8" * 60 + "\n") * 4 + "end", "moon\nend", ATTACHMENTS),
    ],
)
def test_debris_is_removed_and_counted(text, clean, kind):
    assert remove(text) == (clean, {kind: 1})


@pytest.mark.parametrize(
    "text",
    [
        "Shell <RD> and USAir <U> rose, and so did <P>",
        "if a < b and c > d",
        "AT&T; R&D; black & white &c.",
        "To: do list\nbuy milk",
        "He said: from here to there\n--\n" + "a long part of the text\n" * 30,
        "a line of two hyphens -- inside",
        "M" + "8" * 60,
        "",
    ],
)
def test_what_only_looks_like_debris_stays(text):
    clean, documents = remove(text)
    assert clean == text
    assert set(documents) <= {NUMBERS}


def test_escaped_markup_is_removed_too():
    assert remove("&lt;p&gt;moon&lt;/p&gt;") == (" moon ", {ENTITIES: 1, TAGS: 1})


def test_words_have_a_letter():
    assert words_of("39 x11 1993 ___ ٣٤ moon 4x4") == ["4x4", "moon", "x11"]
    assert words_of("39 moon &#39;", keep_markup=True) == ["39", "moon"]


def test_a_pattern_may_find_numbers():
    assert words_of("<b>39</b> moon</b>", pattern=r"\w+") == ["39", "moon"]


def test_functions_of_the_user_get_the_text_as_it_is():
    assert words_of("<b>39</b>", tokens=str.split) == ["<b>39</b>"]


def test_texts_stay_as_they_are_and_new_texts_are_cleaned_alike(tmp_path):
    texts = ["<p>moon &amp; orbit</p>", "orbit 1993"]
    corpus = cg.Corpus.from_texts(texts)
    assert list(corpus.texts) == texts
    assert corpus.words == ["moon", "orbit"]
    assert corpus.debris == {ENTITIES: 1, TAGS: 1, NUMBERS: 1}
    assert cg.Corpus.from_texts(["<moon>&#39;orbit&#39;"], like=corpus).counts.toarray().tolist() == [[1, 1]]
    corpus.save(tmp_path / "corpus")
    loaded = cg.Corpus.load(tmp_path / "corpus")
    assert (loaded.debris, loaded.analyser) == (corpus.debris, corpus.analyser)


def test_the_analyser_of_an_older_corpus_keeps_markup():
    options = cg.Analyser().to_dict()
    del options["keep_markup"]
    assert cg.Analyser.from_dict(options).keep_markup


def test_debris_is_described_in_one_line():
    assert describe_debris({}) == ""
    said = describe_debris({NUMBERS: 1200, TAGS: 1})
    assert said == "not counted as words: HTML tags in 1 document, numbers in 1,200 documents"


@pytest.mark.parametrize(
    "part", ["<", "<script", "<a ", "&", "&#1", "From: x\n", "\n-- \n", "<!--", "-->", "M" * 61 + "\n", "</p"]
)
def test_hostile_texts_take_time_in_proportion(part):
    def measure(count):
        start = time.process_time()
        DebrisRemover()(part * count)
        return time.process_time() - start

    # twenty times the text would take 400 times as long if the time grew with its square
    assert measure(200_000) < 100 * max(measure(10_000), 0.005)
