"""Scanning the bytes of texts with Numba: word codes and sketches for copies, and counts of words.

Texts in ASCII are scanned here. All others go through regular expressions of Python, which know the letters
of every script (`duplicates.py`, `vectorize.py`), and only what these find is hashed or counted here. The
tests compare both ways.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE, LETTER, DIGIT, UNDERSCORE, OTHER = 0, 1, 2, 3, 4
CRC_POLYNOMIAL = 0xEDB88320
# the mixing function of SplitMix64
MIX_1, MIX_2, MIX_3 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
S27, S30, S31 = (np.uint64(n) for n in (27, 30, 31))
FREE = -1
BATCH_TEXTS, BATCH_BYTES = 64, 2**18


def _classify_bytes() -> NDArray[np.uint8]:
    """Return the class of every byte; bytes above ASCII are none of these."""
    classes = np.full(256, OTHER, dtype=np.uint8)
    for code in range(128):
        char = chr(code)
        if char.isspace():
            classes[code] = SPACE
        elif char.isalpha():
            classes[code] = LETTER
        elif char.isdigit():
            classes[code] = DIGIT
    classes[ord("_")] = UNDERSCORE
    return classes


def _make_crc_table() -> NDArray[np.uint32]:
    """Return the table of `zlib.crc32`."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(CRC_POLYNOMIAL), table >> 1).astype(np.uint32)
    return table


CLASSES, CRC = _classify_bytes(), _make_crc_table()
LOWER = np.array([ord(chr(code).lower()) if code < 128 else code for code in range(256)], dtype=np.uint8)
OPTIONS: dict[str, Any] = {"nogil": True, "cache": True}


# --- copies ---


@numba.njit(**OPTIONS)
def mix(value):
    """Mix the bits of a number (SplitMix64)."""
    mixed = value + MIX_1
    mixed = (mixed ^ (mixed >> S30)) * MIX_2
    mixed = (mixed ^ (mixed >> S27)) * MIX_3
    return mixed ^ (mixed >> S31)


@numba.njit(**OPTIONS)
def is_ascii(text):
    """Return whether no byte is above ASCII."""
    highest = np.uint8(0)
    for byte in text:
        highest |= byte
    return highest < 128


