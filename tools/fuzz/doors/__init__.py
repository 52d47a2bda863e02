"""The doors: each makes one random input after the other and hands it to the library as a user would.

`Door.prepare` runs once in a process, in a folder of its own; `Door.attack` runs once for each input. An
attack may end in an error of Colligate, never in another exception, in a crash, or in waiting.
"""

from __future__ import annotations

from tools.fuzz.doors.annotations import Annotations
from tools.fuzz.doors.base import Door, is_allowed, silence_warnings
from tools.fuzz.doors.bases import KnowledgeBases, Queries, Replies
from tools.fuzz.doors.commands import Commands
from tools.fuzz.doors.files import KnowledgeFiles, Readers
from tools.fuzz.doors.matrices import Matrices, Networks
from tools.fuzz.doors.requests import Requests
from tools.fuzz.doors.stored import Checkpoints, Projects, Results
from tools.fuzz.doors.texts import Fits, Texts

__all__ = ["DOORS", "Door", "is_allowed", "silence_warnings"]

DOORS: dict[str, type[Door]] = {
    door.name: door
    for door in (
        *(Matrices, Networks, Results, Checkpoints, Projects, Readers, KnowledgeFiles, Annotations),
        *(Queries, KnowledgeBases, Replies, Requests, Commands, Texts, Fits),
    )
}
