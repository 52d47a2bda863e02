"""The texts of a corpus, kept as one compact immutable sequence in Arrow memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_CHARACTERS = 4_000_000
"""So many characters are collected in a list before they become one Arrow block."""
ITERATION_CHUNK = 1024


def check_number(index: int, n_texts: int) -> None:
    """Refuse the number of a text that there is not."""
    if not -n_texts <= index < n_texts:
        raise IndexError(f"there is no text {index}; there are {n_texts} texts, numbered from 0")


class Texts(Sequence[str]):
    """An immutable sequence of texts: the bytes of the text and eight more for each text.

    A list of Python strings takes about sixty bytes more for each text, and up to four for each character.
    """

    def __init__(self, column: Any) -> None:
        self._column = column

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Keep texts, reading them once; texts that are compact already are shared, not copied."""
        if isinstance(texts, Texts):
            return texts
        builder = TextsBuilder()
        for text in texts:
            builder.add(text)
        return builder.finish()

    @property
    def column(self) -> Any:
        """The Arrow column (`pyarrow.ChunkedArray` of large strings)."""
        return self._column

    def __len__(self) -> int:
        return len(self._column)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return Texts(self._column[index])
        check_number(index, len(self))
        return str(self._column[int(index)].as_py())

    def blocks(self) -> Iterator[Any]:
        """Yield the texts as Arrow arrays of `ITERATION_CHUNK` texts at most."""
        for chunk in self._column.chunks:
            for start in range(0, len(chunk), ITERATION_CHUNK):
                yield chunk.slice(start, ITERATION_CHUNK)

    def __iter__(self) -> Iterator[str]:
        for block in self.blocks():
            yield from block.to_pylist()

    def __repr__(self) -> str:
        return f"Texts({len(self)} texts, {self._column.nbytes:,} bytes)"


class TextsBuilder:
    """Takes texts one by one and keeps them compactly from the start."""

    def __init__(self) -> None:
        self._blocks: list[Any] = []
        self._pending: list[str] = []
        self._n_characters = 0

    def add(self, text: str) -> None:
        """Add one text."""
        self._pending.append(replace_surrogates(text))
        self._n_characters += len(text)
        if self._n_characters >= BLOCK_CHARACTERS:
            self._flush()

    def finish(self) -> Texts:
        """Return the texts."""
        import pyarrow as pa

        self._flush()
        return Texts(pa.chunked_array(self._blocks, type=pa.large_string()))

    def _flush(self) -> None:
        import pyarrow as pa

        self._blocks.append(pa.array(self._pending, type=pa.large_string()))
        self._pending, self._n_characters = [], 0


def arrow_bytes(block: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes of an Arrow array of large strings, and where each text starts, without a copy."""
    _, offsets, data = block.buffers()
    starts = np.frombuffer(offsets, dtype=np.int64)[block.offset : block.offset + len(block) + 1]
    return np.frombuffer(data if data is not None else b"", dtype=np.uint8), starts


def replace_surrogates(text: str) -> str:
    r"""Replace halves of surrogate pairs, which no file can store, by U+FFFD.

    They come from JSON escapes such as ``\ud800`` and from file names that are not UTF-8.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
