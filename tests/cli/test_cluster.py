from __future__ import annotations

import csv
import json
from contextlib import contextmanager

import numpy as np
import pytest

import colligate as cg
from colligate.cli import console
from colligate.cli.output import NAMES, START
from colligate.result import Result


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def labels(folder):
    return [(row["id"], row["cluster"]) for row in rows(folder / "documents.csv")]


def test_everything_is_in_the_output_folder_and_nothing_else(run_folder):
    assert {path.name for path in run_folder.iterdir()} == set(NAMES) - {START}
    assert len(rows(run_folder / "documents.csv")) == 36
    assert len(rows(run_folder / "clusters.csv")) == 3
    assert {row["status"] for row in rows(run_folder / "knowledge.csv")} <= {"kept", "broken"}
    assert "<html" in (run_folder / "report.html").read_text(encoding="utf-8")
    assert Result.load(run_folder / "model").n_groups() == 3


def test_the_record_tells_how_the_run_was_made(run_folder):
    record = json.loads((run_folder / "run.json").read_text(encoding="utf-8"))
    assert record["method"] == "colligate"
    assert record["seed"] == 0
    assert record["parameters"]["n_init"] == 3
    assert len(record["trace"]["restarts"]) == 3
    assert record["sizes"]["documents"] == 36
    assert sum(group["size"] for group in record["groups"]) == 36
    assert record["knowledge"]["statements"] == record["knowledge"]["kept"] == 6
    assert set(record["metrics"]["link_satisfaction"]["documents"]) == {"together", "apart"}
    assert record["changes"]["moved"] >= 0
    stages = {"reading", "copies", "knowledge", "clustering", "tables", "model", "report"}
    assert set(record["timings"]) == stages
    assert record["versions"]["colligate"]
    assert record["options"]["clusters"] == 3
    assert record["options"]["unknown"] == "error"


