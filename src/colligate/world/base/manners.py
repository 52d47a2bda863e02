"""How an endpoint is treated: how long it is waited for, and how often and how much it is asked."""

from __future__ import annotations

from dataclasses import dataclass, fields

from colligate.errors import ParameterError


@dataclass(frozen=True)
class Manners:
    """Seconds a request may take, tries after a failure, and seconds between requests and before a new try.

    `page` is how many rows an endpoint gives in one answer (many public ones stop at 10,000 without a word),
    `batch` how many things are named in one query, and `largest` the most bytes of an answer.
    """

    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    pause: float = 0.1
    longest_wait: float = 60.0
    page: int = 10_000
    batch: int = 200
    largest: int = 1 << 28

    def __post_init__(self) -> None:
        for field in fields(self):
            value, least = getattr(self, field.name), _LEAST.get(field.name, 0)
            if not value >= least:
                raise ParameterError(f"{field.name} of an endpoint must be at least {least:g}; got {value!r}")
            if field.name in _SECONDS and value > LONGEST:
                raise ParameterError(
                    f"{field.name} of an endpoint must be at most {LONGEST:g}; got {value!r}"
                )


LONGEST = 86_400.0
"""The most seconds of anything: a day, which clocks of every platform can count."""

_SECONDS = ("timeout", "backoff", "pause", "longest_wait")
_LEAST = {"timeout": 0.001, "page": 16, "batch": 1, "largest": 1024}
