"""needs: what a script wants beyond a Python with torch and numpy on one device, in a word each."""

import ast
import sys
from collections.abc import Iterable

from bot.stages.marks import NEEDS, OF_THEIR_OWN, READS, WRITES
from bot.stages.memory import gigabytes
from bot.syntax import names, uncommented, walked

AT_HAND = frozenset({"torch", "numpy", *sys.stdlib_module_names})
"""Top-level packages that the sandbox has."""
FILE = "a file that is not in the thread"


def needs(code: str, tree: ast.Module) -> tuple[str, ...]:
    """What the code needs, each thing once, in a fixed order."""
    plain = uncommented(code)
    found = [need for need, pattern in NEEDS if pattern.search(plain)]
    if READS.search(plain) and not WRITES.search(plain) and "a checkpoint that is not in the thread" not in found:
        found.append(FILE)
    packages = sorted(_packages(tree) - AT_HAND - {""})
    found += [OF_THEIR_OWN.get(name, f"the package {name}") for name in packages]
    lacks = names(code)
    found += [f"a definition of {name}" for name in sorted(lacks.free)] if lacks and not _stars(tree) else []
    found += ["the code that it leaves out (...)"] if _elided(tree) else []
    memory = gigabytes(code, tree)
    found += [f"about {memory} GB of memory"] if memory else []
    return tuple(dict.fromkeys(found))


def barring(wants: Iterable[str]) -> list[str]:
    """Those of the needs without which a run can't even be tried; how much memory there is, the run itself tells."""
    return [need for need in wants if not need.endswith("GB of memory")]


def _packages(tree: ast.Module) -> set[str]:
    """Top-level packages that are imported; relative ones are of a project that is not there."""
    found: set[str] = set()
    for node in walked(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").partition(".")[0] if not node.level else "of the script itself")
    return found


def _stars(tree: ast.Module) -> bool:
    """Does `from x import *` bring names that can't be known?"""
    imported = (node for node in walked(tree) if isinstance(node, ast.ImportFrom))
    return any(alias.name == "*" for node in imported for alias in node.names)


def _elided(tree: ast.Module) -> bool:
    """Does `...` stand for something, other than the dimensions of an index?"""
    indices = {id(inner) for node in walked(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)}
    return any(
        isinstance(node, ast.Constant) and node.value is Ellipsis and id(node) not in indices for node in walked(tree)
    )
