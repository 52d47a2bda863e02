"""Telling which encoding bytes are in, and where they break it."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, NamedTuple

from colligate.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charset_normalizer import CharsetMatch

UTF8 = "utf-8-sig"
"""UTF-8, with or without a byte order mark."""

MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

MARK = "\ufeff"
SWAPPED_MARK = "\ufffe"

NOT_OF_FILES = ("unicode_escape", "raw_unicode_escape", "idna", "punycode")
"""Codecs that Python lists among the text encodings, but that spell names and literals."""

# Rare code pages often look as likely as the common one that a text is really in, so only these are guessed.
COMMON = (
    *("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "mac_roman", "cp437"),
    *("cp932", "euc_jp", "gb18030", "cp949", "big5"),
)
COMMONEST = "cp1252"
SAMPLE_BYTES = 16_384
LINE_BYTES = 2_048
MOST_CHAOS = 10.0


class Flaw(NamedTuple):
    """The first place where bytes are not text: a byte that breaks the encoding, or a NUL."""

    offset: int
    line: int
    byte: int
    nul: bool = False


def known_encoding(name: str) -> str:
    """Return the encoding to use for the name a user gave, or say that there is none of that name."""
    try:
        b"a".decode(name, "ignore")
    except (LookupError, ValueError, TypeError) as error:
        raise _no_encoding(name) from error
    found = codecs.lookup(name).name
    if found.replace("-", "_") in NOT_OF_FILES:
        raise _no_encoding(name)
    return UTF8 if found == "utf-8" else name


def marked_encoding(head: bytes) -> str | None:
    """Return the encoding that a byte order mark at the head of a file declares."""
    return next((encoding for mark, encoding in MARKS if head.startswith(mark)), None)


def is_swapped(head: bytes, encoding: str) -> bool:
    """Whether the byte order mark at the head of a file is of the other order than `encoding`."""
    return marked_encoding(head) is not None and head[:4].decode(encoding, "ignore").startswith(SWAPPED_MARK)


def first_flaw(blocks: Iterable[bytes], encoding: str) -> Flaw | None:
    """Find the first byte that is not text in `encoding`; a NUL is none in any."""
    decoder = codecs.getincrementaldecoder(encoding)()
    read, line = 0, 1
    for block, last in _with_last(blocks):
        before = decoder.getstate()
        try:
            text = decoder.decode(block, last)
        except UnicodeDecodeError as error:
            held = len(error.object) - len(block)
            decoder.setstate(before)
            line += decoder.decode(block[: max(0, error.start - held)]).count("\n")
            return Flaw(read - held + error.start, line, error.object[error.start])
        if "\0" in text:
            at = text.index("\0")
            return Flaw(read + max(0, block.find(b"\0")), line + text[:at].count("\n"), 0, nul=True)
        read += len(block)
        line += text.count("\n")
    return None


def telling_lines(blocks: Iterable[bytes]) -> bytes:
    """Collect a sample of the lines that hold more than ASCII: only they tell the encoding."""
    found: list[bytes] = []
    size = 0
    for block in blocks:
        for line in block.split(b"\n"):
            if line and not line.isascii():
                found.append(line[:LINE_BYTES])
                size += len(found[-1])
                if size >= SAMPLE_BYTES:
                    return b"\n".join(found)
    return b"\n".join(found)


def guess(sample: bytes) -> str | None:
    """Return the encoding that `sample` is in if one stands out, else None.

    Where equally likely encodings read the sample differently nothing stands out, except that the Western
    code page, by far the commonest, wins a tie. Damaged UTF-8 is not taken for anything else.
    """
    from charset_normalizer import from_bytes

    if _mostly_utf8(sample):
        return None
    matches = list(from_bytes(sample, steps=16, chunk_size=1024, cp_isolation=list(COMMON)))
    if not matches or matches[0].percent_chaos > MOST_CHAOS:
        return None
    best = matches[0]
    tied = [match for match in matches if _ties(match, best)]
    if best.percent_coherence > 0 and any(COMMONEST in match.could_be_from_charset for match in tied):
        return COMMONEST
    return best.encoding if all(str(match) == str(best) for match in tied) else None


def _no_encoding(name: object) -> EncodingError:
    return EncodingError(f"there is no text encoding {name!r}; 'utf-8' and 'cp1252' are common")


def _ties(match: CharsetMatch, best: CharsetMatch) -> bool:
    return (
        match.percent_chaos <= best.percent_chaos + 1
        and match.percent_coherence >= best.percent_coherence - 1
    )


def _mostly_utf8(sample: bytes) -> bool:
    lines = sample.split(b"\n")
    return sum(_is_utf8(line) for line in lines) * 2 > len(lines)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _with_last(blocks: Iterable[bytes]) -> Iterable[tuple[bytes, bool]]:
    for block in blocks:
        yield block, False
    yield b"", True
