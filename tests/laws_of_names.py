"""The law that no name of the source device is left untold, by the tree alone, as no rule sees it."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from bot.model import Port
from bot.syntax import parsed


def of_source(before: str, done: Port) -> list[str]:
    """Pieces of the ported code that still name the source device, and that no leftover tells of.

    By the tree alone, as no rule sees it. The second source's arms stay where the first one was carried over, and the
    first one's where the script names the target beside it.
    """
    tree = parsed(done.code)
    if not re.search(r"torch|\.to\(|\.cuda\(", done.code):
        return []
    own = _own(before)
    arms = _arms(tree, done.device) if done.device != "cpu" else set()
    source = next((one for one in ("cuda", "mps") if one != done.device), "")
    told = "\n".join(left.text for left in done.leftovers)
    found = []
    for node in ast.walk(tree):
        if id(node) in arms:
            continue
        plain = False
        if isinstance(node, ast.Attribute):
            plain = isinstance(node.value, ast.Name) and node.value.id in ("torch", "th")
            named = node.attr == source if plain else source in node.attr.split("_") and node.attr not in own
            named = named and not ast.unparse(node).startswith(("torch.backends.", "torch._"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = node.func.attr == source and source not in own
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = re.fullmatch(rf"{source}(:\d+|:%[ds])?", node.value) is not None
        else:
            continue
        if named:
            value = len(ast.unparse(node.func.value)) if isinstance(node, ast.Call) else 0
            member = isinstance(node, ast.Attribute) and not plain
            found.append((node.lineno, node.attr if member else ast.unparse(node)[value:]))
    alone = (one.value for one in ast.walk(tree) if isinstance(one, ast.Expr))
    remarks = {one.lineno for one in alone if isinstance(one, ast.Constant)}
    return [text for line, text in found if line not in remarks and not _is_in(text, told)]


def _own(code: str) -> set[str]:
    """The words of a script that may be attributes of its own: all but those that it only asks for."""
    asked = {node.attr for node in ast.walk(parsed(code)) if isinstance(node, ast.Attribute) and _loads(node)}
    nodes = list(ast.walk(parsed(code)))
    set_ = {node.attr for node in nodes if isinstance(node, ast.Attribute) and not _loads(node)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    fields = {one.id for node in nodes if isinstance(node, ast.ClassDef) for one in ast.walk(node) if _stores(one)}
    keywords = {str(node.arg) for node in nodes if isinstance(node, ast.keyword)}
    texts = " ".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    flags = {one for one in asked if re.search(rf"--{one.replace('_', '.')}|(?<!\S){one}(?!\S)", texts)}
    return set_ | defined | fields | keywords | flags


def _loads(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _arms(tree: ast.Module, target: str) -> set[int]:
    """Names of other devices that stand beside the target's in a table, or in a chain of questions."""
    asked: list[list[ast.AST]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If | ast.IfExp)]
            asked.append([one for test in tests for one in ast.walk(test)])
        elif isinstance(node, ast.Match):
            asked.append([one for case in node.cases for one in ast.walk(case.pattern)])
    return beside(asked, target) | beside(tables(tree), target)


def tables(tree: ast.Module) -> Iterator[list[ast.AST]]:
    """The keys, the values and the columns of tables."""
    for node in ast.walk(tree):
        groups: list[list[ast.expr]] = []
        if isinstance(node, ast.Dict):
            groups = [list(filter(None, node.keys)), node.values]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            groups = [node.elts]
        for group in groups:
            rows = [one.elts for one in group if isinstance(one, ast.List | ast.Tuple)]
            for listed in (group, *zip_longest(*rows)):
                yield [
                    one for each in listed if each for one in (each, *(each.args if isinstance(each, ast.Call) else ()))
                ]


def beside(groups: Iterable[Sequence[ast.AST]], target: str) -> set[int]:
    """Names of other devices in a group that the target's is in."""
    others = [group for group in groups if target in map(_device, group)]
    return {id(one) for group in others for one in group if _device(one) in ("cuda", "mps")}


def _device(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and node.attr.startswith("is_"):
        return node.attr.removeprefix("is_")
    told = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value.partition(":")[0] if isinstance(node, ast.Constant) and told else ""


def _is_in(text: str, told: str) -> bool:
    """Is a piece of code in what was told, whatever its quotes and blanks?"""
    bare = re.compile(r"[\s'\"()\\#,]")
    return bare.sub("", text) in bare.sub("", told)
