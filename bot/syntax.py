"""Whether a text is Python. Text is parsed, never compiled to code and never run."""

import ast
import warnings


def parsed(text: str) -> ast.Module | None:
    """The syntax tree, or None for what Python does not accept, however it fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(text: str) -> bool:
    """Does Python accept this as a module?"""
    return parsed(text) is not None


def depth(tree: ast.AST) -> int:
    """Levels of the tree; counted without recursion, so that no text is too deep for it."""
    level, here = 0, [tree]
    while here:
        level, here = level + 1, [child for node in here for child in ast.iter_child_nodes(node)]
    return level
