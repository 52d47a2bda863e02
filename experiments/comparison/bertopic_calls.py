"""Run fifty calls of BERTopic and the same in Colligate: `python -m experiments.comparison.bertopic_calls`.

Options: `--data FOLDER`, `--ours` to run our side alone, and `--page` to write the page without a run. The
documents are stories of Reuters-21578 with their dates and topics. BERTopic (extra `experiments`) gets ready
vectors and an encoder that makes such vectors, those of WordLlama; nothing is loaded from elsewhere. The
language model is a server in this process that speaks the protocol of chat completions and replies with words
of the prompt. The outcomes are in `experiments/results/bertopic_calls.json`, the page is
`docs/comparison/bertopic.md`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import tempfile
import threading
import warnings
from collections import Counter
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate._storage.atomic import write_file
from colligate.methods.fit import RunOptions
from experiments.comparison.calls import BETTER, CALLS, CHANGING, DIFFERENT, NOT, PARTS, SAME
from experiments.corpora.folder import DATA_FOLDER, read_lines
from experiments.corpora.reuters import FILE
from experiments.evaluation.baselines import embed_by_words
from experiments.runner.store import current_commit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from experiments.comparison.calls import Call

RESULTS = Path(__file__).parents[1] / "results" / "bertopic_calls.json"
PAGE = Path(__file__).parents[2] / "docs" / "comparison" / "bertopic.md"
N_CLASSES, N_DOCUMENTS, N_LATER = 8, 700, 100
LABELLED = 200
WORKS, FAILS, ABSENT = "works", "fails", "absent"
MAX_FACT = 90
MAX_LINE = 42
GERMAN = ("Der Ölpreis steigt, sagt die Bank {}", "Das Spiel endet mit einem Tor für Verein {}")


class Encoder:
    """The vectors of WordLlama, as an object of the kind that sentence-transformers has."""

    def encode(self, texts: Sequence[str], **_: Any) -> np.ndarray:
        """One vector for each text, at unit length."""
        return embed_by_words([texts] if isinstance(texts, str) else list(texts))


def read_documents(data: Path) -> dict[str, Any]:
    """The stories, dates and classes that both packages get, under the names that the calls use."""
    about = "one story in a line, as JSON with the fields title, text, date and topics"
    stories = [one for one in read_lines(data / FILE, about) if one["text"] and len(one["topics"]) == 1]
    largest = dict(Counter(story["topics"][0] for story in stories).most_common(N_CLASSES))
    stories = [story for story in stories if story["topics"][0] in largest]
    rows = np.random.default_rng(0).permutation(len(stories))[: N_DOCUMENTS + N_LATER]
    stories = [stories[row] for row in rows]
    texts = [f"{story['title']}\n{story['text']}" for story in stories]
    moments = [datetime.strptime(story["date"].split()[0].title(), "%d-%b-%Y") for story in stories]
    return name_documents(texts, moments, [story["topics"][0] for story in stories], N_LATER)


def name_documents(
    texts: list[str], moments: list[datetime], classes: list[str], n_later: int
) -> dict[str, Any]:
    """Documents under the names that the calls use; the last ones come later."""
    n_now = len(texts) - n_later
    numbers = np.unique(classes[:n_now], return_inverse=True)[1]
    german = [pattern.format(k) for k in range(20) for pattern in GERMAN]
    return {
        "docs": texts[:n_now],
        "new_docs": texts[n_now:],
        "moments": moments[:n_now],
        "classes": classes[:n_now],
        "some_classes": np.where(np.arange(n_now) < min(LABELLED, n_now // 3), numbers, -1),
        "german_docs": german,
        "german_vectors": embed_by_words(german),
        # BERTopic's incremental steps do not take a mixture of single and double precision
        "vectors": embed_by_words(texts[:n_now]).astype(np.float64),
        "new_vectors": embed_by_words(texts[n_now:]).astype(np.float64),
        "encoder": Encoder(),
        "np": np,
    }


def name_ours(documents: Mapping[str, Any], server: str, folder: Path) -> dict[str, Any]:
    """What our calls use: a fitted model, its result, and a model for batches."""
    from sklearn.feature_extraction.text import CountVectorizer

    columns = {
        "date": [moment.date().isoformat() for moment in documents["moments"]],
        "class": documents["classes"],
    }
    corpus = cg.Corpus.from_texts(documents["docs"], columns=columns)
    model = cg.make("colligate", n_clusters=8, random_state=0).fit(corpus)
    return {
        **documents,
        "cg": cg,
        "method": cg.make("colligate", n_clusters=8, random_state=0),
        "model": model,
        "result": model.result_,
        "batches": cg.make("colligate", n_clusters=8, random_state=0),
        "RunOptions": RunOptions,
        "CountVectorizer": CountVectorizer,
        "events": [],
        "server": server,
        "folder": folder,
    }


def name_theirs(documents: Mapping[str, Any], server: str, folder: Path) -> dict[str, Any]:
    """What the calls of BERTopic use: a fitted model, and the classes that they name."""
    import openai
    from bertopic import BERTopic
    from bertopic.backend import BaseEmbedder
    from bertopic.representation import KeyBERTInspired, OpenAI
    from bertopic.vectorizers import ClassTfidfTransformer, OnlineCountVectorizer
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from sklearn.decomposition import IncrementalPCA
    from sklearn.feature_extraction.text import CountVectorizer
    from umap import UMAP

    class Embedder(BaseEmbedder):  # type: ignore[misc]
        """The encoder in the form that BERTopic takes."""

        def embed(self, documents: Sequence[str], verbose: bool = False) -> np.ndarray:
            return Encoder().encode(documents)

    encoder = Embedder()
    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=0)
    later = BERTopic(embedding_model=encoder).fit(documents["new_docs"], documents["new_vectors"])
    return {
        **documents,
        "BERTopic": BERTopic,
        "encoder": encoder,
        "topic_model": None,
        "later_topics": later,
        "online": BERTopic(
            umap_model=IncrementalPCA(n_components=5),
            hdbscan_model=MiniBatchKMeans(n_clusters=8, random_state=0),
            vectorizer_model=OnlineCountVectorizer(stop_words="english"),
        ),
        "umap": umap,
        "KMeans": KMeans,
        "KeyBERTInspired": KeyBERTInspired,
        "ClassTfidfTransformer": ClassTfidfTransformer,
        "CountVectorizer": CountVectorizer,
        "OpenAI": OpenAI,
        "client": openai.OpenAI(base_url=server, api_key="none"),
        "folder": folder,
    }


def fit_topics(names: Mapping[str, Any]) -> Any:
    """BERTopic as it comes, with a seed, on the ready vectors."""
    model = names["BERTopic"](umap_model=names["umap"], embedding_model=names["encoder"])
    return model.fit(names["docs"], names["vectors"])


def run_call(code: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run a piece of code and tell what came out of it."""
    if not code:
        return {"outcome": ABSENT}
    np.random.seed(0)  # noqa: NPY002 - UMAP without a seed uses the global generator
    try:
        value = eval(code, dict(names))
    except Exception as error:
        line = (str(error).strip().splitlines() or [""])[0]
        absent = isinstance(error, AttributeError)
        return {
            "outcome": ABSENT if absent else FAILS,
            "fact": shorten(f"{type(error).__name__}: {line}"),
        }
    return {"outcome": WORKS, "fact": shorten(describe_value(value))}


