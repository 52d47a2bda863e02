"""What is asked for that is not there."""

from __future__ import annotations

from colligate.errors import InputError


class NotThereError(InputError):
    """There is no such run, group, document or job."""
