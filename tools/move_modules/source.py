"""The Python files that are rewritten, and the names that their scopes bind."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PACKAGE = "colligate"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IMPORTS = (ast.Import, ast.ImportFrom)

Import = tuple[str, str, str | None]  # `from module import name as alias`


class Source:
    """One Python file: its bytes, its tree, and the names of its module level."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.raw = path.read_bytes()
        self.tree = ast.parse(self.raw)
        self._starts = [0]
        for line in self.raw.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.definitions: set[str] = set()
        self.imports: dict[str, Import] = {}
        for node in iter_scope(self.tree.body):
            if is_package_import(node):
                for alias in node.names:
                    self.imports.setdefault(
                        alias.asname or alias.name, (node.module, alias.name, alias.asname)
                    )
            elif not isinstance(node, IMPORTS):
                self.definitions.update(bound_names(node))

    def span(self, node: Any) -> tuple[int, int]:
        """Return the first byte of a node and the one after its last."""
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset


def is_package_import(node: Any) -> bool:
    """Tell whether a statement is `from colligate... import ...`."""
    return isinstance(node, ast.ImportFrom) and not node.level and str(node.module).split(".")[0] == PACKAGE


def iter_scope(body: Iterable[ast.AST]) -> Iterator[Any]:
    """Yield the nodes of a scope, without what is inside nested functions, classes and comprehensions."""
    pending = list(body)
    for node in pending:
        yield node
        if isinstance(node, COMPREHENSIONS):
            # `:=` binds in the scope around the comprehension.
            pending += [inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        elif not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            pending += ast.iter_child_nodes(node)


def bound_names(node: Any) -> list[str]:
    """List the names that a single node binds."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del())
            | ast.arg(arg=name)
            | ast.MatchMapping(rest=str(name))
        ):
            return [name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    has_name = isinstance(node, (*DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar))
    return [node.name] if has_name and node.name else []
