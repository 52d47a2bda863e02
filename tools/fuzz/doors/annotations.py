"""Exports of annotation tools, and taxonomies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import colligate as cg
from tools.fuzz import mutation
from tools.fuzz.doors.base import Door

if TYPE_CHECKING:
    import random
    from pathlib import Path

TASKS = [
    {
        "id": number,
        "data": {"text": "orbit", "document": f"d{number}"},
        "annotations": [
            {"result": [{"from_name": "group", "type": "choices", "value": {"choices": [choice]}}]},
        ],
        "predictions": [],
    }
    for number, choice in enumerate(("space", "ice", "No group"))
]
RECORDS = [
    {
        "id": f"d{number}",
        "fields": {"text": "orbit"},
        "responses": {"group": [{"value": choice, "status": "submitted", "user_id": "u"}]},
    }
    for number, choice in enumerate(("space", "ice"))
]


class Annotations(Door):
    """Exports of Label Studio and Argilla, tables of concepts, and WordNet's files."""

    name = "annotations"
    CONCEPTS = "id,label,broader,alternative\nsport,sport,,game\nhockey,hockey,sport,puck|ice hockey\n"
    NOUNS = (
        "00001740 03 n 01 entity 0 001 ~ 00001930 n 0000 | that\n"
        "00001930 03 n 01 moon 0 001 @ 00001740 n 0000 | body\n"
    )
    INDEX = "entity n 1 1 ~ 1 1 00001740\nmoon n 1 1 @ 1 1 00001930\n"
    LINES: ClassVar[tuple[str, ...]] = ("label studio", "argilla", "concepts", "wordnet")

    def attack(self, rng: random.Random) -> None:
        kind = rng.choice(self.LINES)
        if kind == "label studio":
            path = self.write_json(rng, TASKS)
            knowledge = cg.Knowledge.from_label_studio(path, unknown="report", contradictions="report")
            knowledge.compile({"documents": ["d0", "d1", "d2"]})
        elif kind == "argilla":
            path = self.write_json(rng, RECORDS)
            knowledge = cg.Knowledge.from_argilla(path, unknown="report", contradictions="report")
            knowledge.compile({"documents": ["d0", "d1"]})
        elif kind == "concepts":
            path = self.folder / "concepts.csv"
            path.write_bytes(mutation.mutate_bytes(rng, self.CONCEPTS.encode()))
            cg.Taxonomy.read(path).below(["sport"])
        else:
            for name, text in (("data.noun", self.NOUNS), ("index.noun", self.INDEX)):
                data = text.encode()
                (self.folder / name).write_bytes(
                    mutation.mutate_bytes(rng, data) if rng.random() < 0.6 else data
                )
            cg.Taxonomy.wordnet(self.folder).below(["entity"])

    def write_json(self, rng: random.Random, value: Any) -> Path:
        """Write a changed value as JSON, or changed bytes of it."""
        path = self.folder / "answers.json"
        if rng.random() < 0.7:
            path.write_text(json.dumps(mutation.mutate_value(rng, value)), encoding="utf-8")
        else:
            path.write_bytes(mutation.mutate_bytes(rng, json.dumps(value).encode()))
        return path
