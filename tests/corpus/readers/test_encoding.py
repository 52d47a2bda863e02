from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.corpus import Corpus
from colligate.corpus.readers.encoding import find_flaw, guess_encoding
from colligate.errors import CorpusError, EncodingError, GuessedEncodingWarning

SAMPLES = {
    "cp1252": "Die Größe der Straße überrascht viele Gäste, für die München schön ist.",
    "cp1251": "Привет, это простой текст на русском языке, который нужно прочитать правильно.",
    "koi8_r": "Привет, это простой текст на русском языке, который нужно прочитать правильно.",
    "cp1250": "Zażółć gęślą jaźń, książka leży na stole, a źródło jest świeże i bardzo piękne.",
    "cp932": "これは日本語の文章です。文字コードを正しく判定できるかどうかを調べます。",
    "gb18030": "这是一个中文文本，用来测试编码检测是否可靠。",
    "cp949": "이것은 인코딩 감지를 시험하기 위한 한국어 문장입니다.",
    "cp1253": "Αυτό είναι ένα απλό κείμενο στα ελληνικά για δοκιμή.",
}


@pytest.mark.filterwarnings("ignore::colligate.errors.UnspacedTextWarning")
@pytest.mark.parametrize("encoding", SAMPLES)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_an_encoding_that_stands_out_is_used_and_named(write, encoding, suffix):
    path = write(f"d.csv{suffix}", f'text\nplain words\n"{SAMPLES[encoding]}"\n'.encode(encoding))
    with pytest.warns(
        GuessedEncodingWarning, match=rf"d\.csv.* is not UTF-8; Colligate guessed {encoding}\..* pass enc"
    ):
        corpus = Corpus.read(path)
    assert corpus.texts[-1] == SAMPLES[encoding]


def test_the_lines_that_tell_may_come_late(write):
    path = write("d.csv", f'text\n{"plain words" * 30_000}\n"{SAMPLES["cp1252"]}"\n'.encode("cp1252"))
    with pytest.warns(GuessedEncodingWarning, match="guessed cp1252"):
        assert Corpus.read(path).texts[-1] == SAMPLES["cp1252"]


def test_an_encoding_that_does_not_stand_out_is_asked_for(write):
    path = write("d.csv", "text\ncaf\xe9\n".encode("latin-1"))
    with pytest.raises(EncodingError, match=r"d\.csv:2: byte 8 \(0xe9\) is not text in utf-8; .*'cp1252'"):
        Corpus.read(path)
    assert list(Corpus.read(path, encoding="latin-1").texts) == ["café"]


def test_damaged_utf8_is_not_taken_for_something_else(write):
    rows = "\n".join(f"prêt à l'été numéro {number}" for number in range(50)).encode()
    path = write("d.csv", b"text\n" + rows + b"\nbad \xff here\n")
    with pytest.raises(EncodingError, match=r"d\.csv:52: byte \d+ \(0xff\)"):
        Corpus.read(path)
    assert guess_encoding(rows + b"\n\xff") is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells(write, encoding):
    path = write("d.csv", "id,text\na,Größe 東京\n".encode(encoding))
    corpus = Corpus.read(path)
    assert (corpus.ids, corpus.texts[0]) == (["a"], "Größe 東京")
    assert Corpus.read(path, encoding=encoding).ids == ["a"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "UTF-16BE", "utf_32_le", "utf-32-be", "gb18030", "utf-7"])
@pytest.mark.parametrize("name", ["d.csv", "d.jsonl", "d/a.txt"])
def test_a_mark_is_no_part_of_the_text_in_an_encoding_by_name(write, encoding, name):
    content = {"d.csv": "id,text\na,orbit\n", "d.jsonl": '{"id": "a", "text": "orbit"}', "d/a.txt": "orbit"}
    path = write(name, f"\ufeff{content[name]}".encode(encoding))
    corpus = Corpus.read(path if name != "d/a.txt" else path.parent, encoding=encoding)
    assert (corpus.ids, list(corpus.texts)) == (["a"], ["orbit"])