@numba.njit(**OPTIONS)
def find_word_codes(text, codes):
    """Write the CRC-32 of every word in lower case, and return the number of words."""
    size, crc, inside = 0, np.uint32(0xFFFFFFFF), False
    for byte in text:
        if 0 < CLASSES[byte] < OTHER:
            crc = CRC[(crc ^ np.uint32(LOWER[byte])) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
            inside = True
        elif inside:
            codes[size] = np.uint64(crc ^ np.uint32(0xFFFFFFFF))
            size, crc, inside = size + 1, np.uint32(0xFFFFFFFF), False
    if inside:
        codes[size] = np.uint64(crc ^ np.uint32(0xFFFFFFFF))
        size += 1
    return size


@numba.njit(**OPTIONS)
def hash_text(text):
    """Return a hash of a text that does not depend on white space; 0 for a text without anything else."""
    value, is_between, is_empty = MIX_2, False, True
    for byte in text:
        if CLASSES[byte] == SPACE:
            is_between = not is_empty
            continue
        if is_between:
            value = mix(value ^ np.uint64(32))
        value = mix(value ^ np.uint64(byte))
        is_between = is_empty = False
    return np.uint64(0) if is_empty else max(value, np.uint64(1))


@numba.njit(**OPTIONS)
def sketch(codes, shingle, smallest):
    """Write the smallest hashes of the runs of words, ascending, each once, and return their number."""
    length = min(shingle, len(codes))
    if length == 0:
        return 0
    size, limit = 0, len(smallest)
    for start in range(len(codes) - length + 1):
        value = np.uint64(0)
        for offset in range(length):
            value = mix(value + codes[start + offset])
        # most hashes are above the largest of the smallest, and are done with here
        if size == limit and value >= smallest[limit - 1]:
            continue
        low, high = 0, size
        while low < high:
            middle = (low + high) // 2
            if smallest[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low < size and smallest[low] == value:
            continue
        last = min(size, limit - 1)
        for place in range(last, low, -1):
            smallest[place] = smallest[place - 1]
        smallest[low] = value
        size = min(size + 1, limit)
    return size


@numba.njit(**OPTIONS)
def sketch_texts(data, offsets, shingle, hashes, sizes, smallest):
    """Write the hash and the sketch of each text in ASCII; the size is -1 for any other text."""
    longest = 0
    for i in range(len(sizes)):
        longest = max(longest, offsets[i + 1] - offsets[i])
    codes = np.empty(longest // 2 + 1, dtype=np.uint64)
    for i in range(len(sizes)):
        text = data[offsets[i] : offsets[i + 1]]
        if not is_ascii(text):
            sizes[i] = -1
            continue
        hashes[i] = hash_text(text)
        n_words = find_word_codes(text, codes)
        sizes[i] = sketch(codes[:n_words], shingle, smallest[i])


@numba.njit(**OPTIONS)
def _compare(first, second, limit):
    """Estimate the Jaccard similarity of two sets by the smallest hashes of their union."""
    i, j, n_union, n_shared = 0, 0, 0, 0
    while n_union < limit and (i < len(first) or j < len(second)):
        if j == len(second) or (i < len(first) and first[i] < second[j]):
            i += 1
        elif i == len(first) or second[j] < first[i]:
            j += 1
        else:
            i, j, n_shared = i + 1, j + 1, n_shared + 1
        n_union += 1
    return n_shared / n_union if n_union else 0.0


@numba.njit(**OPTIONS)
def _find_slot(keys, heads, key):
    """Return the slot of a key in an open hash table, or the free one where it belongs."""
    mask = len(keys) - 1
    slot = np.int64(key & np.uint64(mask))
    while heads[slot] != FREE and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@numba.njit(**OPTIONS)
def find_originals(sketches, offsets, equal, threshold, limits, original, similarity, exact):
    """Write for each document the earlier one that it is a copy of; see `duplicates.py`.

    `equal` has the first document with the same text, and -1 for an empty text. `limits` are the size of a
    sketch, the shingles that are looked up, the documents that are compared with one at most, and the share
    of the shingles that they must have in common. Return how many pairs were compared.
    """
    limit, n_keys, most, least_shared = limits
    n = len(equal)
    n_slots = 64
    while n_slots < 2 * n_keys * n:
        n_slots *= 2
    keys, heads = np.empty(n_slots, dtype=np.uint64), np.full(n_slots, FREE, dtype=np.int32)
    tails, lengths = np.empty(n_slots, dtype=np.int32), np.zeros(n_slots, dtype=np.int8)
    rows, following = np.empty(n_keys * n, dtype=np.int32), np.empty(n_keys * n, dtype=np.int32)
    n_entries, n_pairs = 0, 0
    n_shared, touched = np.zeros(n, dtype=np.int8), np.empty(n_keys * most, dtype=np.int32)
    for row in range(n):
        if equal[row] < 0:
            continue
        if equal[row] != row:
            first = original[equal[row]]
            original[row], similarity[row] = first, similarity[equal[row]]
            exact[row] = first == equal[row]
            continue
        mine = sketches[offsets[row] : offsets[row + 1]]
        smallest = mine[:n_keys]
        n_touched = 0
        for key in smallest:
            entry = heads[_find_slot(keys, heads, key)]
            while entry != FREE:
                if n_shared[rows[entry]] == 0:
                    touched[n_touched] = rows[entry]
                    n_touched += 1
                n_shared[rows[entry]] += 1
                entry = following[entry]
        best, highest, n_compared = -1, 0.0, 0
        # those with most shared shingles first, and of equals those found first
        for count in range(n_keys, 0, -1):
            if count < least_shared * threshold * len(smallest) or n_compared == most:
                break
            for other in touched[:n_touched]:
                if n_shared[other] != count or n_compared == most:
                    continue
                n_compared += 1
                alike = _compare(sketches[offsets[other] : offsets[other + 1]], mine, limit)
                if alike > highest or (alike == highest and other < best):
                    best, highest = other, alike
        n_pairs += n_compared
        for other in touched[:n_touched]:
            n_shared[other] = 0
        if highest >= threshold:
            original[row], similarity[row] = best, highest
            continue
        for key in smallest:
            slot = _find_slot(keys, heads, key)
            if lengths[slot] == most:
                continue
            rows[n_entries], following[n_entries] = row, FREE
            if heads[slot] == FREE:
                keys[slot], heads[slot] = key, n_entries
            else:
                following[tails[slot]] = n_entries
            tails[slot] = n_entries
            lengths[slot] += 1
            n_entries += 1
    return n_pairs


# --- counts ---


@numba.njit(**OPTIONS)
def _find_word(word, table, hashes, offsets, letters):
    """Return the slot of a word in the table, and its hash; the slot may be free."""
    value = np.uint64(len(word))
    for byte in word:
        value = (value ^ np.uint64(byte)) * MIX_2
        value ^= value >> S31
    mask = len(table) - 1
    slot = np.int64(mix(value) & np.uint64(mask))
    while table[slot] != FREE:
        number = table[slot]
        if hashes[number] == value and offsets[number + 1] - offsets[number] == len(word):
            start, is_equal = offsets[number], True
            for position in range(len(word)):
                if letters[start + position] != word[position]:
                    is_equal = False
                    break
            if is_equal:
                break
        slot = (slot + 1) & mask
    return slot, value


@numba.njit(**OPTIONS)
def refill_table(table, hashes):
    """Put all words into a larger, empty table."""
    mask = len(table) - 1
    for number in range(len(hashes)):
        slot = np.int64(mix(hashes[number]) & np.uint64(mask))
        while table[slot] != FREE:
            slot = (slot + 1) & mask
        table[slot] = number


@numba.njit(**OPTIONS)
def count_texts(data, bounds, is_split, rule, row, words, entries, ends, n_words, n_entries):
    """Count the words of texts from number `row` on, and write where the entries of each text end."""
    for i in range(len(is_split)):
        n_words, n_entries = _count_text(
            data[bounds[i] : bounds[i + 1]], is_split[i], rule, row + i, words, entries, n_words, n_entries
        )
        ends[i] = n_entries
    return n_words, n_entries


@numba.njit(**OPTIONS)
def _count_text(text, is_split, rule, row, words, entries, n_words, n_entries):
    """Count the words of a text in ASCII, or of one that is split already: words with a space after each.

    `rule` has the least length, whether numbers are words, and whether to use lower case. `words` and
    `entries` are the arrays of `WordTable`; return how many words and entries they have now.
    """
    min_length, numbers, lower = rule
    table, hashes, offsets, letters, last_row, place = words
    columns, counts = entries
    buffer = np.empty(len(text), dtype=np.uint8)
    length, is_word = 0, False
    for position in range(len(text) + 1):
        byte = text[position] if position < len(text) else np.uint8(32)
        kind = CLASSES[byte]
        if (byte != 32) if is_split else (0 < kind < OTHER):
            buffer[length] = LOWER[byte] if lower else byte
            length += 1
            is_word |= is_split or kind == LETTER or (numbers and kind == DIGIT)
            continue
        if is_word and (is_split or length >= min_length):
            word = buffer[:length]
            slot, value = _find_word(word, table, hashes, offsets, letters)
            number = table[slot]
            if number == FREE:
                number = table[slot] = n_words
                hashes[number], last_row[number] = value, FREE
                offsets[number + 1] = offsets[number] + length
                # a loop: Numba compiles an assignment to a slice with the text of its error, for seconds
                for position_in_word in range(length):
                    letters[offsets[number] + position_in_word] = word[position_in_word]
                n_words += 1
            if last_row[number] == row:
                counts[place[number]] += 1
            else:
                last_row[number], place[number] = row, n_entries
                columns[n_entries], counts[n_entries] = number, 1
                n_entries += 1
        length, is_word = 0, False
    return n_words, n_entries


class WordTable:
    """Words and their counts in one text after another, kept in arrays that grow."""

    def __init__(self, min_length: int, *, numbers: bool, lower: bool) -> None:
        self._rule = (min_length, numbers, lower)
        self._table = np.full(2**16, FREE, dtype=np.int64)
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._offsets = np.zeros(1, dtype=np.int64)
        self._letters = np.zeros(0, dtype=np.uint8)
        self._last_row, self._place = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        self._columns, self._counts = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        self._n_words = self._n_entries = self._n_rows = 0
        self._ends = [np.zeros(1, dtype=np.int64)]
        self._pending: list[bytes] = []
        self._pending_split: list[bool] = []
        self._n_pending = 0

    def count(self, text: bytes, *, is_split: bool) -> None:
        """Count the words of the next text, which is in ASCII or split by spaces."""
        self._pending.append(text)
        self._pending_split.append(is_split)
        self._n_pending += len(text)
        if self._n_pending > BATCH_BYTES or len(self._pending) == BATCH_TEXTS:
            self._count_pending()

    def _count_pending(self) -> None:
        sizes = [len(text) for text in self._pending]
        # every word has a letter and a separator at least
        self._reserve(sum(sizes) // 2 + len(sizes), sum(sizes))
        ends = np.empty(len(sizes), dtype=np.int64)
        self._n_words, self._n_entries = count_texts(
            np.frombuffer(b"".join(self._pending), dtype=np.uint8),
            np.array([0, *accumulate(sizes)], dtype=np.int64),
            np.array(self._pending_split, dtype=bool),
            self._rule,
            self._n_rows,
            (self._table, self._hashes, self._offsets, self._letters, self._last_row, self._place),
            (self._columns, self._counts),
            ends,
            self._n_words,
            self._n_entries,
        )
        self._ends.append(ends)
        self._n_rows += len(sizes)
        self._pending, self._pending_split, self._n_pending = [], [], 0

    def _reserve(self, n_words: int, n_letters: int) -> None:
        """Make room for so many new words and entries, and for the letters of the words."""
        n_words, n_entries = n_words + self._n_words, n_words + self._n_entries
        n_letters += int(self._offsets[self._n_words])
        if n_words > len(self._hashes):
            self._hashes, self._last_row, self._place = (
                _grow(array, n_words) for array in (self._hashes, self._last_row, self._place)
            )
            self._offsets = _grow(self._offsets, len(self._hashes) + 1)
        if n_letters > len(self._letters):
            self._letters = _grow(self._letters, n_letters)
        if n_entries > len(self._columns):
            self._columns, self._counts = _grow(self._columns, n_entries), _grow(self._counts, n_entries)
        if 2 * n_words > len(self._table):
            # powers of two, so that a mask finds the slot
            self._table = np.full(2 ** int(np.ceil(np.log2(4 * n_words))), FREE, dtype=np.int64)
            refill_table(self._table, self._hashes[: self._n_words])

    def finish(self) -> tuple[csr_array, list[str]]:
        """Return the counts and the words, in the order in which they were found."""
        self._count_pending()
        offsets, letters = self._offsets[: self._n_words + 1].tolist(), self._letters.tobytes()
        words = [letters[start:stop].decode() for start, stop in pairwise(offsets)]
        indptr = np.concatenate(self._ends)
        # SciPy keeps row starts and columns in one type: 64 bits only where 32 are too few
        indptr = indptr if self._n_entries > np.iinfo(np.int32).max else indptr.astype(np.int32)
        entries = self._counts[: self._n_entries], self._columns[: self._n_entries], indptr
        return csr_array(entries, shape=(self._n_rows, len(words))), words


def _grow(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return a copy with room for `size` entries, at least half as much again as before."""
    larger = np.empty(max(size, len(array) * 3 // 2), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
