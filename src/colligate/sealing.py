"""Sealed JSON files: an object that names its format and its version, and carries a digest of itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DIGEST = "sha256_of_this"


@dataclass(frozen=True)
class Seal:
    """One kind of sealed file: its format, the version that is read, and the words for one that is unfit.

    `strange` completes "{path} …" for a file of another kind, `again` tells what to do about a damaged one.
    """

    format: str
    version: int
    strange: str
    again: str

    def text(self, content: Mapping[str, Any]) -> str:
        """The file of some content, which must be in JSON's own terms."""
        whole = {"format": self.format, "format_version": self.version, **content}
        return json.dumps({**whole, DIGEST: digest(whole)}, ensure_ascii=False, indent=2) + "\n"

    def opened(self, path: Path) -> dict[str, Any]:
        """The content of a file whose seal is whole; another kind or version and a change are refused."""
        found = self.parsed(path)
        version = found.get("format_version")
        if found.get("format") != self.format or type(version) is not int:
            raise StoreError(f"{path} {self.strange}")
        if version > self.version:
            raise StoreError(
                f"{path} is of format {version}, written by a newer Colligate; "
                f"this one reads {self.version}: upgrade Colligate"
            )
        if version < self.version:
            raise StoreError(
                f"{path} is of format {version}, written by an older Colligate, and this one reads only "
                f"{self.version}: make it again"
            )
        if found.pop(DIGEST, None) != digest(found):
            raise StoreError(f"{path} was changed after it was written; {self.again}")
        return found

    def parsed(self, path: Path) -> dict[str, Any]:
        """The object in a file, whatever it holds and whether or not it was changed."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise StoreError(f"{path} is damaged and cannot be read ({error}); {self.again}") from error
        if not isinstance(found, dict):
            raise StoreError(f"{path} {self.strange}")
        return found


def digest(content: Mapping[str, Any]) -> str:
    """The SHA-256 of an object, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
