"""The knowledge base inside the process: an RDF store on disk or in memory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from colligate.errors import KnowledgeBaseError, StoreError
from colligate.world.base.answering import AnsweringBase, Row
from colligate.world.base.answers import table_of
from colligate.world.base.manifest import AGAIN
from colligate.world.base.vocabulary import USUAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyoxigraph import Literal, NamedNode, QuerySolutions, Store

    from colligate.world.base.interface import Table
    from colligate.world.base.queries import Select
    from colligate.world.base.vocabulary import Vocabulary


class EmbeddedBase(AnsweringBase):
    """A knowledge base in a store of this process; it is only ever read here."""

    def __init__(
        self, store: Store, *, languages: Iterable[str] = (), vocabulary: Vocabulary = USUAL
    ) -> None:
        super().__init__(languages, vocabulary)
        self._store = store

    def query(self, sparql: str) -> Table:
        """The answer to a query in SPARQL 1.1, as it stands."""
        with _readable():
            return table_of(self._store.query(sparql))

    def _rows(self, query: str) -> Iterator[Row]:
        # an answer of the store must end in the thread in which it began, so it is not handed out
        return iter(list(self._streamed(query)))

    def _all(self, select: Select) -> Iterator[Row]:
        return self._streamed(select.text())

    def _streamed(self, query: str) -> Iterator[Row]:
        with _readable():
            for solution in cast("QuerySolutions", self._store.query(query)):
                yield tuple([term.value for term in cast("Iterable[NamedNode | Literal]", solution)])


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise KnowledgeBaseError(f"this is no query in SPARQL: {error!s:.300}") from error
    except (OSError, RuntimeError) as error:
        raise StoreError(f"the knowledge base cannot be read ({error}); {AGAIN}") from error
