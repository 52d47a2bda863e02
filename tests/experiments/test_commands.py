import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.__main__ import PAGE, main
from experiments.claims import all_claims
from experiments.page.verdicts import HEADINGS
from experiments.runner.experiment import NAMES
from experiments.runner.store import QUICK, RESULTS, StoredRuns

ROOT = Path(__file__).parents[2]
RUN = """
import sys
from pathlib import Path
import experiments.__main__ as commands
commands.QUICK = Path(sys.argv[1])
sys.exit(commands.main(["run", "bundled", "--quick", "--jobs", sys.argv[2]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_stopped_keeps_what_is_finished(tmp_path, jobs):
    command = [sys.executable, "-c", RUN, str(tmp_path), jobs]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    with subprocess.Popen(command, start_new_session=True, env=paths, **pipes) as process:
        while not (tmp_path / "bundled.json").exists() and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "Traceback" not in output + errors
    assert "Finished runs are stored" in output
    assert 1 <= sum(len(runs) for runs in StoredRuns("bundled", tmp_path).cells.values()) < 8


@pytest.mark.parametrize("command", ["page", "list"])
def test_commands_of_everything_take_no_name(command, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([command, "fundation"])
    assert f"{command} takes no NAME; got fundation" in capsys.readouterr().err


def test_a_quick_page_is_not_written_over_the_page(tmp_path, capsys):
    before = PAGE.read_bytes()
    with pytest.raises(SystemExit, match="2"):
        main(["page", "--quick"])
    assert "--to" in capsys.readouterr().err
    assert PAGE.read_bytes() == before
    assert main(["page", "--quick", "--to", str(tmp_path / "quick.md")]) == 0
    assert (tmp_path / "quick.md").exists()


@pytest.mark.slow
def test_the_claims_are_shown_with_all_that_the_page_tells(capsys):
    assert main(["show", "--claims"]) == 0
    printed = capsys.readouterr().out
    assert f"{len(all_claims())} claims. As the paper had it, " in printed
    assert printed.count("├") >= len(all_claims()) - 1
    for heading in HEADINGS:
        assert heading.split()[0].rstrip(",") in printed


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_command_is_one_that_computes(name):
    text = (RESULTS / f"{name}.json").read_text(encoding="utf-8")
    assert f'"command": "python -m experiments run {name}"' in text


def test_the_command_of_a_quick_run_says_so(tmp_path, monkeypatch):
    assert QUICK.name == "quick"
    monkeypatch.setattr("experiments.runner.store.QUICK", tmp_path)
    StoredRuns("any", tmp_path).add("cell", {"seed": 0, "commit": "c"})
    assert "python -m experiments run any --quick" in (tmp_path / "any.json").read_text(encoding="utf-8")
