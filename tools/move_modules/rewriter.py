"""Rewriting one file: the references to what moves or gets another name."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from tools.move_modules.plan import Binding, Plan, Symbol
from tools.move_modules.source import (
    FUNCTIONS,
    IMPORTS,
    PACKAGE,
    Source,
    bound_names,
    is_package_import,
    iter_scope,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# A dotted name of the package, or the path of a Python file.
REFERENCE = re.compile(rf"\b{PACKAGE}(?:\.[A-Za-z_]\w*)+|(?:[\w.-]+/)*\w+\.py\b", re.ASCII)


class ClassNames(dict[str, Binding]):
    """The names of the body of a class."""


class Rewriter(ast.NodeVisitor):
    """Collects the edits of one file, by positions in the old file, so that nothing is rewritten twice."""

    def __init__(self, plan: Plan, source: Source, target: str | None = None) -> None:
        self.plan, self.source, self.target = plan, source, target
        self.edits: dict[tuple[int, int], str] = {}
        self.builtins: set[str] = set()
        self.scopes: list[dict[str, Binding]] = []
        self.path: tuple[str, ...] = ()  # the classes and functions around a node
        self.local_names: dict[str, str] = {}

    def rewrite(self) -> str:
        """Return the new text of the file."""
        body = self.source.tree.body
        names = self._make_scope(body)
        self._visit_inside(names, body)
        for name in sorted(self.builtins & {new.text for old, new in names.items() if new.text != old}):
            self._report(self.source.tree, f"{name} is used as a builtin, and is a new name")
        # Every byte is one character of Latin-1, so that positions are those of the bytes.
        for match in REFERENCE.finditer(self.source.raw.decode("latin-1")):
            if not any(start < match.end() and match.start() < end for start, end in self.edits):
                self.edits[match.span()] = self.plan.move_reference(match[0])
        pieces, position = [], 0
        for (start, end), text in sorted(self.edits.items()):
            pieces += [self.source.raw[position:start], text.encode()]
            position = end
        return b"".join([*pieces, self.source.raw[position:]]).decode()

    def _report(self, node: ast.AST, problem: str) -> None:
        self.plan.report(f"{self.source.name}:{getattr(node, 'lineno', 1)}: {problem}")

    def _make_scope(self, nodes: Iterable[ast.AST]) -> dict[str, Binding]:
        """Bind the names of a scope; report names that would become one."""
        nodes = list(iter_scope(nodes))
        outer = {
            name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        }
        names: dict[str, Binding] = {}
        for node in nodes:
            for index, name in enumerate(bound_names(node)):
                if name not in outer:
                    names.setdefault(name, self._bind(node, index, name))
        written: dict[str, str] = {"": ""}
        for name, binding in names.items():
            first = written.setdefault(binding.text, name)
            if first not in ("", name) and not self._is_same(binding, names[first]):
                self._report(nodes[0], f"{first} and {name} would both be called {binding.text}")
        return names

    def _is_same(self, first: Binding, second: Binding | None) -> bool:
        """Tell whether two bindings are of one symbol or module in the new tree."""
        if first.symbol is None or second is None or second.symbol is None:
            return False
        first_new, second_new = (
            (self.plan.places[symbol.module], self.plan.renames.get(symbol, symbol.name))
            for symbol in (first.symbol, second.symbol)
        )
        return first_new == second_new

    def _visit_inside(self, names: dict[str, Binding], nodes: Iterable[ast.AST]) -> None:
        self.scopes.append(names)
        for node in nodes:
            self.visit(node)
        self.scopes.pop()

    def _bind(self, node: Any, index: int, name: str) -> Binding:
        if is_package_import(node):
            alias = node.names[index]
            old = (node.module, alias.name, alias.asname)
            return self.plan.bind_import(old, self.source.name, self.target)[0]
        if isinstance(node, ast.Import) and node.names[index].name in self.plan.places:
            alias = node.names[index]
            return Binding(name, Symbol(alias.name if alias.asname else PACKAGE))
        if not self.scopes and name in getattr(self.plan.sources.get(self.source.name), "definitions", ()):
            symbol = Symbol(self.source.name, name)
            return Binding(self.plan.renames.get(symbol, name), symbol)
        return Binding(name if isinstance(node, IMPORTS) else self.local_names.get(name, name))

    def _find(self, name: str) -> Binding | None:
        for scope in reversed(self.scopes):
            # The names of a class are not seen in its methods.
            if name in scope and (scope is self.scopes[-1] or not isinstance(scope, ClassNames)):
                return scope[name]
        self.builtins.add(name)
        return None

    def _replace(self, node: ast.AST, old: str, new: str) -> None:
        """Write another name; report a variable of the same name that would hide it."""
        head, binding = new.partition(".")[0], self._find(old)
        for scope in reversed(self.scopes):
            if scope.get(old) is binding:
                break
            hidden = any(local.text == head and not self._is_same(local, binding) for local in scope.values())
            if hidden and not isinstance(scope, ClassNames):
                self._report(node, f"{old} -> {new} is hidden by the local variable {head}")
        start, end = self.source.span(node)
        # Python 3.11 misplaces expressions in f-strings of several lines.
        if not re.match(rb"%b\b.*(?<=\w)\Z" % old.encode(), self.source.raw[start:end], re.DOTALL):
            self._report(node, f"{old} is not where the parser says; take it out of the f-string first")
        self.edits[start, end] = new

    def _rename_word(self, node: ast.AST, name: str, lead: str = "") -> None:
        """Rename a name in the text of the node that binds it, after the words `lead`."""
        binding = self._find(name)
        if binding and binding.text not in ("", name):
            word = re.compile(rf"{lead}\b({name})\b".encode()).search(
                self.source.raw, self.source.span(node)[0]
            )
            assert word is not None
            self.edits[word.span(1)] = binding.text

    def visit(self, node: Any) -> None:
        """Collect the edits of a node and of all in it."""
        match node:
            case ast.Name():
                self._visit_name(node)
            case ast.Attribute() if self._visit_attribute(node):
                pass
            case ast.ImportFrom() if is_package_import(node):
                self._visit_import(node)
            case ast.ImportFrom(level=level) if level and self.target:
                self._report(node, "a relative import is not followed; import by the full name first")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._visit_function(node)
            case ast.ClassDef():
                self._visit_class(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._visit_comprehension(node)
            case ast.arg():
                # Its annotation belongs to the scope around the function.
                self._rename_word(node, node.arg)
            case ast.Global() | ast.Nonlocal():
                for name in node.names:
                    self._rename_word(node, name)
            case _:
                self._visit_strings(node)
                if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
                    is_bare = isinstance(node, ast.MatchAs) and node.pattern is None
                    for name in bound_names(node):
                        self._rename_word(node, name, "" if is_bare else r"(?:\bas\s+|\*\s*)")
                self.generic_visit(node)

    def _visit_name(self, node: ast.Name) -> None:
        """Rename a variable or a reference to a symbol."""
        if isinstance(self.scopes[-1], ClassNames) and isinstance(node.ctx, ast.Store):
            return
        binding = self._find(node.id)
        if binding and not binding.text:
            self._report(node, f"{node.id} becomes this module, and is used without an attribute")
        elif binding and binding.text != node.id:
            self._replace(node, node.id, binding.text)

    def _visit_attribute(self, node: ast.Attribute) -> bool:
        """Rewrite `module.name`, if the module is one of the package."""
        chain: list[Any] = [node]
        while isinstance(chain[-1], ast.Attribute):
            chain.append(chain[-1].value)
        root = chain.pop()
        binding = self._find(root.id) if isinstance(root, ast.Name) else None
        if binding is None or binding.symbol is None or binding.symbol.name:
            return False
        chain.reverse()
        names = [part.attr for part in chain]
        module, count = self.plan.follow(binding.symbol.module, names)
        start, end = self.plan.places[binding.symbol.module], self.plan.places.get(module, "")
        if not f"{end}.".startswith(f"{start}."):
            self._report(node, f"{root.id}.{'.'.join(names[:count])} moves out of its package")
        new = [binding.text + end.removeprefix(start)]
        new += [self.plan.new_name(module, name) or name for name in names[count : count + 1]]
        self._replace(chain[min(count, len(chain) - 1)], root.id, ".".join(new).lstrip("."))
        return True

    def _visit_strings(self, node: ast.AST) -> None:
        """Follow `monkeypatch.setattr(module, "name", ...)` and the names in `__all__`."""
        match node:
            case ast.Call(
                func=ast.Attribute(attr="setattr" | "delattr"),
                args=[ast.Name(id=name), ast.Constant(value=str(text)) as string, *_],
            ):
                binding = self._find(name)
                if binding and binding.symbol and not binding.symbol.name:
                    new = self.plan.new_name(binding.symbol.module, text) or text
                    self.edits[self.source.span(string)] = f'"{new}"'
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items)):
                for item in items:
                    binding = self._find(getattr(item, "value", ""))
                    if binding and binding.text:
                        self.edits[self.source.span(item)] = f'"{binding.text}"'

    def _visit_import(self, node: ast.ImportFrom) -> None:
        """Import each name from its new module; leave out what the target itself defines."""
        old = [(str(node.module), alias.name, alias.asname) for alias in node.names]
        new = [self.plan.bind_import(entry, self.source.name, self.target)[1] for entry in old]
        start, end = self.source.span(node)
        if new == old:
            self.edits[start, end] = self.source.raw[start:end].decode()
            return
        lines: dict[str, list[str]] = {}
        for home, name, alias in filter(None, new):
            lines.setdefault(home, []).append(f"{name} as {alias}" if alias else name)
        statements = [f"from {home} import {', '.join(names)}" for home, names in lines.items()]
        # A block must not become empty.
        text = ("\n" + " " * node.col_offset).join(statements) or ("pass" if node.col_offset else "")
        self.edits[start, end] = text

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Visit what is evaluated around a function, then its arguments and its body."""
        arguments = node.args
        inside = [child for child in ast.iter_child_nodes(arguments) if isinstance(child, ast.arg)]
        around: list[ast.AST | None] = [*arguments.defaults, *arguments.kw_defaults]
        around += [argument.annotation for argument in inside]
        path, local_names = self.path, self.local_names
        if isinstance(node, FUNCTIONS):
            self._rename_word(node, node.name, r"def\s+")
            around += [*node.decorator_list, node.returns]
            self.path = (*path, node.name)
        for child in filter(None, around):
            self.visit(child)
        self._take_local_names(node)
        body = node.body if isinstance(node.body, list) else [node.body]
        self._visit_inside(self._make_scope([*inside, *body]), [*inside, *body])
        self.path, self.local_names = path, local_names

    def _take_local_names(self, node: ast.AST) -> None:
        """Take the new names of local variables of a function; report names that are missing or used."""
        symbol = Symbol(self.source.name, ".".join(self.path))
        if isinstance(node, ast.Lambda) or symbol not in self.plan.locals:
            return
        self.plan.unused_locals.discard(symbol)
        used = {name for inner in ast.walk(node) for name in bound_names(inner)}
        used |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        for old, new in self.plan.locals[symbol].items():
            if old not in used:
                self._report(node, f"{symbol.name} has no variable {old}")
            if new in used:
                self._report(node, f"{symbol.name} uses {new} already, the new name of {old}")
        self.local_names = {**self.local_names, **self.plan.locals[symbol]}

    def _visit_class(self, node: ast.ClassDef) -> None:
        """Visit what is evaluated around a class, then its body."""
        self._rename_word(node, node.name, r"class\s+")
        for child in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(child)
        fields = {
            getattr(child.target, "id", "")
            for child in node.body
            if isinstance(child, ast.AnnAssign) and child.value is None
        }
        bound = {name for child in iter_scope(node.body) for name in bound_names(child)}
        self.path = (*self.path, node.name)
        self._visit_inside(ClassNames({name: Binding(name) for name in bound - fields}), node.body)
        self.path = self.path[:-1]

    def _visit_comprehension(self, node: Any) -> None:
        """Visit the first iterable outside, all else inside of the scope of a comprehension."""
        self.visit(node.generators[0].iter)
        inside = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.comprehension)]
        for index, generator in enumerate(node.generators):
            inside += [generator.target, *generator.ifs, *([generator.iter] if index else [])]
        self._visit_inside(self._make_scope(generator.target for generator in node.generators), inside)
