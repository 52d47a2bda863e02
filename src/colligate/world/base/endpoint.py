"""The knowledge base behind an address: any SPARQL 1.1 endpoint, asked in batches and in parts."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from colligate.errors import EndpointError
from colligate.progress import Event, nobody
from colligate.world.base.answering import AnsweringBase, Item, Row
from colligate.world.base.client import Client
from colligate.world.base.manners import Manners
from colligate.world.base.queries import HASHES
from colligate.world.base.reading import numbers_of, rows_of, table_from
from colligate.world.base.vocabulary import USUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.progress import Listener
    from colligate.world.base.cache import Cache
    from colligate.world.base.client import Answer
    from colligate.world.base.interface import Table
    from colligate.world.base.queries import Select
    from colligate.world.base.vocabulary import Vocabulary

Read = TypeVar("Read")
FILLED = 0.8
"""How full a page is to be on average: the parts of an answer differ a little in size."""


class EndpointBase(AnsweringBase):
    """A knowledge base at a URL; answers to our own queries are kept in `cache`, if there is one."""

    def __init__(
        self,
        url: str,
        *,
        cache: Cache | None = None,
        manners: Manners | None = None,
        languages: Iterable[str] = (),
        vocabulary: Vocabulary = USUAL,
        listener: Listener = nobody,
    ) -> None:
        super().__init__(languages, vocabulary)
        self._client = Client(url, manners or Manners())
        self._cache = cache
        self._listener = listener
        self._page = self._client.manners.page
        self.batch = self._client.manners.batch

    def query(self, sparql: str) -> Table:
        """The answer to a query in SPARQL 1.1, as it stands; it is asked anew each time."""
        return table_from(self._client.ask(sparql), self._client.url)

    def _rows(self, query: str) -> Iterator[Row]:
        return iter(self._fetched(query))

    def _numbers(self, query: str) -> tuple[int, ...]:
        return self._answered(query, numbers_of)

    def _all(self, select: Select) -> Iterator[Row]:
        """Ask part by part; that nothing was left out on the way is checked by the number of rows."""
        (expected,) = self._numbers(select.count())
        done = 0
        for rows in self._parts(select, expected):
            done += len(rows)
            self._listener(Event("asking", min(done, expected), expected))
            yield from rows
        if done != expected:
            raise EndpointError(
                f"{self._client.url} counts {expected:,} rows and gives {done:,}: it cuts its answers short "
                f"below page={self._page}, or it changed meanwhile; lower page, or leave out the cache"
            )

    def _parts(self, select: Select, expected: int) -> Iterator[list[Row]]:
        number = max(1, math.ceil(expected / (FILLED * self._page)))
        for part in range(number):
            yield from self._split(select, HASHES * part // number, HASHES * (part + 1) // number)

    def _split(self, select: Select, first: int, last: int) -> Iterator[list[Row]]:
        rows = self._fetched(select.text(first, last))
        if len(rows) < self._page or last - first == 1:
            yield rows
            return
        middle = (first + last) // 2
        yield from self._split(select, first, middle)
        yield from self._split(select, middle, last)

    def _about(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """The rows about some things; an answer that fills a page may have been cut, so less is asked for."""
        rows = self._fetched(make(items))
        if len(rows) < self._page:
            return iter(rows)
        if len(items) == 1:
            raise EndpointError(
                f"{self._client.url} has {len(rows):,} rows or more about {items[0]!a:.80}; raise page"
            )
        middle = len(items) // 2
        return chain(self._about(make, items[:middle]), self._about(make, items[middle:]))

    def _fetched(self, query: str) -> list[Row]:
        return self._answered(query, rows_of)

    def _answered(self, query: str, read: Callable[[Answer, str, str], Read]) -> Read:
        """An answer as it is read, from the cache where it is; only what could be read is kept there."""
        kept = self._cache.get(self._client.url, query) if self._cache else None
        if kept is not None:
            return read(kept, self._client.url, query)
        answer = self._client.ask(query)
        found = read(answer, self._client.url, query)
        if self._cache:
            self._cache.put(self._client.url, query, answer)
        return found
