"""Server-sent events: what the session tells, to every open page."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from starlette.requests import Request

MOST_LISTENERS = 32
MOST_UNREAD = 1000
HEARTBEAT = 15.0


class Hub:
    """Hands on what is told, from any thread, to the pages that listen; one that is too slow is let go."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[bytes | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def tell(self, kind: str, content: Mapping[str, Any]) -> None:
        """Hand on one event."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            line = f"event: {kind}\ndata: {json.dumps(content)}\n\n".encode()
            loop.call_soon_threadsafe(self._put, line)

    def close(self) -> None:
        """End all streams, so that the server can end."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)

    async def stream(self, request: Request) -> StreamingResponse:
        """The answer to a page that wants to listen."""
        if len(self._queues) >= MOST_LISTENERS:
            raise RefusedError(503, f"{MOST_LISTENERS} pages are listening already", "close some of them")
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._queues.add(queue)
        return StreamingResponse(self._events(queue), media_type="text/event-stream")

    async def _events(self, queue: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
        try:
            yield b": here\n\n"
            while not self._closed:
                try:
                    line = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    line = b": still here\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._queues.discard(queue)

    def _put(self, line: bytes) -> None:
        for queue in tuple(self._queues):
            if queue.qsize() >= MOST_UNREAD:
                self._queues.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(line)
