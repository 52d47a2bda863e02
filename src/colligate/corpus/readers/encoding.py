"""Opening files of documents: decompressing them, and finding the encoding of their text.

The encoding is found, and the whole file checked against it, before the first document is read.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import warnings
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate._storage.plain_file import open_plain
from colligate.corpus.readers.limits import check_unpacked, line_error, read_limits
from colligate.errors import CorpusError, EncodingError, GuessedEncodingWarning, Parameter
from colligate.progress import ProgressMeter, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from charset_normalizer import CharsetMatch

    from colligate.progress import Listener

COMPRESSED_SUFFIXES = (".gz", ".zst")
BLOCK = 1 << 18
UTF8 = "utf-8-sig"
"""UTF-8, with or without a byte order mark."""
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    # before those of UTF-16: the mark of UTF-32-LE begins with that of UTF-16-LE
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BYTE_ORDER_MARK = "\ufeff"
SIGNATURES = {
    b"PK\x03\x04": "an Excel or Word file, or a ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"%PDF-": "a PDF file",
    b"\x89PNG\r\n": "a picture",
    b"\xff\xd8\xff": "a picture",
}
"""How files begin that are often taken for tables."""
HEAD_BYTES = 8
MARKED_ENCODINGS = ("utf-16", "utf-32")
"""Encodings whose files must begin with a byte order mark."""
SWAPPED_MARK = "\ufffe"
NOT_FOR_FILES = ("unicode_escape", "raw_unicode_escape", "idna", "punycode")
"""Codecs that Python lists among the text encodings, but that are for names and literals."""
# rare code pages often look as likely as the common one that a text is in, so only these are guessed
COMMON_ENCODINGS = (
    *("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "mac_roman", "cp437"),
    *("cp932", "euc_jp", "gb18030", "cp949", "big5"),
)
DEFAULT_GUESS = "cp1252"
SAMPLE_BYTES = 16_384
LINE_BYTES = 2_048
MAX_CHAOS = 10.0


class InputFile:
    """An open file: `raw` are its bytes on disk, `stream` the decompressed ones."""

    def __init__(self, path: Path, raw: io.FileIO) -> None:
        self.path = path
        self.raw = raw
        self.stream: BinaryIO = io.BufferedReader(_DecompressedStream(path, _decompress(path, raw)), BLOCK)

    @property
    def position(self) -> int:
        """The number of bytes on disk that have been read."""
        return self.raw.tell()


@contextmanager
def open_input(path: Path) -> Iterator[InputFile]:
    """Open a file for reading its decompressed bytes; errors name the file."""
    with wrap_input_errors(path):
        raw = open_plain(path)
    with raw:
        yield InputFile(path, raw)


@contextmanager
def wrap_input_errors(path: Path) -> Iterator[None]:
    """Raise a CorpusError that names the file for what the operating system or a decompressor raises."""
    try:
        yield
    except FileNotFoundError as error:
        raise CorpusError(f"there is no file {path}; check the name and the folder") from error
    except PermissionError as error:
        raise CorpusError(f"cannot read {path}: permission denied; change its permissions") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damage_error(path, error) from error
    except OSError as error:
        # errors of the operating system have a number, those of a decompressor have none
        if path.suffix.lower() in COMPRESSED_SUFFIXES and error.errno is None:
            raise _damage_error(path, error) from error
        raise CorpusError(f"cannot read {path}: {error.strerror or error}") from error


def format_suffix(path: Path) -> str:
    """Return the suffix that shows the format, in lower case, without a final `.gz` or `.zst`."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED_SUFFIXES else path
    return name.suffix.lower()


def file_size(path: Path) -> int:
    """Return the size of the file on disk in bytes."""
    with wrap_input_errors(path), open_plain(path) as stream:
        return os.fstat(stream.fileno()).st_size


def _damage_error(path: Path, error: BaseException) -> CorpusError:
    return CorpusError(f"{path} is damaged or cut short ({error}); fetch or compress it again")


def _decompress(path: Path, raw: io.FileIO) -> Any:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if suffix == ".zst":
        import pyarrow as pa

        return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")
    return raw


class _DecompressedStream(io.RawIOBase):
    """Decompressed bytes of a file, with every error turned into one that names the file."""

    def __init__(self, path: Path, stream: Any) -> None:
        self._path = path
        self._stream = stream
        self._n_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with wrap_input_errors(self._path):
            # not `read`: that of Arrow never frees its memory where the data are damaged
            n_bytes: int = self._stream.readinto(buffer)
        self._n_bytes += n_bytes
        if self._path.suffix.lower() in COMPRESSED_SUFFIXES:
            check_unpacked(self._n_bytes, self._path)
        return n_bytes


