"""Finding the stored result of a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from colligate.cli.output import CHECKPOINT, MODEL
from colligate.errors import StoreError
from colligate.files import located

if TYPE_CHECKING:
    from colligate.result import Result


def load_run(path: Path) -> Result:
    """Load the result of a run from its output folder, or from the folder `model` in it."""
    from colligate.result import Result

    path = located(path)
    if (path / MODEL).is_dir():
        return Result.load(path / MODEL)
    if (path / CHECKPOINT).is_file():
        raise StoreError(
            f"{path} holds a run that is not finished; finish it with `colligate cluster … --resume`"
        )
    return Result.load(path)
