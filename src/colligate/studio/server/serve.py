"""Serving a session until it is told to stop."""

from __future__ import annotations

import secrets
import socket
from typing import TYPE_CHECKING

import uvicorn

from colligate.errors import InputError
from colligate.studio.server.app import make_app
from colligate.studio.server.events import Hub
from colligate.studio.server.protocol import BoundedProtocol

if TYPE_CHECKING:
    from colligate.studio.session import Session

ADDRESS = "127.0.0.1"
BACKLOG = 1024
END_SECONDS = 2


class Server(uvicorn.Server):
    """A server that is bound, and knows the address to open; port 0 takes a free one.

    It ends the streams of events first: a page that listens would otherwise keep it up.
    """

    def __init__(self, session: Session, port: int) -> None:
        self.listening = _bound(port)
        number, token = self.listening.getsockname()[1], secrets.token_urlsafe(24)
        self.address = f"http://{ADDRESS}:{number}/?token={token}"
        self.hub = Hub()
        session.listeners.append(self.hub.tell)
        config = uvicorn.Config(
            make_app(session, self.hub, number, token),
            http=BoundedProtocol,
            ws="none",
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=END_SECONDS,
            backlog=BACKLOG,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything."""
        self.hub.close()
        await super().shutdown(sockets)

    def serve_here(self) -> None:
        """Serve until told to stop."""
        with self.listening:
            self.run(sockets=[self.listening])


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port, or leave it out"
        ) from error
    return listening