class DecodingFlaw(NamedTuple):
    """The first place where bytes are not text: a byte that breaks the encoding, or a NUL."""

    offset: int
    line: int
    byte: int
    nul: bool = False


def check_encoding(name: str) -> str:
    """Return the encoding for the name that a user gave; refuse one that files are not written in."""
    try:
        # unlike `lookup`, `decode` refuses codecs that are no text encodings, such as hex
        b"a".decode(name, "ignore")
    except (LookupError, ValueError, TypeError) as error:
        raise _unknown_encoding_error(name) from error
    codec = codecs.lookup(name).name
    if codec.replace("-", "_") in NOT_FOR_FILES:
        raise _unknown_encoding_error(name)
    return UTF8 if codec == "utf-8" else name


def read_byte_order_mark(head: bytes) -> str | None:
    """Return the encoding that a byte order mark declares, or None."""
    return next((encoding for mark, encoding in BYTE_ORDER_MARKS if head.startswith(mark)), None)


def is_swapped(head: bytes, encoding: str) -> bool:
    """Whether the byte order mark at the head of a file is of the other order than `encoding`."""
    return read_byte_order_mark(head) is not None and head[:4].decode(encoding, "ignore").startswith(
        SWAPPED_MARK
    )


def find_flaw(blocks: Iterable[bytes], encoding: str) -> DecodingFlaw | None:
    """Find the first byte that is not text in `encoding`; a NUL is not text in any."""
    decoder = codecs.getincrementaldecoder(encoding)()
    read, line = 0, 1
    for block, last in _mark_last(blocks):
        before = decoder.getstate()
        try:
            text = decoder.decode(block, last)
        except UnicodeDecodeError as error:
            # the decoder may have kept the first bytes of a character from the block before
            held = len(error.object) - len(block)
            # decoded once more up to the flaw, to count its line
            decoder.setstate(before)
            line += decoder.decode(block[: max(0, error.start - held)]).count("\n")
            return DecodingFlaw(read - held + error.start, line, error.object[error.start])
        if "\0" in text:
            line += text[: text.index("\0")].count("\n")
            return DecodingFlaw(read + max(0, block.find(b"\0")), line, 0, nul=True)
        read += len(block)
        line += text.count("\n")
    return None


def sample_non_ascii(blocks: Iterable[bytes]) -> bytes:
    """Collect a sample of the lines with more than ASCII: only they show the encoding."""
    sample: list[bytes] = []
    size = 0
    for block in blocks:
        for line in block.split(b"\n"):
            if line and not line.isascii():
                sample.append(line[:LINE_BYTES])
                size += len(sample[-1])
                if size >= SAMPLE_BYTES:
                    return b"\n".join(sample)
    return b"\n".join(sample)


def guess_encoding(sample: bytes) -> str | None:
    """Return the encoding of a sample if one is clearly the most likely, else None.

    Equally likely encodings are no problem if they read the sample alike, and the Western code page, by far
    the most common, wins a tie. Damaged UTF-8 is not taken for anything else.
    """
    from charset_normalizer import from_bytes

    if _is_mostly_utf8(sample):
        return None
    matches = list(from_bytes(sample, steps=16, chunk_size=1024, cp_isolation=list(COMMON_ENCODINGS)))
    if not matches or matches[0].percent_chaos > MAX_CHAOS:
        return None
    best = matches[0]
    tied = [match for match in matches if _is_tied(match, best)]
    if best.percent_coherence > 0 and any(DEFAULT_GUESS in match.could_be_from_charset for match in tied):
        return DEFAULT_GUESS
    return best.encoding if all(str(match) == str(best) for match in tied) else None


def _unknown_encoding_error(name: object) -> EncodingError:
    return EncodingError(f"there is no text encoding {name!r}; use a name such as 'utf-8' or 'cp1252'")


def _is_tied(match: CharsetMatch, best: CharsetMatch) -> bool:
    return (
        match.percent_chaos <= best.percent_chaos + 1
        and match.percent_coherence >= best.percent_coherence - 1
    )


def _is_mostly_utf8(sample: bytes) -> bool:
    lines = sample.split(b"\n")
    return sum(_is_utf8(line) for line in lines) * 2 > len(lines)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _mark_last(blocks: Iterable[bytes]) -> Iterable[tuple[bytes, bool]]:
    for block in blocks:
        yield block, False
    # the end must be marked: only then a character that is cut off is an error
    yield b"", True


