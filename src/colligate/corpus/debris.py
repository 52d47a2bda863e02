"""Debris of texts, which is not counted: markup, mail headers, signatures, attachments, numbers.

Texts come from strangers, so every step takes time in proportion to the length of the text.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TAGS, ENTITIES, HEADERS, SIGNATURES = "HTML tags", "HTML entities", "mail headers", "signatures"
ATTACHMENTS, NUMBERS = "encoded files", "numbers"
KINDS = (TAGS, ENTITIES, HEADERS, SIGNATURES, ATTACHMENTS, NUMBERS)
MAX_SIGNATURE_LINES, MAX_SIGNATURE = 10, 1_000
MAX_HEADER_START = 2_000
"""A header may follow a title, but it stands at the beginning of a text."""
MIN_HEADER_LINES = 2
MIN_ENCODED_LINES = 3

_ELEMENTS = (
    "a abbr address article aside audio b big blockquote body br button canvas caption center cite code col "
    "colgroup dd del details dfn dir div dl dt em embed figcaption figure font footer form frame frameset h1 "
    "h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu "
    "meta nav noscript object ol option p param picture pre q s samp section select small source span strike "
    "strong sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var video wbr"
)
# only elements of HTML: <GM> is the name of a firm
_TAG = re.compile(rf"</?(?:{'|'.join(_ELEMENTS.split())})(?:\s[^<>]*)?/?>", re.IGNORECASE)
# a lone <U> or <P> may be the sign of a firm
_MARKUP = re.compile(r"</[a-zA-Z]|<!--|<(?:p|(?i:br|hr|img|li|td|tr|div|html|script|style))\b[^<>]*>")
_HIDDEN = (("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"))
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_KNOWN_HEADER = re.compile(
    r"\n(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|in-reply-to|references|sender|return-path|"
    r"received|organization|lines|newsgroups|path|nntp-posting-host|distribution|followup-to|expires|"
    r"supersedes|x-newsreader|mime-version|content-type|archive-name|last-modified):[ \t]",
    re.IGNORECASE,
)
_HEADER_LINE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,40}:(?:[ \t]|$)")
# what these headers say is a part of what the mail is about
_KEPT_HEADER = re.compile(r"(?:subject|summary|keywords|title):", re.IGNORECASE)
# uuencode: a full line has a length of M, that is 45 bytes; base64: long lines of its alphabet
_ENCODED_LINE = re.compile(r"M[ -`]{60}[ \t]*|[A-Za-z0-9+/]{60,76}={0,2}")
# most texts have no such line after another: one search is faster than a look at every line
_ENCODED_START = re.compile(r"\n(?:M[ -`]{60}|[A-Za-z0-9+/]{60})")
_NUMBER = re.compile(r"\b[0-9]{2,}\b")


class DebrisRemover:
    """Removes debris from texts, and counts the documents that had some, by kind."""

    def __init__(self) -> None:
        self.documents: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        """Return a text without debris; numbers stay, since the tokenizer leaves them out."""
        clean = text
        for kind, remove in _REMOVERS:
            shorter = remove(clean)
            if shorter != clean:
                self.documents[kind] += 1
                clean = shorter
        if _NUMBER.search(clean):
            self.documents[NUMBERS] += 1
        return clean


def describe_debris(documents: Mapping[str, int]) -> str:
    """Say in one line what was not counted, and in how many documents; empty if there was nothing."""
    parts = [
        f"{kind} in {documents[kind]:,} document{'' if documents[kind] == 1 else 's'}"
        for kind in KINDS
        if documents.get(kind)
    ]
    return f"not counted as words: {', '.join(parts)}" if parts else ""


def _remove_entities(text: str) -> str:
    """Replace entities by their characters, twice, since feeds escape what is escaped already."""
    if "&" not in text or not _ENTITY.search(text):
        return text
    return html.unescape(html.unescape(text))


def _remove_tags(text: str) -> str:
    """Remove the elements of HTML, with the content of scripts, styles and comments."""
    if "<" not in text or not _MARKUP.search(text):
        return text
    for opening, closing in _HIDDEN:
        text = _cut_between(text, opening, closing)
    return _TAG.sub(" ", text)


def _cut_between(text: str, opening: str, closing: str) -> str:
    lower = text.lower()
    # lower case may have another length in a few scripts; positions would then be wrong
    if opening not in lower or len(lower) != len(text):
        return text
    kept, end = [], 0
    while (start := lower.find(opening, end)) >= 0 and (close := lower.find(closing, start)) >= 0:
        kept.append(text[end:start])
        end = close + len(closing)
    return " ".join([*kept, text[end:]])


def _remove_headers(text: str) -> str:
    """Remove the header of a mail, but not its subject."""
    if ":" not in text:
        return text
    beginning = text[:MAX_HEADER_START]
    # a pattern that begins with the end of a line is found several times as fast as one with ^
    if known := _KNOWN_HEADER.search(f"\n{beginning}"):
        first, lines = beginning.count("\n", 0, known.start()), text.split("\n")
        header = list(_take_header(lines[first:]))
        if sum(line[:1] not in " \t" for line in header) >= MIN_HEADER_LINES:
            kept = [line.partition(":")[2] for line in header if _KEPT_HEADER.match(line)]
            text = "\n".join([*lines[:first], *kept, *lines[first + len(header) :]])
    return text


def _take_header(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a header: names and values, and what continues a value."""
    for line in lines:
        if not _HEADER_LINE.match(line) and not (line[:1] in (" ", "\t") and line.strip()):
            return
        yield line


def _remove_signature(text: str) -> str:
    """Remove what follows a line of two hyphens, if it is short and ends the text."""
    start = max(text.rfind("\n-- \n"), text.rfind("\n--\n"))
    if start < 0:
        return text
    signature = text[start:].strip()
    if len(signature) > MAX_SIGNATURE or signature.count("\n") > MAX_SIGNATURE_LINES:
        return text
    return text[:start]


def _remove_attachments(text: str) -> str:
    """Remove runs of lines that encode a file."""
    if not _ENCODED_START.search(text):
        return text
    lines = text.split("\n")
    is_encoded = [len(line) >= 60 and _ENCODED_LINE.fullmatch(line) is not None for line in lines]
    if sum(is_encoded) < MIN_ENCODED_LINES:
        return text
    return "\n".join(line for line, encoded in zip(lines, is_encoded, strict=True) if not encoded)


# Entities first, since markup may be escaped.
_REMOVERS = (
    (ENTITIES, _remove_entities),
    (TAGS, _remove_tags),
    (ATTACHMENTS, _remove_attachments),
    (HEADERS, _remove_headers),
    (SIGNATURES, _remove_signature),
)
