"""names: what the names of a script are that it imports, and which of its own classes have which methods."""

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Root(NamedTuple):
    """The name at the left end of a dotted one."""

    name: str
    """As it is written here."""
    module: str
    """What was imported under it."""


class Names:
    """What a script's names stand for."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self._imported: dict[str, str] = {}
        self._methods: dict[str, set[str]] = {}
        self._made_by: dict[str, set[str]] = {}
        self._used: set[str] = set()
        for node in nodes:
            learn = _LEARNED.get(type(node))
            if learn is not None:
                learn(self, node)
            elif isinstance(node, ast.Name):
                self._used.add(node.id)
            elif isinstance(node, ast.Attribute):
                self._used.add(node.attr)
        self._imported.setdefault("torch", "torch")
        """A script that forgot `import torch` means torch by `torch`."""

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

    @property
    def of_torch(self) -> Iterable[str]:
        """The script's own names for parts of torch that it imported by themselves."""
        return (name for name, module in self._imported.items() if module.startswith("torch."))

    def own_method(self, value: ast.expr, method: str) -> bool:
        """Is the value of the script's own classes, as far as can be told, and do they define the method themselves?"""
        makers = self._made_by.get(value.id, set()) if isinstance(value, ast.Name) else {_maker(value)}
        return bool(makers) and all(method in self._methods.get(maker, ()) for maker in makers)

    def unused(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
        """Is it certain that nothing calls a function or a class? Not where a test runner or a decorator may."""
        name = node.name
        called = name in self._used or name.startswith(("test", "__"))
        inherits = isinstance(node, ast.ClassDef) and bool(node.bases)
        return not (called or node.decorator_list or inherits)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            self._imported[alias.asname or first] = alias.name if alias.asname else first

    def _import_from(self, node: ast.ImportFrom) -> None:
        if not node.level:
            for alias in node.names:
                self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _class(self, node: ast.ClassDef) -> None:
        self._methods[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._made_by.setdefault(target.id, set()).add(_maker(node.value))


_LEARNED: Mapping[type[ast.AST], Callable[[Names, Any], None]] = {
    ast.Import: Names._import,
    ast.ImportFrom: Names._import_from,
    ast.ClassDef: Names._class,
    ast.Assign: Names._assign,
}


def _maker(value: ast.expr) -> str:
    """The name that is called to make a value; empty where it is no plain one."""
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