@pytest.mark.parametrize("name", ["d.csv", "d/a.txt"])
def test_a_mark_of_the_other_byte_order_is_refused(write, name):
    path = write(name, "\ufefftext\norbit\n".encode("utf-16-le"))
    with pytest.raises(EncodingError, match="byte order mark of another encoding than utf-16-be"):
        Corpus.read(path if name == "d.csv" else path.parent, encoding="utf-16-be")


@pytest.mark.parametrize(
    "encoding",
    ["undefined", "idna", "punycode", "a\0b", "unicode_escape", "Raw-Unicode-Escape", "\udc80", "rot13", 5],
)
@pytest.mark.parametrize("name", ["d.csv", "d/a.txt"])
def test_what_is_no_encoding_of_files_is_refused(write, encoding, name):
    path = write(name, "text\norbit\n")
    with pytest.raises(EncodingError, match="there is no text encoding"):
        Corpus.read(path if name == "d.csv" else path.parent, encoding=encoding)


def test_utf8_by_name_may_have_a_mark(write):
    assert Corpus.read(write("d.csv", "\ufeffid,text\na,orbit\n"), encoding="UTF8").ids == ["a"]


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        ("id,text\na,é\n".encode(), "ascii", r"d\.csv:2: byte 10 \(0xc3\) is not text in ascii; .*'utf-8'"),
        (b"text\n" + b"aa\n" * 200_000 + b"\xff", "utf-8", r"d\.csv:200002: byte 600005 \(0xff\)"),
        ("text\nab\n".encode("utf-16") + b"\0", None, r"d\.csv:3: byte 18 \(0x00\) is not text in utf-16"),
        (b"text\na", "klingon", "no text encoding 'klingon'"),
        (b"text\na", "hex", "no text encoding 'hex'"),
    ],
)
def test_a_wrong_encoding_names_the_byte(write, content, encoding, message):
    with pytest.raises(EncodingError, match=message):
        Corpus.read(write("d.csv", content), encoding=encoding)


@pytest.mark.parametrize("content", [b"\x00\x01bin\xff", b"text\nab\0c\n", "text\na".encode("utf-16-le")])
def test_binary_files_are_refused(write, content):
    with pytest.raises(CorpusError, match=r"d\.csv:\d+: byte \d+ is NUL"):
        Corpus.read(write("d.csv", content))


@pytest.mark.parametrize("encoding", [None, "cp1252"])
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04\x14\0\6\0", "an Excel or Word file, or a ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel or Word file"),
        (b"%PDF-1.7\n", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
    ],
)
def test_a_workbook_or_picture_called_csv_is_named_as_what_it_is(write, content, encoding, kind):
    with pytest.raises(CorpusError, match=rf"d\.csv is {kind}, not a table .*; export it as CSV"):
        Corpus.read(write("d.csv", content), encoding=encoding)


@settings(max_examples=50, deadline=None)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0")),
    st.binary(min_size=1, max_size=3),
    st.integers(min_value=1, max_value=9),
    st.sampled_from(["utf-8", "utf-16-le", "cp932", "gb18030"]),
)
def test_the_first_flaw_is_where_decoding_at_once_finds_it(text, tail, size, encoding):
    data = text.encode(encoding, "ignore") + tail
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    flaw = find_flaw(blocks, encoding)
    start = _undecodable(data, encoding)
    if flaw is None or flaw.nul:
        assert start is None or flaw is not None
        assert (flaw is not None) == ("\0" in data.decode(encoding, "ignore"))
    else:
        assert (flaw.offset, flaw.byte) == (start, data[flaw.offset])
        assert flaw.line == data[:start].decode(encoding).count("\n") + 1


def _undecodable(data: bytes, encoding: str) -> int | None:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return None


def test_both_byte_orders_are_offered_alike(write):
    with pytest.raises(CorpusError, match="pass encoding='utf-16-le' or encoding='utf-16-be'"):
        Corpus.read(write("d.csv", "text\norbit\n".encode("utf-16-le")))
