"""The page of the method and its code name the same equations and constants."""

import re
from dataclasses import fields
from pathlib import Path

from colligate.methods import mixture
from colligate.methods.mixture.constants import Constants

PAGE = Path(__file__).parents[3] / "docs" / "methods" / "colligate.md"
CODE = "\n".join(path.read_text(encoding="utf-8") for path in Path(mixture.__path__[0]).glob("*.py"))


def test_every_equation_of_the_page_is_named_in_the_code_and_no_other():
    on_page = [int(number) for number in re.findall(r"\\tag{(\d+)}", PAGE.read_text(encoding="utf-8"))]
    in_code = {int(number) for number in re.findall(r"eqs?\. (\d+)", CODE)}
    assert on_page == list(range(1, len(on_page) + 1))
    assert in_code == set(on_page)


def test_every_constant_is_used():
    unused = [field.name for field in fields(Constants) if f"constants.{field.name}" not in CODE]
    assert not unused
