"""Messages between the studio and its worker: one JSON object on a line."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Message = dict[str, Any]


def send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    """Send one message."""
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def received(stream: IO[bytes]) -> Iterator[Message]:
    """The messages as they come, until the other side is gone; a line cut off by its end is no message."""
    for line in stream:
        if line.endswith(b"\n"):
            yield json.loads(line)