def describe_value(value: Any) -> str:
    """A short fact about a value: its shape and first entries."""
    if isinstance(value, cg.Corpus):
        return f"{len(value):,} documents, {len(value.words):,} words: {', '.join(value.words[:3])} …"
    if hasattr(value, "columns") and hasattr(value, "shape"):
        return f"{value.shape[0]:,} rows: {', '.join(map(str, value.columns))}"
    if hasattr(value, "shape") and len(value.shape) == 2:
        return f"{value.shape[0]:,} × {value.shape[1]:,}"
    if isinstance(value, np.ndarray) or (isinstance(value, list | tuple) and value and is_number(value[0])):
        first = ", ".join(f"{entry:.3g}" for entry in np.asarray(value).ravel()[:4].tolist())
        different = len(set(np.asarray(value).tolist()))
        return f"{len(value):,} numbers ({different:,} different): {first} …"
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return f"{len(value)} × {len(value[0])}"
    if isinstance(value, list | tuple):
        return f"{len(value)} entries: {'; '.join(describe_entry(entry) for entry in value)}"
    if type(value).__name__ == "Figure":
        return f"a figure of {type(value).__module__.partition('.')[0]}"
    return " ".join(str(value).split())


def describe_entry(value: Any) -> str:
    """An entry of a list; of a pair such as a word with its score, the first part."""
    return str(value[0] if isinstance(value, tuple) else " ".join(str(value).split()))


