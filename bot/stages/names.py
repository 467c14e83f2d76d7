"""names: what the names of a script are that it imports, and which of its own classes have which methods."""

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

PLAIN = sys.stdlib_module_names | {"matplotlib", "numpy", "pandas", "polars", "pytest", "scipy", "tabulate", "tqdm"}
"""Packages that know nothing of torch's devices."""
MOVES = frozenset({"cuda", "mps", "to", "torch"})


class Root(NamedTuple):
    """The name at the left end of a dotted one."""

    name: str
    """As it is written here."""
    module: str
    """What was imported under it."""


class Names:
    """What a script's names stand for."""

    def __init__(
        self, nodes: Iterable[ast.AST], unbound: Mapping[str, str] | None = None, outer: "Names | None" = None
    ) -> None:
        """`unbound`: what a name is that the script leaves undefined; `outer`: the script that holds this one."""
        self._imported: dict[str, str] = dict(outer._imported) if outer else {}
        self._methods: dict[str, set[str]] = dict(outer._methods) if outer else {}
        self._made_by: dict[str, set[str]] = dict(outer._made_by) if outer else {}
        self._used: set[str] = set(outer._used) if outer else set()
        self._packages: set[str] = set()
        self._renamed: dict[str, list[ast.expr]] = {}
        self._bound: Counter[str] = Counter()
        for node in nodes:
            learn = _LEARNED.get(type(node))
            if learn is not None:
                learn(self, node)
        for name, module in {"torch": "torch", "os": "os", **(unbound or {})}.items():
            """A script that forgot `import torch` means torch by `torch`."""
            if name not in self._bound:
                self._imported.setdefault(name, module)
        for name, values in self._renamed.items():
            once = self._bound[name] == 1 and name not in self._imported
            known = self.qualified(values[0]) if once else None
            if known and known[0].startswith("torch."):
                self._imported[name] = known[0]

    def qualified(self, node: ast.expr) -> tuple[str, Root] | None:
        """A name or a dotted name as the module knows it that it was imported from; None for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        module = self._imported.get(node.id) if isinstance(node, ast.Name) else None
        if module is None or not isinstance(node, ast.Name):
            return None
        return ".".join([module, *reversed(parts)]), Root(node.id, module)

    def package(self, node: ast.expr) -> str:
        """The package that a name or a dotted name was imported from; empty where it was not."""
        known = self.qualified(node)
        return known[0].partition(".")[0] if known else ""

    @cached_property
    def of_torch(self) -> frozenset[str]:
        """The script's own names for parts of torch that it imported by themselves."""
        return frozenset(name for name, module in self._imported.items() if module.startswith("torch."))

    @property
    def without_torch(self) -> bool:
        """Is it certain that the script has nothing to do with torch?"""
        return bool(self._packages) and self._packages <= PLAIN and not self._used & MOVES

    def renames(self, node: ast.Assign) -> bool:
        """Does an assignment give a part of torch another name, which it has from then on?"""
        target = node.targets[0]
        return (
            isinstance(target, ast.Name)
            and [node.value] == self._renamed.get(target.id)
            and target.id in self._imported
            and len(node.targets) == 1
        )

    def own_method(self, value: ast.expr, method: str) -> bool:
        """Is the value of the script's own classes, as far as can be told, and do they define the method themselves?"""
        makers = self._made_by.get(value.id, set()) if isinstance(value, ast.Name) else {_maker(value)}
        return bool(makers) and all(method in self._methods.get(maker, ()) for maker in makers)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            self._packages.add(first)
            self._imported[alias.asname or first] = alias.name if alias.asname else first

    def _import_from(self, node: ast.ImportFrom) -> None:
        self._packages.add((node.module or "").partition(".")[0])
        if not node.level:
            for alias in node.names:
                self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _class(self, node: ast.ClassDef) -> None:
        self._bound[node.name] += 1
        self._methods[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bound[node.name] += 1

    def _parameter(self, node: ast.arg) -> None:
        self._bound[node.arg] += 1

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._renamed.setdefault(target.id, []).append(node.value)
                if not _changes(target.id, node.value):
                    self._made_by.setdefault(target.id, set()).add(_maker(node.value))

    def _name(self, node: ast.Name) -> None:
        self._used.add(node.id)
        if not isinstance(node.ctx, ast.Load):
            self._bound[node.id] += 1

    def _attribute(self, node: ast.Attribute) -> None:
        self._used.add(node.attr)


_LEARNED: Mapping[type[ast.AST], Callable[[Names, Any], None]] = {
    ast.Import: Names._import,
    ast.ImportFrom: Names._import_from,
    ast.ClassDef: Names._class,
    ast.FunctionDef: Names._function,
    ast.AsyncFunctionDef: Names._function,
    ast.Assign: Names._assign,
    ast.Name: Names._name,
    ast.Attribute: Names._attribute,
    ast.arg: Names._parameter,
}


def _maker(value: ast.expr) -> str:
    """The name that is called to make a value; empty where it is no plain one."""
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def _changes(name: str, value: ast.expr) -> bool:
    """`batch = batch.cuda()`: as a rule it is still what it was."""
    function = value.func if isinstance(value, ast.Call) else None
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == name
