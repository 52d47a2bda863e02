"""Server-sent events: what the session emits, for every open page."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

from colligate.studio.server.endpoint import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from starlette.requests import Request

MAX_LISTENERS = 32
MAX_UNREAD = 1000
HEARTBEAT = 15.0


class Hub:
    """Passes events, from any thread, to all open pages; a page that is too slow is disconnected."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[bytes | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def emit(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send one event to all pages."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            line = f"event: {kind}\ndata: {json.dumps(content)}\n\n".encode()
            # queues of asyncio may be used in the thread of their loop only
            loop.call_soon_threadsafe(self._put, line)

    def close(self) -> None:
        """End all streams, so that the server can end."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)

    async def stream(self, request: Request) -> StreamingResponse:
        """Open the event stream of a page."""
        if len(self._queues) >= MAX_LISTENERS:
            raise RefusedError(
                503, f"{MAX_LISTENERS} pages of the studio are already open", "close some of them"
            )
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._queues.add(queue)
        return StreamingResponse(self._events(queue), media_type="text/event-stream")

    async def _events(self, queue: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
        try:
            # a page that lost the stream tries again after a second
            yield b"retry: 1000\n\n"
            while not self._closed:
                try:
                    line = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    # writing shows whether the page is still there
                    line = b": still here\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._queues.discard(queue)

    def _put(self, line: bytes) -> None:
        for queue in tuple(self._queues):
            if queue.qsize() >= MAX_UNREAD:
                self._queues.discard(queue)
                queue.put_nowait(None)
            else:
                queue.put_nowait(line)
