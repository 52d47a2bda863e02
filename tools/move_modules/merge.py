"""Merging several modules into one."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.move_modules.rewriter import Rewriter
from tools.move_modules.source import FUNCTIONS, IMPORTS, bound_names, iter_scope

if TYPE_CHECKING:
    from tools.move_modules.plan import Plan


@dataclass(eq=False)
class Statement:
    """A statement of the module level, its text with the comments above it."""

    node: Any
    text: str

    @property
    def names(self) -> set[str]:
        """The names that it binds."""
        return {name for node in iter_scope([self.node]) for name in bound_names(node)}

    @property
    def is_string(self) -> bool:
        """Whether it is nothing but a string."""
        return isinstance(self.node, ast.Expr) and isinstance(getattr(self.node.value, "value", None), str)


class Merge:
    """The parts of a new module, as the old ones add to it."""

    def __init__(self, plan: Plan, target: str) -> None:
        self.plan, self.target = plan, target
        self.docstrings: list[str] = []
        self.imports: dict[str, None] = {}  # an ordered set, as is the next
        self.typing_only: dict[str, None] = {}
        self.statements: list[Statement] = []
        self.builtins: set[str] = set()
        self.owners: dict[str, tuple[str, str]] = {}  # name -> the module that binds it, and its code

    def add(self, module: str) -> None:
        """Add the rewritten statements of a module."""
        rewriter = Rewriter(self.plan, self.plan.sources[module], self.target)
        for index, statement in enumerate(split_statements(rewriter.rewrite())):
            node = statement.node
            if index == 0 and statement.is_string:
                self.docstrings.append(statement.text)
            elif isinstance(node, IMPORTS):
                self._add_import(module, statement, self.imports)
            elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse:
                for inner in node.body:
                    if not isinstance(inner, ast.Pass):
                        self._add_import(module, Statement(inner, ast.unparse(inner)), self.typing_only)
            else:
                repeated = [self._is_repeated(module, name, ast.dump(node)) for name in statement.names]
                if not repeated or not all(repeated):
                    self.statements.append(statement)
        self.builtins |= rewriter.builtins

    def _is_repeated(self, module: str, name: str, code: str) -> bool:
        """Tell whether another module binds a name, too; report if it does so differently."""
        owner, first_code = self.owners.setdefault(name, (module, code))
        if owner != module and code != first_code:
            self.plan.report(f"{self.target}: {owner} and {module} bind {name} differently; rename one")
        return owner != module

    def _add_import(self, module: str, statement: Statement, texts: dict[str, None]) -> None:
        """Add each imported name by itself; imports with comments stay whole."""
        node = statement.node
        if not isinstance(node, IMPORTS):
            texts[statement.text] = None
            return
        for alias in node.names:
            lead = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
            text = f"{lead}import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
            self._is_repeated(module, alias.asname or alias.name, text)
            texts[statement.text if "#" in statement.text else text] = None

    def text(self) -> str:
        """Return the text of the new module."""
        for name in sorted(self.builtins & self.owners.keys()):
            self.plan.report(f"{self.target}: {name} of {self.owners[name][0]} hides a builtin that is used")
        is_lazy = "from __future__ import annotations" in self.imports
        typing_only = [text for text in self.typing_only if text not in self.imports]
        block = "\n".join(["if TYPE_CHECKING:", *typing_only]).replace("\n", "\n    ")
        inner = [
            text.lstrip("rR").removeprefix('"""').removesuffix('"""').strip() for text in self.docstrings
        ]
        prefix = "r" if any(text[0] in "rR" for text in self.docstrings) else ""
        parts = [
            prefix + '"""' + "\n\n".join(inner) + '\n"""' if len(inner) > 1 else "".join(self.docstrings),
            "\n".join(sorted(self.imports, key=lambda text: "__future__" not in text)),
            block if typing_only else "",
            *(statement.text for statement in order_statements(self.statements, is_lazy=is_lazy)),
        ]
        return "\n\n".join(filter(None, parts)) + "\n"


def split_statements(text: str) -> list[Statement]:
    """Split a module into statements; a string below an assignment stays with it."""
    lines, end = text.rstrip("\n").split("\n"), 0
    statements: list[Statement] = []
    body = ast.parse(text).body
    for node in body:
        # Comments at the end of the file belong to the last statement.
        last = len(lines) if node is body[-1] else node.end_lineno
        statement = Statement(node, "\n".join(lines[end:last]).strip("\n"))
        end = node.end_lineno or end
        if statements and statement.is_string:
            statements[-1].text += f"\n{statement.text}"
        else:
            statements.append(statement)
    return statements


def import_time_names(node: Any, *, is_lazy: bool) -> set[str]:
    """Return the names that are evaluated when a statement runs at import; lazy annotations are not."""
    parts: list[Any] = list(getattr(node, "decorator_list", []))
    names: set[str] = set()
    if isinstance(node, FUNCTIONS):
        parts += [*node.args.defaults, *node.args.kw_defaults]
        if not is_lazy:
            arguments = [child for child in ast.iter_child_nodes(node.args) if isinstance(child, ast.arg)]
            parts += [*(argument.annotation for argument in arguments), node.returns]
    elif isinstance(node, ast.ClassDef):
        parts += [*node.bases, *node.keywords]
        names = {name for child in node.body for name in import_time_names(child, is_lazy=is_lazy)}
    elif isinstance(node, ast.AnnAssign):
        parts += [node.value] if is_lazy else [node.value, node.annotation]
    else:
        parts = [node]
    return names | {
        inner.id for part in filter(None, parts) for inner in ast.walk(part) if isinstance(inner, ast.Name)
    }


def order_statements(statements: list[Statement], *, is_lazy: bool) -> list[Statement]:
    """Put constants first, and every statement after those that it needs at import."""
    binders: dict[str, list[Statement]] = {}
    for statement in statements:
        for name in statement.names:
            binders.setdefault(name, []).append(statement)
    ordered: list[Statement] = []
    constants: set[str] = set()
    visited: set[int] = set()
    for statement in statements:
        needed = import_time_names(statement.node, is_lazy=is_lazy) & binders.keys() - statement.names
        if isinstance(statement.node, (ast.Assign, ast.AnnAssign)) and needed <= constants:
            ordered.append(statement)
            visited.add(id(statement))
            constants |= statement.names

    def place(statement: Statement, *, is_called: bool = False) -> None:
        if id(statement) in visited:
            return
        visited.add(id(statement))
        needed = import_time_names(statement.node, is_lazy=is_lazy)
        if is_called:
            needed |= {inner.id for inner in ast.walk(statement.node) if isinstance(inner, ast.Name)}
        for name in sorted(needed):
            for binder in binders.get(name, []):
                # A function that is used at import may be called: what its body uses comes first, too.
                place(binder, is_called=isinstance(binder.node, FUNCTIONS))
        ordered.append(statement)

    for statement in statements:
        place(statement)
    return ordered