def is_number(value: Any) -> bool:
    """Whether a value is a plain number."""
    return isinstance(value, int | float | np.number)


def shorten(text: str) -> str:
    """The beginning of a fact."""
    return text if len(text) <= MAX_FACT else f"{text[: MAX_FACT - 2].rstrip()} …"


@contextlib.contextmanager
def serve_words() -> Iterator[str]:
    """The address of a server that replies to each prompt with words of it, as a language model would."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = name_by_prompt(body["messages"][-1]["content"])
            message = {"role": "assistant", "content": reply}
            answer = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
            answer["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
            raw = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def name_by_prompt(prompt: str) -> str:
    """A name of the first words that the prompt lists, in the form that the prompt asks for."""
    words = next((line for line in prompt.splitlines() if line.count(",") > 3), "topic")
    words = words.rpartition(":")[2].replace("'", "").strip(" []")
    name = f"About {', '.join(word.strip() for word in words.split(',')[:3])}"
    if '{"name"' in prompt:
        return json.dumps({"name": name[:60], "description": f"Documents with the words {words[:80]}."})
    return f"topic: {name}"


def run_ours(documents: Mapping[str, Any], server: str, folder: Path) -> dict[str, dict[str, Any]]:
    """The outcome of our side of every call."""
    names = name_ours(documents, server, folder)
    return {call.name: run_call(call.ours, names) for call in CALLS}


def run_theirs(documents: Mapping[str, Any], server: str, folder: Path) -> dict[str, dict[str, Any]]:
    """The outcome of BERTopic's side of every call; each gets a freshly fitted model if it changes one."""
    names = name_theirs(documents, server, folder)
    outcomes = {}
    changed = True
    for call in CALLS:
        if changed and "topic_model" in call.theirs:
            names["topic_model"], changed = fit_topics(names), False
        outcomes[call.name] = run_call(call.theirs, names)
        changed = changed or call in CHANGING
    return outcomes


def compose_page(stored: Mapping[str, Any]) -> str:
    """Put the stored outcomes beside the calls."""
    outcomes = stored["calls"]
    counts = Counter(call.verdict for call in CALLS)
    works = sum(one["ours"]["outcome"] == WORKS for one in outcomes.values())
    theirs = sum(one["theirs"]["outcome"] == WORKS for one in outcomes.values())
    parts = [
        INTRODUCTION.format(
            works=works,
            theirs=theirs,
            documents=stored["documents"],
            bertopic=stored["bertopic"],
            **{
                "same": counts[SAME],
                "more": counts[BETTER],
                "another": counts[DIFFERENT],
                "no": counts[NOT],
            },
        )
    ]
    for title, calls in PARTS.items():
        rows = ["| BERTopic | | Colligate |", "|---|---|---|"]
        rows += [compose_row(call, outcomes[call.name]) for call in calls]
        parts += [f"## {title}", "\n".join(rows)]
    parts += [ENDING, f"`python -m experiments.comparison.bertopic_calls`; computed at {stored['commit']}."]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def compose_row(call: Call, outcome: Mapping[str, Any]) -> str:
    """One call: the code of both sides, with what came out and the reason for the verdict below it."""
    theirs, ours = (format_outcome(outcome[side]) for side in ("theirs", "ours"))
    note = f"<br>{call.note}" if call.note and call.ours else call.note
    return f"| `{call.name}`{theirs} | {call.verdict} | {format_code(call.ours)}{ours}{note} |"


def format_code(code: str) -> str:
    """Code in a cell, in short lines: broken between calls, at commas, and before `for`."""
    lines: list[str] = []
    for part in [code] if len(code) <= MAX_LINE else code.replace(").", ")\n.").splitlines():
        lines.append("")
        for piece in re.split(r"(?<=,) | (?=for |== )", part):
            if lines[-1] and len(lines[-1]) + len(piece) >= MAX_LINE:
                lines.append(piece)
            else:
                lines[-1] += f" {piece}" if lines[-1] else piece
    return "<br>".join(f"`{line}`" for line in lines if line)


