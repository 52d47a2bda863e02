"""The scanner of bytes against the regular expressions that know all scripts."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from colligate.corpus import duplicates, scanner
from colligate.corpus.texts import Texts
from colligate.corpus.vectorize import make_word_tokenizer

ASCII = st.text(st.sampled_from("abzAZ019_ -.\n\t\x1c'"), max_size=60)


def scan(texts: list[str]):
    (block,) = Texts.of(texts).blocks()
    return duplicates._scan_block(block)[1]


@settings(max_examples=100, deadline=None)
@given(ASCII)
@example("_ a_1  B")
def test_codes_of_words_are_their_checksums(text):
    codes = np.empty(len(text), dtype=np.uint64)
    n_words = scanner.find_word_codes(np.frombuffer(text.encode(), dtype=np.uint8), codes)
    assert codes[:n_words].tolist() == [
        zlib.crc32(word.encode()) for word in duplicates.WORD.findall(text.casefold())
    ]


@settings(max_examples=50, deadline=None)
@given(ASCII)
def test_a_text_has_the_same_sketch_both_ways(text):
    _, sizes, smallest = scan([text])
    _, expected = duplicates._scan_text(text, duplicates._WordCodes())
    assert smallest[0, : sizes[0]].tolist() == expected.tolist()


@pytest.mark.parametrize("n_words", [1, 2, 3, 500])
def test_a_sketch_has_the_smallest_hashes_of_all_runs(n_words):
    codes = np.random.default_rng(n_words).integers(40, size=n_words).astype(np.uint64)
    length = min(duplicates.SHINGLE, n_words)
    hashes = np.zeros(n_words - length + 1, dtype=np.uint64)
    for offset in range(length):
        hashes = duplicates._mix(hashes + codes[offset : offset + len(hashes)])
    expected = np.unique(hashes)[: duplicates.SKETCH]
    assert duplicates.sketch_codes(codes).tolist() == expected.tolist()


def test_white_space_does_not_change_the_hash_of_a_text_but_words_do():
    hashes, sizes, _ = scan([" a  b\n", "a b", "ab", " \n", "a é"])
    assert hashes[0] == hashes[1] != hashes[2]
    assert hashes[3] == 0
    assert sizes.tolist() == [1, 1, 1, 0, -1]


def test_texts_with_equal_hashes_are_told_apart():
    texts = ["one", "two", "one"]
    first_of = duplicates._EqualTexts(lambda row: texts[row])
    assert [first_of.find(row, 7) for row in range(3)] == [0, 1, 0]


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("min_length", [1, 2, 4])
@settings(max_examples=40, deadline=None)
@given(st.lists(ASCII, max_size=5))
def test_words_are_counted_as_the_tokenizer_finds_them(numbers, min_length, texts):
    table = scanner.WordTable(min_length, numbers=numbers, lower=True)
    tokenize = make_word_tokenizer(min_length, numbers=numbers)
    for text in texts:
        table.count(text.encode(), is_split=False)
    counts, words = table.finish()
    assert counts.shape == (len(texts), len(words))
    for row, text in enumerate(texts):
        entries = slice(*counts.indptr[row : row + 2])
        columns = counts.indices[entries].tolist()
        counted = dict(zip((words[column] for column in columns), counts.data[entries].tolist(), strict=True))
        assert counted == Counter(tokenize(text.lower()))


def test_a_table_grows_over_many_words_of_any_script():
    texts = [" ".join(f"wort{n}ß" for n in range(start, start + 700)) for start in range(0, 40_000, 500)]
    table = scanner.WordTable(2, numbers=False, lower=True)
    for text in texts:
        table.count(text.encode(), is_split=True)
    counts, words = table.finish()
    assert sorted(words) == sorted({word for text in texts for word in text.split()})
    assert (counts.data == 1).all()
    assert counts.sum() == 700 * len(texts)
