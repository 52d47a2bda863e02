"""Moving modules of a small package: references follow, results stay, problems are reported."""

import subprocess
import sys

import pytest

from tools.move_modules.__main__ import main

FILES = {
    "src/colligate/__init__.py": "",
    "src/colligate/base.py": '''
"""Bases."""

from __future__ import annotations

LIMIT = 3


def same(value):
    return value


def scale(value: int) -> int:
    """Multiply by the limit."""
    return same(value) * LIMIT
''',
    "src/colligate/sums.py": '''
"""Sums of scaled values."""

from __future__ import annotations

from colligate import base
from colligate.base import scale

START = scale(1)
LARGEST = 9


def same(value):
    return value


def total(values: list[int]) -> int:
    rest = START + base.LIMIT
    for value in values:
        rest += scale(same(value))
    return rest
''',
    "src/colligate/use.py": """
from colligate import sums
from colligate.sums import total


class Table:
    total = 7

    def compute(self):
        def scale(total):
            return total

        return total([1, 2]) + sums.total([3]) + scale(self.total)
""",
    "src/colligate/old/__init__.py": "",
    "src/colligate/old/late.py": """
def run():
    from colligate.sums import total

    return total([5])
""",
    "tests/test_use.py": """
from colligate import sums, use
from colligate.old.late import run


def test_compute(monkeypatch):
    assert (use.Table().compute(), run()) == (37, 21)
    monkeypatch.setattr("colligate.sums.total", lambda values: 1)
    monkeypatch.setattr(sums, "LARGEST", 4)  # see colligate/old/late.py
    assert use.Table().compute() == 23
    assert run() == 1
""",
    "docs/page.md": "`colligate.sums.total` is in `src/colligate/sums.py`, not in `other/sums.py`.\n",
}

TABLE = """
MERGE = {"figures": ["sums", "base"]}
PACKAGES = {"old": "new"}
RENAME = {"sums:total": "add_up", "sums:LARGEST": "MAXIMUM"}
LOCAL = {"sums:total": {"rest": "amount"}}
"""


@pytest.fixture
def move(tmp_path, monkeypatch, capsys):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip())
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)

    def run(table, *options):
        (tmp_path / "table").write_text(table)
        status = main(["table", *options])
        return status, capsys.readouterr().out

    return run


def run_tests(folder):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"]
    environment = {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_the_moved_package_gives_the_same_results(move, tmp_path):
    before = run_tests(tmp_path)
    assert before.returncode == 0, before.stdout
    assert move(TABLE)[0] == 0
    after = run_tests(tmp_path)
    assert after.returncode == 0, after.stdout + after.stderr


def test_modules_are_merged_and_references_follow(move, tmp_path):
    assert move(TABLE)[0] == 0
    package = tmp_path / "src" / "colligate"
    assert sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py")) == [
        "__init__.py",
        "figures.py",
        "new/__init__.py",
        "new/late.py",
        "use.py",
    ]
    merged = (package / "figures.py").read_text()
    assert merged.count("def same") == 1
    # constants first, then what others need at import
    order = [
        "LARGEST" not in merged and "MAXIMUM = 9",
        "LIMIT = 3",
        "def scale",
        "START = scale(1)",
        "def add_up",
    ]
    assert sorted(order, key=merged.index) == order
    assert "import base" not in merged
    assert "amount = START + LIMIT" in merged
    use = (package / "use.py").read_text()
    assert "from colligate import figures\nfrom colligate.figures import add_up\n" in use
    assert "return add_up([1, 2]) + figures.add_up([3]) + scale(self.total)" in use
    assert "    total = 7" in use
    assert "def scale(total)" in use
    tests = (tmp_path / "tests" / "test_use.py").read_text()
    assert 'monkeypatch.setattr("colligate.figures.add_up"' in tests
    assert 'monkeypatch.setattr(figures, "MAXIMUM", 4)  # see colligate/new/late.py' in tests
    page = (tmp_path / "docs" / "page.md").read_text()
    assert page == "`colligate.figures.add_up` is in `src/colligate/figures.py`, not in `other/sums.py`.\n"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('RENAME = {"sums:total": "values", "base:scale": "rest"}', "scale -> rest is hidden"),
        ('RENAME = {"sums:total": "scale"}', "scale and total would both be called scale"),
        ('RENAME = {"base:none": "scale"}', "defines no none"),
        ('RENAME = {"base:scale": "list"}', "list is used as a builtin"),
        (
            'MERGE = {"sums": ["sums", "use"]}\nRENAME = {"use:Table": "START"}',
            "bind START differently; rename one",
        ),
        ('DROP = ["base"]', "imports scale from colligate.base, which is dropped"),
        ('LOCAL = {"sums:total": {"rest": "value"}}', "total uses value already"),
        ('LOCAL = {"sums:sum": {"rest": "value"}}', "has no function sum"),
    ],
)
def test_problems_are_reported_and_nothing_is_written(move, tmp_path, table, problem):
    status, output = move(table)
    assert status == 1
    assert problem in output
    assert all((tmp_path / name).read_text() == text.lstrip() for name, text in FILES.items())


def test_a_dry_run_writes_nothing(move, tmp_path):
    status, output = move('MERGE = {"all": ["sums", "use", "old.late"]}', "--dry")
    assert (status, output.count("problem")) == (0, 0), output
    assert "would delete" in output
    assert all((tmp_path / name).read_text() == text.lstrip() for name, text in FILES.items())


def test_an_unknown_module_is_refused(move):
    with pytest.raises(SystemExit, match="no module"):
        move('DROP = ["nowhere"]')
