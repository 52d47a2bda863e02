"""Changing the manifest of a stored folder as an attacker would: with a digest that fits."""

from __future__ import annotations

import hashlib
import json

from colligate._storage.manifest import DIGEST_FIELD


def reseal(path, remove=(), **changes):
    content = json.loads(path.read_text(encoding="utf-8")) | changes
    for name in (*remove, DIGEST_FIELD):
        del content[name]
    content[DIGEST_FIELD] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(content), encoding="utf-8")
