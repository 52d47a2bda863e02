"""The knowledge file: YAML in, blocks out, and back."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import yaml

from colligate.errors import EncodingError, KnowledgeError
from colligate.files import writing_file
from colligate.knowledge.composing import composed
from colligate.knowledge.kind import Layout, all_kinds, find_kind
from colligate.knowledge.page import Page
from colligate.knowledge.spelling import misspells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.block import Block

_FILE = "the knowledge file"
_USUAL_TYPES = ("documents", "words")
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def read_blocks(path: Path) -> list[Block]:
    """Read all statements of a knowledge file, each with its line."""
    root = composed(path, _text(path))
    return [] if root is None else list(_blocks(Page(path), root))


def write_blocks(blocks: Iterable[Block], path: Path) -> None:
    """Write statements as a knowledge file that reads back to the same statements."""
    layout: Layout = {}
    told = list(blocks)
    for kind in all_kinds():
        kind.check_writable([block for block in told if block.kind in kind.names])
    for block in told:
        _refuse_positions(block)
        find_kind(block.kind).write(block, layout, path.parent)
    with writing_file(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        yaml.dump(
            layout,
            stream,
            Dumper=_DUMPER,
            default_flow_style=None,
            allow_unicode=True,
            sort_keys=False,
            width=100,
        )


def _refuse_positions(block: Block) -> None:
    """What stands in a file is text and so a name: position 1 would come back as the object called 1."""
    if block.subject.dtype != object:
        raise KnowledgeError(
            f"{block.source}: {block.type} given by position cannot be written to a knowledge file, "
            "where numbers are names; give them by name"
        )


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise KnowledgeError(f"there is no knowledge file {path}; check the path") from None
    except OSError as error:
        raise KnowledgeError(f"cannot read the knowledge file {path}: {error.strerror or error}") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = raw.count(b"\n", 0, error.start) + 1
        raise EncodingError(
            f"{path}:{row}: this is not UTF-8 text; save the knowledge file as UTF-8"
        ) from None


def _blocks(page: Page, root: Node) -> Iterator[Block]:
    """The blocks of all sections; a key that is no section is a type, and the network says if it has it."""
    sections = {kind.section: kind for kind in all_kinds() if kind.section}
    for key, section, node in page.mapping(root, _FILE):
        if section in sections:
            yield from sections[section].read(page, section, "", node)
        elif any(misspells(section, name) for name in sections):
            raise page.unknown_key(key, section, _FILE, (*sections, *_USUAL_TYPES))
        else:
            yield from _of_type(page, key, section, node, (*sections, *_USUAL_TYPES))


def _of_type(page: Page, at: Node, type_name: str, node: Node, usual: tuple[str, ...]) -> Iterator[Block]:
    readers = {key: kind for kind in all_kinds() for key in kind.keys}
    for key, text, value in page.mapping(node, repr(type_name)):
        if text not in readers:
            strange = type_name not in usual and not get_close_matches(text, readers, n=1)
            if strange and get_close_matches(type_name, usual, n=1):
                raise page.unknown_key(at, type_name, _FILE, usual)
            raise page.unknown_key(key, text, repr(type_name), readers)
        yield from readers[text].read(page, text, type_name, value)