def format_outcome(outcome: Mapping[str, Any]) -> str:
    """What came out, as a line below the code."""
    if outcome["outcome"] == ABSENT:
        return ""
    fact = outcome["fact"].replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return f"<br>→ {fact}" if outcome["outcome"] == WORKS else f"<br>→ fails: {fact}"


INTRODUCTION = """# Coming from BERTopic

Fifty calls and parameters of BERTopic, beside what does the same in Colligate. All code in the last column
was run, and so was its counterpart in BERTopic {bertopic}, on {documents} stories of Reuters-21578 with ready
vectors of WordLlama. What came out is below the code, after the arrow. {theirs} calls of BERTopic ran, and
{works} of Colligate. The middle column is our verdict: {same} do the *same*, {more} do *more*, {another} are
done *another way*, and {no} have no counterpart (*no*), with the reason. Which fifty is our choice as well.

In the code, `method` is `cg.make("colligate", n_clusters=8, random_state=0)`, `model` is a fitted one,
`result` its `result_`, `docs` a list of texts, `encoder` an object with `encode`, `vectors` an array.
[How the groups compare](../evaluation.md#without-knowledge) is on another page. The notebook
[From BERTopic](../notebooks.md) walks through the most used of these calls.

Three differences to know first:

- **You say how many groups you want**, or `n_clusters="auto"`. BERTopic finds a number by density, and often
  leaves many documents out as topic -1. Colligate places every document that has a counted word.
- **A result does not change.** `merge`, `rename`, `split`, `update` return a new one. Groups keep their
  numbers.
- **Knowledge is the point**: seed words, labels, links, names, sizes; each statement is audited.
"""
ENDING = """## Calls that are not in the table

- `visualize_topics_per_class`: `result.figures.over("class")`. `visualize_distribution`:
  `result.why(document)`.
- `visualize_term_rank`, `visualize_document_datamap`, `visualize_hierarchical_documents`: no counterpart. The
  [studio](../studio/index.md) shows the map, the words and the hierarchy together.
- `delete_topics`: no counterpart. A group that you do not want is merged, or its documents are stated to be
  [outside](../knowledge.md).
- `push_to_hf_hub`: no counterpart. A stored result is a folder; nothing is sent anywhere.
- Images and multimodal topics: no counterpart. Colligate groups texts, and objects related to them.
"""


def read_outcomes() -> dict[str, Any]:
    """What the last run stored."""
    return dict(json.loads(RESULTS.read_text(encoding="utf-8")))


def run_calls(documents: Mapping[str, Any], kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """The outcomes of both sides; BERTopic's are taken from `kept`, if there are such."""
    # BERTopic's default encoder would be looked for at a hub
    os.environ["HF_HUB_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory() as folder, serve_words() as server, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = run_ours(documents, server, Path(folder))
        if kept is None:
            theirs = run_theirs(documents, server, Path(folder))
        else:
            theirs = {name: outcome["theirs"] for name, outcome in kept["calls"].items()}
    return {
        "bertopic": version("bertopic") if kept is None else kept["bertopic"],
        "commit": current_commit(),
        "documents": len(documents["docs"]),
        "calls": {call.name: {"theirs": theirs[call.name], "ours": ours[call.name]} for call in CALLS},
    }


def main() -> None:
    """Run both sides, store the outcomes, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER)
    parser.add_argument("--ours", action="store_true", help="run our side; keep what BERTopic's side gave")
    parser.add_argument("--page", action="store_true", help="write the page of stored outcomes alone")
    options = parser.parse_args()
    if not options.page:
        stored = run_calls(read_documents(options.data), read_outcomes() if options.ours else None)
        with write_file(RESULTS) as temporary:
            temporary.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.parent.mkdir(exist_ok=True)
    with write_file(PAGE) as temporary:
        temporary.write_text(compose_page(read_outcomes()), encoding="utf-8")


if __name__ == "__main__":
    main()
