"""The new tree: the place of every module and the name of every symbol."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.move_modules.source import PACKAGE, Import, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Symbol:
    """A name of a module of the package; without a name, the module."""

    module: str
    name: str = ""


@dataclass(frozen=True)
class Binding:
    """How a name of a scope is written in the new tree, and what of the package it refers to."""

    text: str
    symbol: Symbol | None = None


def qualify(name: str) -> str:
    """Return the full name of a module of the table."""
    return f"{PACKAGE}.{name}" if name else PACKAGE


def read_symbols(entries: Mapping[str, Any]) -> dict[Symbol, Any]:
    """Read a table by `module:name`."""
    return {
        Symbol(qualify(key.partition(":")[0]), key.partition(":")[2]): value for key, value in entries.items()
    }


class Plan:
    """Where every module goes, and how every symbol is called there."""

    def __init__(self, root: Path, table: Mapping[str, Any]) -> None:
        self.folder = root / "src" / PACKAGE
        self.problems: dict[str, None] = {}  # an ordered set
        self.sources: dict[str, Source] = {}
        for path in sorted(self.folder.rglob("*.py")):
            name = ".".join(path.relative_to(self.folder.parent).with_suffix("").parts)
            name = name.removesuffix(".__init__")
            self.sources[name] = Source(path, name)
        packages = {qualify(old): qualify(new) for old, new in table.get("PACKAGES", {}).items()}
        dropped = {qualify(name) for name in table.get("DROP", [])}
        self.renames: dict[Symbol, str] = read_symbols(table.get("RENAME", {}))
        self.locals: dict[Symbol, dict[str, str]] = read_symbols(table.get("LOCAL", {}))
        self.unused_locals = set(self.locals)
        self.groups: dict[str, list[str]] = defaultdict(list)
        for new, names in table.get("MERGE", {}).items():
            self.groups[qualify(new)] = [qualify(name) for name in names]
        self.places = {name: new for new, names in self.groups.items() for name in names}
        for name in [name for name in self.sources if name not in self.places.keys() | dropped]:
            # A module that is not merged moves with the innermost package of the table, or stays.
            old = max((old for old in packages if f"{name}.".startswith(f"{old}.")), key=len, default=name)
            self.places[name] = packages.get(old, old) + name.removeprefix(old)
            if self.places[name] in self.groups:
                self.report(f"{name} would be written over by {', '.join(self.groups[self.places[name]])}")
            self.groups[self.places[name]].append(name)
        listed = [*(name for names in self.groups.values() for name in names), *dropped, *packages]
        for name in sorted({*listed} - self.sources.keys()):
            raise SystemExit(f"there is no module {name}")
        for target in self.groups:
            if target.rpartition(".")[0] not in {"", *self.groups}:
                self.report(f"{target} would be in a package without __init__.py; make that file first")
        for symbol in self.renames:
            if (
                symbol.module not in self.sources
                or symbol.name not in self.sources[symbol.module].definitions
            ):
                self.report(f"{symbol.module} defines no {symbol.name}, which is to be renamed")

    def report(self, problem: str) -> None:
        """Add a problem to the list, once."""
        self.problems[problem] = None

    def is_package(self, name: str) -> bool:
        """Tell whether a module of the old tree is a package."""
        return name in self.sources and self.sources[name].path.name == "__init__.py"

    def new_path(self, target: str) -> Path:
        """Return the file of a module of the new tree."""
        path = self.folder.parent.joinpath(*target.split("."))
        names = self.groups[target]
        is_package = len(names) == 1 and self.is_package(names[0])
        if is_package or any(name.startswith(f"{target}.") for name in self.groups):
            return path / "__init__.py"
        return path.with_suffix(".py")

    def resolve(self, module: str, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> Symbol:
        """Return what `from module import name` imports, followed to where it is defined."""
        source = self.sources.get(module)
        if source and name in source.definitions:
            return Symbol(module, name)
        if source and name in source.imports and (module, name) not in seen:
            return self.resolve(*source.imports[name][:2], seen | {(module, name)})
        return Symbol(f"{module}.{name}") if f"{module}.{name}" in self.sources else Symbol(module, name)

    def new_name(self, module: str, name: str) -> str:
        """Return how a name that an old module defines or imports is called there in the new tree."""
        source = self.sources[module]
        if name in source.imports and name not in source.definitions:
            return self.bind_import(source.imports[name], module, self.places.get(module))[0].text
        return self.renames.get(Symbol(module, name), name)

    def bind_import(self, old: Import, importer: str, target: str | None) -> tuple[Binding, Import | None]:
        """Return the binding of an imported name and its new import, or None if the target defines it."""
        module, name, alias = old
        symbol = self.resolve(module, name)
        if importer == module and f"{module}.{name}" in self.sources:
            symbol = Symbol(f"{module}.{name}")
        if symbol.module not in self.places:
            self.report(f"{importer} imports {name} from {module}, which is dropped or missing")
            return Binding(alias or name), old
        place = self.places[symbol.module]
        if not symbol.name:
            if place == target:
                return Binding("", symbol), None
            place, _, new = place.rpartition(".")
        elif self.is_package(module) and module != symbol.module and module in self.places:
            # The package re-exports the name, and still does so.
            place, new = self.places[module], self.new_name(module, name)
        else:
            new = self.new_name(symbol.module, symbol.name)
        if symbol.name and place == target:
            return Binding(new, symbol), None
        return Binding(alias or new, symbol), (place, new, alias)

    def follow(self, module: str, names: Sequence[str]) -> tuple[str, int]:
        """Return the submodule to which attributes of a module lead, and how many of them do."""
        for count, name in enumerate(names):
            source = self.sources[module]
            if name in source.definitions | source.imports.keys() or f"{module}.{name}" not in self.sources:
                return module, count
            module = f"{module}.{name}"
        return module, len(names)

    def move_reference(self, text: str) -> str:
        """Return the new form of a dotted name or of the path of a file."""
        if "/" not in text and text.startswith(f"{PACKAGE}."):
            names = text.split(".")[1:]
            module, count = self.follow(PACKAGE, names)
            if module not in self.places:
                return text
            new = [self.new_name(module, name) or name for name in names[count : count + 1]]
            return ".".join([self.places[module], *new, *names[count + 1 :]])
        head, mark, tail = text.rpartition(f"{PACKAGE}/")
        module = qualify(tail.removesuffix(".py").replace("/", ".")).removesuffix(".__init__")
        # A bare file name may be any file's.
        is_module = (mark and head in ("", "src/")) or head.endswith("/src/") or (not mark and "/" in tail)
        if not is_module or self.places.get(module, module) == module:
            return text
        return head + mark + self.new_path(self.places[module]).relative_to(self.folder).as_posix()
