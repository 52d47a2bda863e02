"""Knowledge: what the user knows before clustering, in the user's terms, with where it came from."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import expand_path
from colligate._text import count_noun
from colligate.errors import KnowledgeError, KnowledgeWarning, ParameterError
from colligate.knowledge.annotations import (
    DOCUMENT_KEY,
    NO_GROUP,
    QUESTION,
    read_argilla,
    read_label_studio,
)
from colligate.knowledge.card import make_knowledge_card
from colligate.knowledge.changes import SECTION, Change
from colligate.knowledge.compile import Compiled, compile_statements
from colligate.knowledge.kinds.base import all_kinds, find_kind
from colligate.knowledge.kinds.category import category_block
from colligate.knowledge.kinds.group import group_block
from colligate.knowledge.kinds.label import label_block
from colligate.knowledge.kinds.link import link_blocks
from colligate.knowledge.kinds.name import name_block
from colligate.knowledge.kinds.outside import outside_block
from colligate.knowledge.kinds.size import size_block
from colligate.knowledge.names import misspells
from colligate.knowledge.statements import Block, Statement, Statements, check_strength, is_strength
from colligate.knowledge.text import format_name, is_text
from colligate.knowledge.yaml_file import BUILT_IN_CODE, read_file, translate_key, write_knowledge

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import FloatArray
    from colligate.knowledge.kinds.base import Grouping


_POLICIES = ("error", "report")


class Knowledge:
    """What is known before clustering. Each method adds statements and returns the same object.

    Parameters
    ----------
    unknown : {"error", "report"}
        What happens if a statement uses an unknown name: stop, or warn and go on without it.
    contradictions : {"error", "report"}
        What happens if statements contradict each other: stop, or warn and go on with all of them.

    Examples
    --------
    >>> import colligate as cg
    >>> cg.Knowledge().category("space", words=["orbit"]).label({"a12": "space"})
    Knowledge(2 statements)
    """

    def __init__(self, *, unknown: str = "error", contradictions: str = "error") -> None:
        for name, value in (("unknown", unknown), ("contradictions", contradictions)):
            if value not in _POLICIES:
                raise ParameterError(
                    f'{name} must be "error" or "report" in Knowledge; got {value!r}', parameter=name
                )
        self.unknown = unknown
        self.contradictions = contradictions
        self._blocks: list[Block] = []
        self.changes: tuple[Change, ...] = ()

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], *, unknown: str = "error", contradictions: str = "error"
    ) -> Knowledge:
        """Read a knowledge file (YAML); every value is text, so objects are given by name.

        Parameters
        ----------
        path
            The file.
        unknown, contradictions
            As in `Knowledge`.

        Raises
        ------
        KnowledgeError
            If the file is not a knowledge file; the message has the line.
        """
        knowledge = cls(unknown=unknown, contradictions=contradictions)
        blocks, changes = read_file(expand_path(path))
        knowledge.add(*blocks).changes = tuple(changes)
        if not knowledge:
            warnings.warn(
                f"the knowledge file {expand_path(path)} contains no statements; the run uses no knowledge",
                KnowledgeWarning,
                stacklevel=2,
            )
        return knowledge

    @classmethod
    def from_label_studio(
        cls,
        path: str | os.PathLike[str],
        *,
        question: str = QUESTION,
        id: str = DOCUMENT_KEY,
        unknown: str = "error",
        contradictions: str = "error",
    ) -> Knowledge:
        """Read the answers of annotators from an export of Label Studio as labels.

        Predictions are no answers. The answer "No group" puts a document outside. If annotators answer
        differently, the answer of most of them counts; without one, the document is left out with a warning.

        Parameters
        ----------
        path
            The export, as JSON or JSON-MIN.
        question
            The name of the choices in the labelling interface.
        id
            The key of the documents' ids in the data of the tasks.
        unknown, contradictions
            As in `Knowledge`.

        Raises
        ------
        KnowledgeError
            If the file is not such an export.
        """
        file = expand_path(path)
        answers = read_label_studio(file, question, id)
        return cls(unknown=unknown, contradictions=contradictions)._add_answers(answers, file.name)

    @classmethod
    def from_argilla(
        cls,
        path: str | os.PathLike[str],
        *,
        question: str = QUESTION,
        unknown: str = "error",
        contradictions: str = "error",
    ) -> Knowledge:
        """Read the responses of annotators from records of Argilla as labels.

        Suggestions are no answers; drafts and discarded responses are left out. Otherwise as in
        `from_label_studio`.

        Parameters
        ----------
        path
            A folder of `Dataset.to_disk`, a file of `records.to_json`, or a file with a record in each line.
        question
            The name of the question.
        unknown, contradictions
            As in `Knowledge`.

        Raises
        ------
        KnowledgeError
            If the file has no records.
        """
        file = expand_path(path)
        answers = read_argilla(file, question)
        return cls(unknown=unknown, contradictions=contradictions)._add_answers(answers, file.name)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a knowledge file that reads back to the same statements, sorted by section and kind.

        Raises
        ------
        KnowledgeError
            If objects are given by position, or documents were built in memory: a file cannot store these.
        """
        write_knowledge(self._blocks, self.changes, expand_path(path))

    def category(
        self, name: str, *, strength: float = 1.0, source: str = BUILT_IN_CODE, **members: Any
    ) -> Knowledge:
        """State that words, or objects of any type, are in a category (seed words).

        Parameters
        ----------
        name
            The name of the category, and of the group that its members support.
        strength
            How much the members count.
        source
            Where the statements come from.
        **members
            Objects by type: `category("space", words=["orbit", "nasa"])`.
        """
        if not is_text(name):
            raise KnowledgeError(f"the name of a category must be text; got {format_name(name)}")
        refuse_empty(members, f"category({name!r})", "words=[…]")
        strength = check_strength(strength, f"category({name!r})")
        return self.add(
            *(category_block(name, type_, names, strength, source) for type_, names in members.items())
        )

    def together(self, *, strength: Any = 1.0, source: str = BUILT_IN_CODE, **links: Any) -> Knowledge:
        """Say that objects belong together (must-link): `together(documents=[("a12", "b7")])`.

        Parameters
        ----------
        strength
            One number, or one per item.
        source
            Where the statements come from.
        **links
            Pairs by type. An item of more than two objects is a group: all its members belong together. Text
            is a name, a whole number a position, counted from 0; an integer array of shape (n, 2) is taken
            as it is.
        """
        return self._link("together", links, strength, source)

    def apart(self, *, strength: Any = 1.0, source: str = BUILT_IN_CODE, **links: Any) -> Knowledge:
        """Say that objects belong apart (cannot-link), as in `together`; a longer item is all apart."""
        return self._link("apart", links, strength, source)

    def groups(
        self, *, together: float = 1.0, apart: float = 0.0, source: str = BUILT_IN_CODE, **groups: Any
    ) -> Knowledge:
        """Say what belongs together by named groups: `groups(documents={"north": ["a12", "b7"]})`.

        Parameters
        ----------
        together, apart
            The strengths of the implied links inside a group and between the groups of this call; 0 means no
            links.
        source
            Where the statements come from.
        **groups
            Members by name, for each type.
        """
        refuse_empty(groups, "groups()", 'documents={"name": […]}')
        together = check_strength(together, "groups(together=…)", zero=True)
        apart = check_strength(apart, "groups(apart=…)", zero=True)
        if together == apart == 0:
            raise KnowledgeError(
                "groups(together=0, apart=0) has no effect; set at least one of the two above 0"
            )
        for type_, members in groups.items():
            require_mapping(members, f"groups({type_}=…)", "names to members")
        return self.add(
            *(group_block(type_, members, together, apart, source) for type_, members in groups.items())
        )

    def label(
        self, labels: Mapping[Any, str], *, type: str = "documents", source: str = BUILT_IN_CODE
    ) -> Knowledge:
        """Say which group objects belong to, by a name for it: `label({"a12": "space"})`.

        Parameters
        ----------
        labels
            The label of each object.
        type
            The type of the objects.
        source
            Where the statements come from.
        """
        require_mapping(labels, "label(…)", "objects to labels")
        return self.add(label_block(type, labels, source))

    def outside(
        self,
        outsiders: Sequence[str] | Sequence[int] | Corpus,
        *,
        type: str = "documents",
        source: str = BUILT_IN_CODE,
    ) -> Knowledge:
        """Say what belongs to no group (Universum).

        Parameters
        ----------
        outsiders
            Ids of documents in the corpus, or a corpus of further documents.
        type
            The type of the objects.
        source
            Where the statements come from.
        """
        return self.add(outside_block(type, outsiders, source))

    def names(
        self,
        names: Sequence[str] | Mapping[str, str],
        *,
        type: str = "documents",
        source: str = BUILT_IN_CODE,
    ) -> Knowledge:
        """Say what groups are called: `names(["sport", "business"])`. Nothing else need be known of them.

        Parameters
        ----------
        names
            The names, or a mapping from names to their meanings, where a name is no plain word:
            `names({"acq": "company takeover"})`.
        type
            The type of the objects that are grouped.
        source
            Where the statements come from.
        """
        return self.add(name_block(type, names, source))

    def group_size(
        self,
        name: str,
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        type: str = "documents",
        source: str = BUILT_IN_CODE,
    ) -> Knowledge:
        """Say how many objects a group has: `group_size("space", at_most=200)`.

        Parameters
        ----------
        name
            The name of a category or label of the same knowledge; "*" means every group.
        at_least, at_most
            The bounds; give one or both.
        type
            The type of the objects that are grouped.
        source
            Where the statements come from.
        """
        return self.add(size_block(type, {name: (at_least, at_most)}, source))

    def change(self, act: str, *groups: int | str | np.integer[Any], **details: Any) -> Knowledge:
        """Change groups of a result: `change("merge", 3, 7)`. `Result.apply` carries the changes out.

        Parameters
        ----------
        act
            `rename`, `move`, `merge`, `split`, `seed` or `new`.
        *groups
            The groups, by number or name. For `move` and `seed` it is the group that documents or a word go
            to; a name that no group has makes a new group. For `new` it is the name of a new group, which
            gets the documents that labels and categories of this name are about.
        **details
            `name` for `rename`, `documents` (ids) for `move`, `word` for `seed`, `into` for `split`.
        """
        ids = details.get("documents", ())
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise KnowledgeError(f"'documents' of a change must be a list of ids; got {ids!r:.60}")
        # numbers often come from a frame
        plain = [int(value) if isinstance(value, np.integer) else value for value in groups]
        if isinstance(into := details.get("into"), np.integer):
            details["into"] = int(into)
        if "documents" in details:
            details["documents"] = tuple(ids)
        self.changes += (Change(act, tuple(plain), **details),)
        return self

    def add(self, *blocks: Block) -> Knowledge:
        """Add blocks of statements, also of kinds of knowledge that have no method in this class."""
        for block in blocks:
            check_block(block)
        self._blocks.extend(block for block in blocks if len(block))
        return self

    def merge(self, other: Knowledge) -> Knowledge:
        """Add all statements and changes of `other` after these."""
        self.changes += other.changes
        return self.add(*other._blocks)

    def __add__(self, other: object) -> Knowledge:
        if not isinstance(other, Knowledge):
            return NotImplemented
        both = Knowledge(unknown=self.unknown, contradictions=self.contradictions)
        return both.merge(self).merge(other)

    def weighted(self, factors: Mapping[str, float]) -> Knowledge:
        """Return the same statements with the strengths of sources multiplied.

        Parameters
        ----------
        factors
            A factor for each source: `weighted({"experts": 2})`.
        """
        require_mapping(factors, "weighted(…)", "sources to factors")
        scaled = Knowledge(unknown=self.unknown, contradictions=self.contradictions)
        scaled.changes = self.changes
        return scaled.add(*scale_sources(self._blocks, factors))

    @property
    def statements(self) -> Statements:
        """All statements, as columns."""
        return Statements(self._blocks)

    def __len__(self) -> int:
        return sum(map(len, self._blocks))

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    def __bool__(self) -> bool:
        return bool(self._blocks or self.changes)

    def __repr__(self) -> str:
        changes = f", {count_noun(len(self.changes), 'change')}" if self.changes else ""
        return f"Knowledge({count_noun(len(self), 'statement')}{changes})"

    def _repr_html_(self) -> str:
        return make_knowledge_card(self)

    def compile(
        self,
        names: Mapping[str, Sequence[str] | range],
        groupings: Mapping[str, Grouping] | None = None,
    ) -> Compiled:
        """Turn the statements into guidance for objects of these names, by type.

        A `range` means objects that are known by position only; there, text that spells a position is one.
        `groupings` is the number of groups that a method makes of a type, so that contradictions with that
        number are found, too.
        """
        return compile_statements(self.statements, names, self.unknown, self.contradictions, groupings or {})

    def __getattr__(self, name: str) -> Any:
        key = translate_key(name)
        meant = {
            "categories": "category",
            "labels": "label",
            "groups": "group_size",
            "sizes": "group_size",
        }.get(key or "", key)
        hint = f"; did you mean {meant!r}?" if meant else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name)

    def _add_answers(self, answers: Mapping[str, str], source: str) -> Knowledge:
        """Add labels, and documents outside every group."""
        labels = {document: answer for document, answer in answers.items() if answer != NO_GROUP}
        outside = [document for document, answer in answers.items() if answer == NO_GROUP]
        if labels:
            self.label(labels, source=source)
        return self.outside(outside, source=source) if outside else self

    def _link(self, kind: str, links: dict[str, Any], strength: Any, source: str) -> Knowledge:
        refuse_empty(links, f"{kind}()", "documents=[…]")
        return self.add(
            *(
                block
                for type_, pairs in links.items()
                for block in link_blocks(kind, type_, pairs, strength, source)
            )
        )