def detect_encoding(path: Path, requested: str | None, listener: Listener) -> str:
    """Return an encoding in which the whole file is text, or raise an error that names the first bad byte.

    The file is read through once: a wrong guess found in the middle of a long run would come too late, and
    decoding costs little compared with counting words.
    """
    with open_input(path) as opened:
        head = opened.stream.read(HEAD_BYTES)
    check_signature(head, path)
    marked = read_byte_order_mark(head)
    encoding = check_encoding(requested) if requested else marked or UTF8
    check_byte_order(head, encoding, path)
    flaw = find_flaw(_read_blocks(path, listener), encoding)
    if flaw is None:
        return encoding
    check_not_binary(flaw, path)
    if requested or marked:
        raise decoding_error(path, flaw, encoding, None)
    return _guess_file_encoding(path, flaw)


def check_signature(head: bytes, path: Path) -> None:
    """Refuse a file of a known kind that has the name of a table, such as a workbook called .csv."""
    for signature, kind in SIGNATURES.items():
        if head.startswith(signature):
            raise CorpusError(
                f"{path} is {kind}, not a table in plain text, whatever its name says; export it as CSV in "
                "UTF-8, and pass that file"
            )


def check_not_binary(flaw: DecodingFlaw, path: Path) -> None:
    """Refuse a file with a NUL: it is no text at all, or UTF-16 without a byte order mark."""
    if flaw.nul:
        raise CorpusError(
            f"{path}:{flaw.line}: byte {flaw.offset} is NUL, so this is not a text file in UTF-8; if it is "
            "text in UTF-16, pass ",
            Parameter("encoding", "utf-16-le"),
            " or ",
            Parameter("encoding", "utf-16-be"),
        )


def check_byte_order(head: bytes, encoding: str, path: Path) -> None:
    """Refuse a file whose byte order mark contradicts the encoding, or lacks where it is needed."""
    name = codecs.lookup(encoding).name
    if head and name in MARKED_ENCODINGS and read_byte_order_mark(head) is None:
        raise EncodingError(
            f"{path}:1: the file does not begin with the byte order mark that {name} needs; pass ",
            Parameter("encoding", f"{name}-le"),
            " or ",
            Parameter("encoding", f"{name}-be"),
        )
    if is_swapped(head, encoding):
        raise EncodingError(
            f"{path}:1: the file begins with the byte order mark of another encoding than {encoding}; "
            "leave out ",
            Parameter("encoding"),
        )


def decoding_error(path: Path, flaw: DecodingFlaw, encoding: str, likely: str | None) -> EncodingError:
    """Return the error that names the byte that is not text, and what to try."""
    name = "utf-8" if encoding == UTF8 else encoding
    hint = likely or ("cp1252" if encoding == UTF8 else "utf-8")
    return EncodingError(
        f"{path}:{flaw.line}: byte {flaw.offset} (0x{flaw.byte:02x}) is not text in {name}; "
        "pass the file's encoding, for example ",
        Parameter("encoding", hint),
    )


def warn_guessed(what: str, encoding: str) -> None:
    """Warn that text was read in a guessed encoding."""
    warning = GuessedEncodingWarning(
        f"{what} not UTF-8; Colligate guessed {encoding}. If this is right, pass ",
        Parameter("encoding", encoding),
        ". Otherwise pass the right encoding.",
    )
    warnings.warn(warning, stacklevel=2)


def read_lines(opened: InputFile, encoding: str, newline: str) -> Iterator[str]:
    """Read an open file line by line, without its byte order mark; line ends are kept."""
    lines = io.TextIOWrapper(opened.stream, encoding, newline=newline)
    largest = read_limits().line
    # with a length, since a line without an end would fill the memory
    line, number = lines.readline(largest + 1).removeprefix(BYTE_ORDER_MARK), 1
    # the first line even of an empty file
    while line or number == 1:
        if len(line) > largest:
            raise line_error(f"{opened.path}:{number}: the line", largest)
        yield line
        line, number = lines.readline(largest + 1), number + 1


def _guess_file_encoding(path: Path, flaw: DecodingFlaw) -> str:
    sample = sample_non_ascii(_read_blocks(path, ignore_events))
    if b"\0" in sample:
        check_not_binary(flaw._replace(nul=True), path)
    encoding = guess_encoding(sample)
    if encoding is None or find_flaw(_read_blocks(path, ignore_events), encoding) is not None:
        raise decoding_error(path, flaw, UTF8, encoding)
    warn_guessed(f"{path} is", encoding)
    return encoding


def _read_blocks(path: Path, listener: Listener) -> Iterator[bytes]:
    meter = ProgressMeter(listener, "checking", file_size(path))
    with open_input(path) as opened:
        while block := opened.stream.read(BLOCK):
            meter.update(opened.position)
            yield block
    meter.finish()
