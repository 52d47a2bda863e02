"""`colligate methods`: list the methods."""

from __future__ import annotations

from dataclasses import asdict

from rich.table import Table

from colligate.cli import options as o
from colligate.cli.console import print_json, print_result


def methods(json: o.AsJson = False) -> None:
    """List the methods, the papers they come from, and the knowledge they accept."""
    from colligate.registry import methods as list_methods

    infos = list_methods()
    if json:
        print_json({"default": o.DEFAULT_METHOD, "methods": [asdict(method) for method in infos]})
        return
    table = Table("name", "family", "paper", "accepted knowledge", header_style="bold")
    for method in infos:
        name = f"{method.name} (default)" if method.name == o.DEFAULT_METHOD else method.name
        table.add_row(name, method.family, method.paper, ", ".join(method.takes) or "none")
    print_result(table)