def check_block(block: Block) -> None:
    """Refuse a type or a source that is not text, and a type that the knowledge file cannot express.

    A type with the name of a section, or a misspelling of it, could be written to the file, but not read.
    """
    sections = [SECTION, *(kind.section for kind in all_kinds() if kind.section)]
    for what, name in (("type", block.type), ("source", block.source)):
        if not is_text(name):
            raise KnowledgeError(f"the name of a {what} must be text; got {format_name(name)}")
    if block.type in (*sections, *find_kind(block.kind).reserved):
        raise KnowledgeError(
            f"a type cannot be called {format_name(block.type)!r}, because this is a key of the "
            "knowledge file; rename the type"
        )
    if near := [section for section in sections if misspells(block.type, section)]:
        raise KnowledgeError(
            f"a type cannot be called {format_name(block.type)!r}, because this looks like a "
            f"misspelling of the key {near[0]!r}; rename the type"
        )


def refuse_empty(members: Mapping[str, Any], call: str, example: str) -> None:
    """Refuse a call that names no objects."""
    if not members:
        raise KnowledgeError(
            f"{call} has no objects; pass the objects under the name of their type, as in {example}"
        )


def require_mapping(value: object, call: str, what: str) -> None:
    """Refuse anything but a mapping."""
    if not isinstance(value, Mapping):
        raise KnowledgeError(f"{call} needs a mapping from {what}; got {format_name(value)}")


