"""facts: what is true of a script as a whole: what it calls, what it compares with, which names are its own."""

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any

from bot.stages.expressions import can_be_none, held, is_none, last

WORD = re.compile(r"\w+")
BY_RUNNERS = ("test", "Test", "setup", "setUp", "teardown", "tearDown", "pytest_", "load_tests", "__")
"""How names begin of what a test runner or Python itself calls."""
BY_NAME = frozenset({"__import__", "eval", "exec", "getattr", "globals", "locals", "vars"})
"""Functions by which anything may be called without being named."""
BY_MEMBER = frozenset({"__dict__", "Fire", "getmembers"})
PATTERNS = ("search", "match", "fullmatch", "findall", "finditer")
"""Of `re`, or of a pattern that was made before."""
CHECKS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("assertEqual", "assertNotEqual", "assertIn", "assertNotIn", "assertMultiLineEqual"), (0, 1)),
    **dict.fromkeys(("assertRegex", "assertNotRegex", "assertExpectedInline", "assertWarnsRegex"), (1,)),
    **dict.fromkeys(("assertRaisesRegex", "assertRaisesRegexp", "assertRaisesOnlyMessage"), (1,)),
    **dict.fromkeys(PATTERNS, (0,)),
    **dict.fromkeys(("startswith", "endswith", "find", "rfind", "index", "count"), (0,)),
}
"""Which arguments of a call are texts that another text is compared with."""
CHECKING = frozenset({"match", "expected_regex", "regex"})
FIELDS = frozenset({"add_argument", "add_option", "make_dataclass", "namedtuple", "setattr"})
"""Calls whose strings are names of attributes."""
DTYPES = ("", "Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool")
LEGACY = frozenset(f"{one}Tensor" for one in DTYPES)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Facts:
    """What can be told of a script's names without running it."""

    def __init__(self, nodes: Iterable[ast.AST], outer: "Facts | None" = None) -> None:
        """`outer`: of the script that holds this one."""
        self.makes_tensors: bool = outer.makes_tensors if outer else False
        """Does it call `torch.Tensor` or one of its like, which go by the default type?"""
        self._outer = outer
        self._called: set[str] = set()
        self._members: set[str] = set()
        self._texts: list[str] = []
        self._own: set[str] = set()
        self._none: set[str] = set()
        self._none_members: set[str] = set()
        self._passed_none: list[tuple[str, int | str]] = []
        self._classes: set[str] = set()
        self._parameters: dict[str, list[str]] = {}
        self._values: dict[str, list[ast.expr]] = {}
        self._compared: list[ast.expr] = []
        for node in nodes:
            learn = _LEARNED.get(type(node))
            if learn is not None:
                learn(self, node)

    def unused(self, node: Definition) -> bool:
        """Is it certain that nothing calls a function or a class that is no method?

        Not where a test runner, a decorator or a base may, and not where a string names it or names are made up.
        """
        held = isinstance(node, ast.ClassDef) and (node.bases or node.keywords)
        if held or node.decorator_list or node.name.startswith(BY_RUNNERS):
            return False
        return not any(one._mentions(node.name) for one in (self, self._outer) if one)

    def _mentions(self, name: str) -> bool:
        by_name = self._called & BY_NAME or self._members & BY_MEMBER
        return bool(by_name) or name in self._called or name in self._members or name in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(map(WORD.findall, self._texts)))

    def owns(self, attribute: str) -> bool:
        """Is an attribute one that the script itself makes?"""
        return attribute in self._own or bool(self._outer and self._outer.owns(attribute))

    def may_be_none(self, node: ast.expr) -> bool:
        """Can a name or an attribute be None, as far as the script says what it is?"""
        nones = self._none_members if isinstance(node, ast.Attribute) else self._nones
        return last(node) in nones or bool(self._outer and self._outer.may_be_none(node))

    @cached_property
    def _nones(self) -> frozenset[str]:
        """The names that None is given to, also by a call of the script's own functions."""
        found = set(self._none)
        for name, place in self._passed_none:
            if isinstance(place, str):
                found |= {place} if name in self._parameters or name in self._classes else set()
            else:
                initial = "__init__" if name in self._classes else name
                found |= {*self._parameters.get(initial, [])[place : place + 1]}
        return frozenset(found)

    @cached_property
    def checked(self) -> frozenset[int]:
        """The strings, by their nodes' identity, that a text is compared with, also through a name."""
        found: set[int] = set()
        seen: set[str] = set()
        waiting = list(self._compared)
        while waiting:
            node = waiting.pop()
            name = last(node)
            if isinstance(node, ast.Constant | ast.JoinedStr):
                found.add(id(node))
            elif name and name not in seen:
                seen.add(name)
                waiting += self._values.get(name, ())
            elif not name:
                waiting += held(node)
        return frozenset(found)

    def _name(self, node: ast.Name) -> None:
        self._called.add(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        self._members.add(node.attr)
        if isinstance(node.ctx, ast.Store):
            self._own.add(node.attr)

    def _constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._texts.append(node.value)

    def _class(self, node: ast.ClassDef) -> None:
        self._classes.add(node.name)
        for one in node.body:
            targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
            fields = {target.id for target in targets if isinstance(target, ast.Name)}
            self._own |= fields
            value = getattr(one, "value", None)
            if value is not None and can_be_none(value):
                self._none_members |= fields

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._own.add(node.name)
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        self._parameters[node.name] = names[1:] if names[:1] in (["self"], ["cls"]) else names

    def _arguments(self, node: ast.arguments) -> None:
        listed = [*node.posonlyargs, *node.args]
        pairs = [*zip(listed[len(listed) - len(node.defaults) :], node.defaults, strict=True)]
        for one, value in [*pairs, *zip(node.kwonlyargs, node.kw_defaults, strict=True)]:
            if value is not None:
                self._bind(one.arg, value, self._none)

    def _bind(self, name: str, value: ast.expr, nones: set[str]) -> None:
        self._values.setdefault(name, []).append(value)
        if can_be_none(value):
            nones.add(name)

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._given(target, node.value)

    def _target(self, node: ast.AnnAssign | ast.NamedExpr) -> None:
        if node.value is not None:
            self._given(node.target, node.value)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        self._given(node.target, node.iter)

    def _given(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value, self._none)
        elif isinstance(target, ast.Attribute):
            self._bind(target.attr, value, self._none_members)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, own in zip(target.elts, value.elts, strict=False):
                if isinstance(one, ast.Name):
                    self._bind(one.id, own, self._none)

    def _compare(self, node: ast.Compare) -> None:
        self._compared += [node.left, *node.comparators]

    def _case(self, node: ast.MatchValue) -> None:
        self._compared.append(node.value)

    def _call(self, node: ast.Call) -> None:
        name = last(node.func)
        self._compared += [node.args[place] for place in CHECKS.get(name, ()) if place < len(node.args)]
        if name in PATTERNS and isinstance(node.func, ast.Attribute):
            self._compared.append(node.func.value)
        self._passed_none += [(name, place) for place, one in enumerate(node.args) if is_none(one)]
        for one in node.keywords:
            if one.arg in CHECKING:
                self._compared.append(one.value)
            if one.arg:
                self._own.add(one.arg)
            if one.arg and is_none(one.value):
                self._passed_none.append((name, one.arg))
        if name in FIELDS:
            self._fields(node, name)
        moved = isinstance(node.func, ast.Attribute) and last(node.func.value) in ("cuda", "mps")
        self.makes_tensors = self.makes_tensors or (name in LEGACY and not moved)

    def _fields(self, node: ast.Call, name: str) -> None:
        """`parser.add_argument("--use-cuda")`, `namedtuple("Times", "cpu cuda")`"""
        texts = [one.value for given in node.args for one in (given, *held(given)) if isinstance(one, ast.Constant)]
        destination = [one.value.value for one in node.keywords if isinstance(one.value, ast.Constant)]
        words = [one.lstrip("-").replace("-", "_") for one in (*texts, *destination) if isinstance(one, str)]
        fields = set(chain.from_iterable(map(str.split, words)))
        self._own |= fields
        if name == "add_argument" and not {one.arg for one in node.keywords} & {"action", "default", "required"}:
            self._none_members |= fields


_LEARNED: Mapping[type[ast.AST], Callable[[Facts, Any], None]] = {
    ast.AnnAssign: Facts._target,
    ast.Assign: Facts._assign,
    ast.AsyncFor: Facts._loop,
    ast.AsyncFunctionDef: Facts._function,
    ast.Attribute: Facts._attribute,
    ast.Call: Facts._call,
    ast.ClassDef: Facts._class,
    ast.Compare: Facts._compare,
    ast.Constant: Facts._constant,
    ast.For: Facts._loop,
    ast.FunctionDef: Facts._function,
    ast.MatchValue: Facts._case,
    ast.Name: Facts._name,
    ast.NamedExpr: Facts._target,
    ast.arguments: Facts._arguments,
    ast.comprehension: Facts._loop,
}
