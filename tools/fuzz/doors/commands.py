"""The command line: every command that ends by itself, with changed options and values."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import warnings
from typing import TYPE_CHECKING, Any

import typer

import colligate as cg
from colligate.cli.main import app
from tools.fuzz import mutation
from tools.fuzz.doors.annotations import TASKS
from tools.fuzz.doors.base import KNOWLEDGE, Door, make_corpus, make_texts

if TYPE_CHECKING:
    import random

# values in capital letters are files and folders; those of a random text would leave the folder of the door
LINES = (
    "cluster DOCS --clusters 3 --method kmeans --restarts 1 --out OUT --overwrite --seed 1",
    "cluster DOCS -k 3 -m itcc --knowledge KNOWLEDGE --unknown report --max-iter 2 --out OUT --overwrite",
    "cluster DOCS -k 2 -m nmf --min-df 2 --max-df 0.9 --ngrams 1-2 --stop-words none --json --out OUT",
    "predict RUN DOCS --json --text text --id id",
    "update RUN DOCS --out OUT --overwrite --min-new-group 2",
    "change RUN --refine 0 --into 2 --dry-run",
    "hierarchy RUN --cut 2 --json",
    "similar RUN d0 --number 3",
    "export RUN --out OUT/table.csv --format csv --overwrite",
    "import-labels ANSWERS --from label-studio --question group --out OUT/labels.yaml --overwrite",
    "evaluate RUN --labels LABELS --id id --label label",
    "methods --json",
    "link DOCS --kb BASE --out OUT --overwrite --jobs 1 --min-confidence 0.5 --filter fbsf",
    "kb build BASE --out OUT/kb --overwrite",
    "kb query BASE ASK{?a?b?c} --json",
    "kb info BASE",
)
OPTIONS = (
    *("--seed", "--clusters", "--json", "--text", "--id", "--encoding", "--min-df", "--max-df", "--ngrams"),
    *("--param", "--word-clusters", "--jobs", "--unfit", "--time", "--by", "--tables", "--stem", "--names"),
    *("--token-pattern", "--segmenter", "--kb-type", "--type", "--x", "-", "--", "--help"),
)
VALUES = (
    *("0", "1", "2", "-1", "auto", "0.5", "nan", "inf", "1e999", "99999999999999999999", "1-2", "2-1", "a=b"),
    *(
        "n_init=1",
        "tol=x",
        "english",
        "de",
        "zh",
        "utf-16",
        "label",
        "text,id",
        "(",
        "[a-z",
        "(?P<n>x)",
        "csv",
    ),
)


class Commands(Door):
    """Commands with wrong options, values and files."""

    name = "commands"

    def prepare(self) -> None:
        corpus = make_corpus()
        os.chdir(self.folder)
        rows = [f"d{number},{text},{number % 3}" for number, text in enumerate(make_texts())]
        (self.folder / "docs.csv").write_text("\n".join(["id,text,label", *rows]) + "\n")
        (self.folder / "knowledge.yaml").write_text(KNOWLEDGE)
        (self.folder / "kb.csv").write_text("entity,name,type\nmoon,moon,body\nnasa,nasa,agency\n")
        (self.folder / "answers.json").write_text(json.dumps(TASKS))
        self.names = {
            "DOCS": "docs.csv",
            "LABELS": "docs.csv",
            "KNOWLEDGE": "knowledge.yaml",
            "BASE": "kb.csv",
            "ANSWERS": "answers.json",
            "RUN": "run",
            "OUT": "out",
        }
        model = cg.make("kmeans", n_clusters=3, n_init=1, random_state=0).fit(corpus)
        model.result_.save(self.folder / "run" / "model")
        self.command = typer.main.get_command(app)
        with contextlib.suppress(SystemExit):
            self.call(["cluster", "docs.csv", "-k", "3", "-m", "kmeans", "--out", "run", "--overwrite"])

    def attack(self, rng: random.Random) -> None:
        words = rng.choice(LINES).split()
        for _ in range(rng.choice((0, 1, 1, 2))):
            place = rng.randrange(1, len(words) + 1)
            kind = rng.randrange(6)
            if kind == 0 and place < len(words) and not words[place].startswith(tuple(self.names)):
                words[place] = rng.choice((*VALUES, *mutation.INTERESTING_TEXTS))
            elif kind == 1:
                words[place:place] = [rng.choice(OPTIONS), rng.choice(VALUES)]
            elif kind == 2 and place < len(words):
                del words[place]
            elif kind == 3 and place < len(words):
                words[place] = rng.choice(list(self.names))
            elif kind == 4:
                words[place:place] = [rng.choice(OPTIONS)]
            else:
                words[place:place] = [rng.choice(VALUES)]
        self.call([self.name_file(rng, word) for word in words])

    def name_file(self, rng: random.Random, word: str) -> str:
        """Put a file or folder of the door in the place of its mark; sometimes another one, or none."""
        mark, _, rest = word.partition("/")
        if mark not in self.names:
            return word
        name = rng.choice(list(self.names.values())) if rng.random() < 0.05 else self.names[mark]
        if rng.random() < 0.02:
            name = rng.choice(("missing.csv", ".", "run/model", "run/model/manifest.json", "x" * 300))
        return f"{name}/{rest}" if rest else name

    def call(self, words: list[str]) -> Any:
        """Run a command in this process; an exit with any code is an answer."""
        warnings.simplefilter("ignore")
        stdin = sys.stdin
        sys.stdin = io.StringIO()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                self.command.main(args=words, prog_name="colligate")
        except SystemExit:
            pass
        finally:
            sys.stdin = stdin
            shutil.rmtree(self.folder / "out", ignore_errors=True)