def test_the_table_and_the_lines_after_it(call, docs, knowledge, tmp_path):
    done = call("cluster", docs, "-k", 3, "--knowledge", knowledge, "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert "top words" in done.stdout
    assert "Knowledge: 6 statements: 6 kept." in done.stdout
    assert "The knowledge moved" in done.stdout
    assert f"Report: {tmp_path / 'out' / 'report.html'}" in done.stdout


def test_a_suggested_number_is_printed_with_its_reasons_and_recorded(call, docs, tmp_path):
    done = call("cluster", docs, "-k", "auto", "--out", tmp_path / "out", "--max-iter", 1)
    assert done.exit_code == 0, done.output
    suggestion = cg.suggest_clusters(cg.Corpus.read(docs))
    assert done.stdout.startswith(f"{suggestion}\n")
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert record["suggestion"]["text"] == str(suggestion)
    assert record["suggestion"]["n_clusters"] == suggestion.n_clusters == len(record["groups"])
    assert record["suggestion"]["is_clear"] == suggestion.is_clear
    assert [one["reason"] for one in record["suggestion"]["plausible"]] == [
        one.reason for one in suggestion.plausible
    ]


def test_json_is_all_there_is_on_stdout(call, docs, tmp_path):
    out = tmp_path / "out"
    done = call("cluster", docs, "--clusters", 3, "--out", out, "--json", "--max-iter", 1)
    record = json.loads(done.stdout)
    assert record["out"] == str(out)
    assert record["report"] == str(out / "report.html")
    assert record["knowledge"] is None
    assert record["changes"] is None


def test_without_knowledge_the_audit_is_a_header(call, docs, tmp_path):
    call("cluster", docs, "--clusters", 3, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "knowledge.csv").read_text(encoding="utf-8").splitlines() == [
        "number,kind,type,subject,object,strength,source,line,status,cost,note,trust"
    ]


def test_the_groups_do_not_depend_on_threads(call, docs, knowledge, tmp_path):
    for jobs in (1, 2):
        done = call(
            "cluster", docs, "-k", 3, "--knowledge", knowledge, "--jobs", jobs, "--out", tmp_path / str(jobs)
        )
        assert done.exit_code == 0, done.output
    assert labels(tmp_path / "1") == labels(tmp_path / "2")


def test_the_same_groups_from_python(call, docs, tmp_path):
    import colligate as cg

    call("cluster", docs, "-k", 3, "--seed", 7, "--restarts", 2, "--out", tmp_path / "out")
    model = cg.make("colligate", n_clusters=3, random_state=7, n_init=2).fit(cg.Corpus.read(docs))
    assert [int(label) for _, label in labels(tmp_path / "out")] == model.labels_.tolist()


def test_options_reach_the_analyser_and_the_method(call, docs, tmp_path):
    done = call(
        *("cluster", docs, "--clusters", 3, "--out", tmp_path / "out", "--json"),
        *("--text", "label", "--text", "text", "--id", "id", "--encoding", "utf-8"),
        *("--min-df", 2, "--max-df", 0.9, "--stop-words", "none", "--ngrams", "1-2"),
        *(
            "--method",
            "citcc",
            "--word-clusters",
            5,
            "--param",
            "link_weight=3",
            "--param",
            "polish=True",
            "--max-iter",
            50,
        ),
    )
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["parameters"]["link_weight"] == 3
    assert record["parameters"]["polish"] is True
    assert record["parameters"]["max_iter"] == 50
    assert record["sizes"]["groups"]["words"] == 5
    analyser = Result.load(tmp_path / "out" / "model").corpus.analyser
    assert (analyser.min_df, analyser.max_df, analyser.ngrams, analyser.stop_words) == (2, 0.9, (1, 2), None)
    assert any(row["word"].startswith("space ") for row in rows(tmp_path / "out" / "words.csv"))


def test_no_compare_makes_no_second_run(call, docs, knowledge, tmp_path):
    done = call(
        "cluster",
        docs,
        "-k",
        3,
        "--knowledge",
        knowledge,
        "--no-compare",
        "--json",
        "--out",
        tmp_path / "out",
    )
    assert json.loads(done.stdout)["changes"] is None


@pytest.mark.parametrize("method", ["itcc", "kmeans"])
def test_other_methods(call, docs, tmp_path, method):
    done = call("cluster", docs, "--clusters", 3, "--method", method, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert len(rows(tmp_path / "out" / "documents.csv")) == 36


def test_warnings_are_lines_on_stderr_and_kept(call, tmp_path, docs, knowledge):
    latin = tmp_path / "latin.csv"
    french = "Le café était fermé à midi et les élèves mangèrent une crème brûlée près de la fenêtre"
    more = "".join(f"z{number},food,{french}\n" for number in range(5))
    latin.write_bytes((docs.read_text(encoding="utf-8") + more).encode("cp1252"))
    knowledge.write_text("documents:\n  together: [[s0, s1], [s0, nobody]]\n", encoding="utf-8")
    out = tmp_path / "out"
    done = call(
        *("cluster", latin, "-k", 3, "--knowledge", knowledge, "--unknown", "report", "--out", out, "--json")
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["warnings"]
    assert any("guessed cp1252. If this is right, pass --encoding cp1252." in text for text in told)
    assert any("nobody" in text for text in told)
    assert done.stderr.count("warning: ") == len(told)
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["warnings"] == told
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "guessed cp1252" in report
    assert "nobody" in report


def test_a_run_that_did_not_converge_says_so_once(call, tmp_path):
    rng = np.random.default_rng(0)
    noise = ["".join(rng.choice([*"abcdefgh "], 300)) for _ in range(60)]
    (tmp_path / "noise.csv").write_text("\n".join(["text", *noise]), encoding="utf-8")
    options = ("--max-iter", 1, "--param", "tol=0", "--restarts", 2)
    done = call("cluster", tmp_path / "noise.csv", "-k", 5, *options, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert report.count("The run stopped before it converged") == 1
    assert done.stderr.count("before it converged; raise --max-iter") == 1


def test_documents_without_words_are_told(call, tmp_path):
    (tmp_path / "docs").mkdir()
    for name, text in {"a": "orbit nasa moon", "b": "puck ice goalie", "c": "?"}.items():
        (tmp_path / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")
    done = call("cluster", tmp_path / "docs", "-k", 2, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "In no group: 1 document." in done.stdout


def test_going_on_and_replacing_at_once_is_wrong_usage(call, docs, tmp_path):
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "out", "--resume", "--overwrite")
    assert done.exit_code == 2
    assert "use only one" in " ".join(done.stderr.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


@pytest.fixture
def titled(tmp_path):
    path = tmp_path / "titled.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "title", "text", "date", "=evil\x1b[31m"])
        for number in range(12):
            words = "orbit nasa moon" if number % 2 else "puck goal ice"
            writer.writerow([f"d{number}", f"Heading {number}", words, f"2024-01-{number + 1:02}", "=1+1"])
    return path


def test_the_terminal_says_which_columns_were_read(call, titled, tmp_path):
    out = tmp_path / "out"
    done = call("cluster", titled, "-k", 2, "--out", out, "--max-iter", 2)
    assert done.exit_code == 0
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("columns: ")]
    assert line == ("columns: text from title + text; ids from id; kept with the documents: date, =evil [31m")
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["columns"] == {
        **{"text": ["title", "text"], "id": "id", "title": "title"},
        **{"left_out": [], "kept": ["date", "=evil [31m"]},
    }
    first = rows(out / "documents.csv")[0]
    assert (first["title"], first["date"], first["text"]) == (
        "Heading 0",
        "2024-01-01",
        "Heading 0\npuck goal ice",
    )
    assert first["'=evil [31m"] == "'=1+1"
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "Text from title + text; ids from id" in report
    assert '<p class="title" dir="auto"><b>Heading ' in report
    assert Result.load(out / "model").corpus.columns["date"][11].as_py() == "2024-01-12"


def test_the_text_columns_can_be_chosen(call, titled, tmp_path):
    out = tmp_path / "out"
    done = call("cluster", titled, "-k", 2, "--out", out, "--max-iter", 2, "--text", "text")
    assert "columns: text from text; ids from id; kept with the documents: title, date" in done.stderr
    first = rows(out / "documents.csv")[0]
    assert (first["title"], first["text"]) == ("Heading 0", "puck goal ice")


def test_a_folder_of_texts_has_no_columns_to_speak_of(call, tmp_path, monkeypatch):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate(["orbit nasa moon", "puck goal ice"] * 3):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    done = call("cluster", folder, "-k", 2, "--out", tmp_path / "out", "--max-iter", 2)
    assert done.exit_code == 0
    assert "columns:" not in done.stderr
    monkeypatch.chdir(folder)
    assert call("cluster", ".", "-k", 2, "--out", tmp_path / "out2", "--max-iter", 2).exit_code == 0
    assert "<title>Groups of texts" in (tmp_path / "out2" / "report.html").read_text(encoding="utf-8")


def test_names_alone_give_the_groups_and_their_number(call, titled, tmp_path):
    out = tmp_path / "out"
    done = call("cluster", titled, "--names", "space, ice hockey", "--out", out, "--no-compare")
    assert done.exit_code == 0
    assert [row["name"].split(":")[0] for row in rows(out / "clusters.csv")] == ["space", "ice hockey"]
    assert [(row["kind"], row["source"]) for row in rows(out / "knowledge.csv")] == [
        ("name", "command line")
    ] * 2


def test_without_a_number_or_names_the_number_is_asked_for(call, titled, tmp_path):
    assert "--clusters N" in call("cluster", titled, "--out", tmp_path / "out").stderr
    done = call("cluster", titled, "--names", " , ", "--out", tmp_path / "out")
    assert "--names has no name" in done.stderr


def test_every_stage_has_a_bar_that_ends_full(call, docs, tmp_path, monkeypatch):
    events = []

    @contextmanager
    def record_events():
        yield events.append

    monkeypatch.setattr(console, "show_progress", record_events)
    call("cluster", docs, "-k", 3, "--out", tmp_path / "run")
    last = {event.stage: event for event in events}
    stages = [
        "reading",
        "counting",
        "looking for copies",
        "preparing",
        "starting",
        "clustering",
        "naming groups",
        "writing tables",
        "saving the model",
        "drawing the map",
        "writing the report",
    ]
    assert [stage for stage in last if stage in stages] == stages
    # a run may converge before the last of its starts or iterations
    for stage in set(stages) - {"starting", "clustering"}:
        assert last[stage].done == last[stage].total
    notes = [event.note for event in events if event.stage == "preparing"]
    assert any(note.startswith("weights of words, run 1 of") for note in notes)
