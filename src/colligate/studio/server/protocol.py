"""Connections within bounds: whoever opens many, or says nothing, cannot keep the user out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

MOST_CONNECTIONS = 128
PATIENCE = 10.0
"""Seconds that a connection may take until its first request is whole."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with a bound on connections, where the oldest idle one makes room, and on silence."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room, and begin to wait for the first request."""
        super().connection_made(transport)
        self._open[self] = None
        if len(self._open) > MOST_CONNECTIONS:
            idle = next((one for one in self._open if one.is_idle), self)
            # at once, and not when it is lost: until then the next one needs room as well
            del self._open[idle]
            idle.transport.abort()
        self.loop.call_later(PATIENCE, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open.pop(self, None)
        super().connection_lost(exc)

    @property
    def _open(self) -> dict[BoundedProtocol, None]:
        """The connections of the server, the oldest first."""
        found: dict[BoundedProtocol, None] = self.server_state.__dict__.setdefault("open", {})
        return found

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return not self._asked or self.cycle.response_complete

    @property
    def _asked(self) -> bool:
        """Whether a first request came; uvicorn's own type leaves out that there may be none."""
        cycle: object = self.cycle
        return cycle is not None

    def _lose_patience(self) -> None:
        if not self._asked and not self.transport.is_closing():
            self.transport.abort()
