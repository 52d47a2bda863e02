"""What surrounds a release fits the package: versions, requirements, licences, contents."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from colligate.cli.doctor import DEVELOPMENT
from colligate.version import __version__
from tools import release
from tools.licences import NO_LICENCE, find_licence, list_packages
from tools.release import audit_lock, find_content_problems, find_version_problems

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSIDE = [
    f"colligate/demo/{name}" for name in ("articles.jsonl.gz", "dbpedia.nt.gz", "knowledge.yaml", "README.md")
]


def split(requirement):
    """Return the name in lower case and the bounds of a requirement."""
    name, bounds = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement).groups()
    return name.lower(), bounds


def test_the_version_is_the_same_everywhere():
    assert find_version_problems() == []
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert {"cff-version", "message", "title", "authors", "license"} <= citation.keys()


def test_the_conda_recipe_has_the_requirements_of_the_package():
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
    listed = dict(split(line) for line in recipe["requirements"]["run"])
    assert listed.pop("python") == PROJECT["requires-python"]
    assert listed == dict(split(line) for line in PROJECT["dependencies"])
    assert recipe["about"]["license"] == PROJECT["license"]


def test_the_container_has_a_supported_python_and_installs_the_package_alone():
    """Requirements are those of the wheel: the container file has none of its own that could differ."""
    text = (ROOT / "packaging/Containerfile").read_text(encoding="utf-8")
    images = re.findall(r"^FROM docker\.io/library/python:(3\.\d+)-slim", text, re.MULTILINE)
    assert len(set(images)) == 1
    assert f"Programming Language :: Python :: {images[0]}" in PROJECT["classifiers"]
    assert re.findall(r"pip install (.*?) &&", text) == ["--no-cache-dir --only-binary :all: /wheels/*.whl"]
    entry_point, command = re.search(r'^ENTRYPOINT \["(\w+)"\]\nCMD \["(\S+)"\]', text, re.MULTILINE).groups()
    assert (entry_point, command) == ("colligate", "--help")
    assert entry_point in PROJECT["scripts"]


def test_the_lock_has_every_requirement_with_hashes():
    text = (ROOT / "requirements/dev.txt").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    wanted = [
        *PROJECT["dependencies"],
        *(line for name in ("test", "lint", "docs", "release") for line in extras[name]),
    ]
    names = {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in wanted} - {"colligate"}
    assert names <= locked.keys()
    assert text.count("--hash=sha256:") > len(locked)


def test_every_package_that_is_needed_states_a_licence_and_is_on_the_page():
    needed = list_packages((line, "") for line in PROJECT["dependencies"])
    assert {"numpy", "scikit-learn", "joblib", "llvmlite"} <= needed
    assert not [name for name in needed if find_licence(name) == NO_LICENCE]
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
    direct = {re.match(r"[\w.-]+", line)[0].lower() for line in PROJECT["dependencies"]}
    assert not [name for name in direct if f"| [{name}](" not in page]


def test_the_page_of_licences_has_the_packages_of_every_extra_for_users():
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
    extras = PROJECT["optional-dependencies"]
    absent = re.search(r"^Not installed when this page was made: (.*)\.$", page, re.MULTILINE)[1].split(", ")
    assert absent == ["gpu"]
    lines = [line for name in extras.keys() - DEVELOPMENT - set(absent) for line in extras[name]]
    names = {re.match(r"[\w.-]+", line)[0].lower() for line in lines}
    assert len(names) > 8
    assert not [name for name in names if f"| [{name}](" not in page]


@pytest.mark.parametrize(
    ("names", "problems"),
    [
        (INSIDE, []),
        (INSIDE[1:], ["demo/articles.jsonl.gz is missing"]),
        (
            [*INSIDE, "tests/golden/posts/newsgroups.jsonl.gz"],
            ["tests/golden/posts/newsgroups.jsonl.gz must not be in it"],
        ),
        ([*INSIDE, "colligate/__pycache__/a.pyc"], ["colligate/__pycache__/a.pyc must not be in it"]),
    ],
)
def test_contents_are_checked(names, problems):
    assert find_content_problems(names) == problems


@pytest.mark.parametrize(
    ("code", "error", "outcome"),
    [
        (0, "No known vulnerabilities found", "no known holes in dev.txt"),
        (
            1,
            "ERROR: numpy: Dependency not found on PyPI and could not be audited",
            "dev.txt was NOT audited: ERROR: n",
        ),
        (1, "", "dev.txt was NOT audited: pip-audit said nothing"),
    ],
)
def test_a_lock_that_was_not_audited_is_told_as_such(code, error, outcome, monkeypatch):
    done = subprocess.CompletedProcess([], code, stdout="", stderr=error)
    monkeypatch.setattr(release.subprocess, "run", lambda *command, **options: done)
    assert audit_lock().startswith(outcome)


def test_a_known_hole_stops_the_release(monkeypatch):
    done = subprocess.CompletedProcess(
        [], 1, stdout="jinja2 3.1.4", stderr="Found 1 known vulnerability in 1 package"
    )
    monkeypatch.setattr(release.subprocess, "run", lambda *command, **options: done)
    with pytest.raises(SystemExit, match="Found 1 known vulnerability"):
        audit_lock()
