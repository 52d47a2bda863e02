"""Stored results, checkpoints and projects of the studio."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import hash_file
from colligate._storage.manifest import DIGEST_FIELD
from colligate.errors import ColligateError
from colligate.methods.fit import RunOptions
from tools.fuzz import mutation
from tools.fuzz.doors.base import METHODS, Door, make_corpus
from tools.fuzz.doors.requests import Requests

if TYPE_CHECKING:
    import random
    from pathlib import Path


def seal(path: Path, content: dict[str, Any]) -> None:
    """Write a manifest with a digest that fits, as an attacker would."""
    content.pop(DIGEST_FIELD, None)
    text = json.dumps(content, sort_keys=True)
    content[DIGEST_FIELD] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(content), encoding="utf-8")


class Results(Door):
    """Stored results whose arrays, manifests and tables were changed and sealed again."""

    name = "results"

    def prepare(self) -> None:
        corpus = make_corpus()
        knowledge = cg.Knowledge(unknown="report", contradictions="report").together(documents=[("d0", "d3")])
        self.stored = []
        for method in METHODS:
            takes = cg.make(method).takes
            known = knowledge if "links:documents" in takes else None
            model = cg.make(method, n_clusters=3, n_init=1, random_state=0).fit(corpus, knowledge=known)
            self.stored.append(model.result_.save(self.folder / f"sound-{method}"))

    def attack(self, rng: random.Random) -> None:
        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(rng.choice(self.stored), folder)
        for _ in range(rng.choice((1, 1, 2))):
            self.change(rng, folder)
        result = cg.Result.load(folder)
        result.predict(["orbit puck bread", ""])
        rng.choice(
            (
                lambda: result.predict_memberships(["orbit moon"]),
                lambda: result.top_words(3),
                lambda: result.group_names,
                lambda: result.why("d0"),
                lambda: result.audit(),
                lambda: result.documents.to_arrow(),
                lambda: result.hierarchy(),
                lambda: result.report(self.folder / "report.html"),
                lambda: result.save(self.folder / "again", overwrite=True),
            )
        )()

    def change(self, rng: random.Random, folder: Path) -> None:
        """Change one file of the folder, and seal what lies above it."""
        manifests = sorted(folder.rglob("*.json"))
        kind = rng.random()
        if kind < 0.55:
            path = rng.choice(sorted(folder.rglob("*.npz")))
            try:
                arrays = read_arrays(path)
            except ValueError:
                return  # an earlier change broke the file
            name = rng.choice(list(arrays))
            if rng.random() < 0.05:
                del arrays[name]
            elif rng.random() < 0.05:
                arrays[rng.choice(mutation.INTERESTING_TEXTS).replace("\0", "") or "x"] = arrays[name]
            else:
                arrays[name] = mutation.mutate_array(rng, arrays[name])
            try:
                write_arrays(path, arrays)
            except (ValueError, TypeError, UnicodeError):
                return
        elif kind < 0.85:
            path = rng.choice(manifests)
            content = json.loads(path.read_text(encoding="utf-8"))
            changed = mutation.mutate_value(rng, content)
            if isinstance(changed, dict):
                seal(path, changed)
        else:
            path = rng.choice(sorted(folder.rglob("*.parquet")) or manifests)
            self.change_table(rng, path)
        # the inner manifests first: the outer one holds their hashes
        for manifest in sorted(manifests, key=lambda path: -len(path.parts)):
            self.reseal(manifest)

    @staticmethod
    def change_table(rng: random.Random, path: Path) -> None:
        """Change the bytes, a column or the rows of a Parquet file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if path.suffix != ".parquet" or rng.random() < 0.5:
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
            return
        try:
            table = pq.read_table(path)
        except (pa.ArrowException, OSError):
            return  # an earlier change broke the file
        name = rng.choice(table.column_names)
        values = table.column(name).to_pylist()
        if values:
            values[rng.randrange(len(values))] = rng.choice((None, 5, -1, "x", 2**40, 0.5, values[0]))
        try:
            column = pa.array(values)
        except (pa.ArrowException, OverflowError):
            column = pa.array([str(value) for value in values])
        position = table.column_names.index(name)
        table = table.set_column(position, rng.choice((name, name, "other")), pa.chunked_array([column]))
        pq.write_table(table.slice(0, rng.choice((table.num_rows, table.num_rows, 1))), path)

    @staticmethod
    def reseal(path: Path) -> None:
        """Renew the hashes of a manifest."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            return
        files = content.get("files") if isinstance(content, dict) else None
        if not isinstance(files, dict):
            return
        for name in files:
            try:
                if (path.parent / name).is_file():
                    files[name] = hash_file(path.parent / name)
            except (OSError, ValueError):
                continue
        seal(path, content)


class Checkpoints(Door):
    """Checkpoints whose states and metadata were changed."""

    name = "checkpoints"

    def prepare(self) -> None:
        self.corpus = make_corpus()
        self.sound = {}
        for method in METHODS:
            path = self.folder / f"{method}.npz"
            options = RunOptions(checkpoint=path, checkpoint_interval=0.0, cancelled=path.exists)
            with contextlib.suppress(ColligateError):
                self.make(method).fit(self.corpus, options=options)
            self.sound[method] = read_arrays(path)

    @staticmethod
    def make(method: str) -> Any:
        """Make a method that can be interrupted."""
        return cg.make(method, n_clusters=3, n_init=2, max_iter=3, tol=0.0, random_state=0)

    def attack(self, rng: random.Random) -> None:
        method = rng.choice(METHODS)
        arrays = dict(self.sound[method])
        name = rng.choice(list(arrays))
        if name == "meta" and rng.random() < 0.7:
            content = mutation.mutate_value(rng, json.loads(arrays["meta"].tobytes()))
            arrays["meta"] = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
        elif rng.random() < 0.1:
            del arrays[name]
        else:
            arrays[name] = mutation.mutate_array(rng, arrays[name])
        path = self.folder / "changed.npz"
        write_arrays(path, arrays)
        if rng.random() < 0.1:
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
        self.make(method).fit(self.corpus, options=RunOptions(checkpoint=path, checkpoint_interval=1e9))


class Projects(Door):
    """Project folders of the studio whose files were changed."""

    name = "projects"

    def prepare(self) -> None:
        requests = Requests(self.folder / "made")
        requests.session.close()
        self.sound = requests.session.project.folder

    def attack(self, rng: random.Random) -> None:
        from colligate.studio.project import Project

        folder = self.folder / "changed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.sound, folder)
        if rng.random() < 0.6:
            changer = Results.__new__(Results)
            changer.change(rng, folder)
        else:
            path = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
            path.write_bytes(mutation.mutate_bytes(rng, path.read_bytes()))
        project = Project(folder)
        try:
            for record in project.work.runs():
                project.result(record).predict(["orbit"])
            project.knowledge()
        finally:
            project.close()
