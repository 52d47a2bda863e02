from __future__ import annotations

import csv
import json
import os

import pytest

BASE = """entity,name,aliases,type,subtype
apple_inc,Apple,Apple Computer,Organisation,Firm
apple,Apple,,Food,Fruit
microsoft,Microsoft,,Organisation,Firm
ibm,IBM,,Organisation,Firm
gates,Bill Gates,William Gates|Bill G. Gates,Person,Founder
seattle,Seattle,,Place,City
"""
DOCUMENTS = """id,text
a,"We know that Bill Gates founded Microsoft, and IBM? Apple sued Microsoft."
b,"It is in Seattle, near Microsoft. So says William Gates."
c,nothing at all
"""


@pytest.fixture
def kb(tmp_path):
    path = tmp_path / "kb.csv"
    path.write_text(BASE, encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text(DOCUMENTS, encoding="utf-8")
    return path


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_tables_a_page_and_a_record(call, texts, kb, tmp_path):
    out = tmp_path / "out"
    done = call("link", texts, "--kb", kb, "--out", out)
    assert done.exit_code == 0, done.output
    assert "2 of 3 documents mention entities" in done.stdout
    assert sorted(path.name for path in out.iterdir()) == [
        "entities.csv",
        "mentions.csv",
        "relations.csv",
        "report.html",
        "run.json",
    ]
    mentions = {
        (row["document"], row["name"], row["type"], row["subtype"]) for row in rows(out / "mentions.csv")
    }
    assert ("a", "Microsoft", "Organisation", "Firm") in mentions
    assert ("b", "Seattle", "Place", "City") in mentions
    gates = [row for row in rows(out / "entities.csv") if row["entity"].endswith("gates")]
    assert [(row["documents"], row["mentions"]) for row in gates] == [("2", "2")]
    assert "<mark" in (out / "report.html").read_text(encoding="utf-8")


def test_json(call, texts, kb, tmp_path):
    done = call("link", texts, "--kb", kb, "--out", tmp_path / "out", "--json", "--jobs", 1)
    record = json.loads(done.stdout)
    assert record["documents"] == 3
    assert record["documents_with_entities"] == 2
    assert record["entities"]["Organisation"] == 3
    stored = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert stored["command"] == "link"
    assert stored["entities"] == record["entities"]


def test_types_of_interest(call, texts, kb, tmp_path):
    out = tmp_path / "out"
    done = call(
        "link", texts, "--kb", kb, "--out", out, "--type", "Person", "--type", "Place", "--filter", "fbsf"
    )
    assert done.exit_code == 0, done.output
    assert {row["type"] for row in rows(out / "mentions.csv")} == {"Person", "Place"}


def test_the_mentions_can_be_clustered_with(call, docs, tmp_path):
    kb, out = tmp_path / "kb.csv", tmp_path / "out"
    kb.write_text(
        "entity,name,type,subtype\nn,orbit nasa,Thing,Space\np,puck goalie,Thing,Ice\n", encoding="utf-8"
    )
    assert call("link", docs, "--kb", kb, "--out", out).exit_code == 0
    mentions = out / "mentions.csv"
    if not rows(mentions):
        pytest.fail("the documents should speak of something")
    done = call(
        *("cluster", docs, "--clusters", 3, "--method", "chinc", "--mentions", mentions, "--subtypes"),
        *("--out", tmp_path / "run", "--restarts", 1),
    )
    assert done.exit_code == 0, done.output


def test_a_finished_run_is_replaced_only_if_asked(call, texts, kb, tmp_path):
    asked = ("link", texts, "--kb", kb, "--out", tmp_path / "out")
    assert call(*asked).exit_code == 0
    assert call(*asked).exit_code == 3
    assert call(*asked, "--overwrite").exit_code == 0
    assert call(*asked, "--overwrite", "--resume").exit_code == 2


def test_a_stopped_run_goes_on(call, texts, kb, tmp_path, monkeypatch):
    from colligate.entities import linker

    asked = ("link", texts, "--kb", kb, "--out", tmp_path / "out", "--jobs", 1)

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(linker, "filter_mentions", stop)
        stopped = call(*asked)
    assert stopped.exit_code == 130
    assert "continue with the same command and --resume" in stopped.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["checkpoint.npz"]
    assert call(*asked).exit_code == 3
    done = call(*asked, "--resume")
    assert done.exit_code == 0, done.output
    assert not (tmp_path / "out" / "checkpoint.npz").exists()
    assert len(rows(tmp_path / "out" / "mentions.csv")) > 3


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--kb", "nowhere"], 1, "nowhere"),
        (["--kb", "KB", "--recogniser", "no_such_model"], 1, "no_such_model"),
        (["--kb", "KB", "--filter", "magic"], 2, "magic"),
        ([], 2, "--kb"),
    ],
)
def test_bad_options(call, texts, kb, tmp_path, options, code, message):
    options = [str(kb) if option == "KB" else option for option in options]
    done = call("link", texts, "--out", tmp_path / "out", *options)
    assert done.exit_code == code
    assert message in done.output
    assert not (tmp_path / "out").exists()


def test_one_job_of_cluster_is_one_process_for_names_too(call, texts, kb, tmp_path):
    forked = []
    os.register_at_fork(before=lambda: forked.append(True))
    done = call("cluster", texts, "-k", 2, "--kb", kb, "--jobs", 1, "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert not forked