def scale_sources(blocks: Sequence[Block], factors: Mapping[str, float]) -> Iterator[Block]:
    """Return the blocks in their order, the strengths of each named source multiplied by its factor."""
    sources = list(dict.fromkeys(block.source for block in blocks))
    for source in factors:
        if source not in sources:
            known = ", ".join(map(format_name, sources)) or "none"
            raise KnowledgeError(
                f"weighted(…): no statement comes from {format_name(source)!r}; the sources are: {known}"
            )
    checked = {
        source: check_strength(factor, f"weighted({{{source!r}: …}})", what="a factor")
        for source, factor in factors.items()
    }
    return (_scale(block, checked[block.source]) if block.source in checked else block for block in blocks)


def _scale(block: Block, factor: float) -> Block:
    if not find_kind(block.kind).has_strength:
        raise KnowledgeError(
            f"weighted({{{block.source!r}: …}}): this source has statements of the kind {block.kind!r}, "
            "which have no strength; give these statements another source"
        )
    strength = _multiply(block.strength, factor, block.source)
    return replace(block, strength=strength, apart=float(_multiply(block.apart, factor, block.source)))


def _multiply(strength: float | FloatArray, factor: float, source: str) -> float | FloatArray:
    """Return the product, unless it is too large or too small to be a strength."""
    with np.errstate(over="ignore", under="ignore"):
        product = np.asarray(strength, dtype=np.float64) * factor
    if is_strength(product, zero=True).all() and np.array_equal(product > 0, np.asarray(strength) > 0):
        return product if product.ndim else float(product)
    raise KnowledgeError(
        f"weighted({{{source!r}: {factor:g}}}) makes a strength too large or too small; "
        "use a factor closer to 1"
    )
