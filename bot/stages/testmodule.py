"""testmodule: a script that runs some tests of a file on one device and says how they ended.

Parts of the file stand as they stood there. What is of our own: the imports at the top, the device, and the ending.
"""

import ast
from collections.abc import Iterator, Sequence

from bot.stages.decorators import settle
from bot.stages.hosts import runs, takes_device
from bot.stages.parts import Parts, place_of
from bot.stages.scopes import FUNCTIONS, here
from bot.stages.suite import ENDING
from bot.stages.testfile import Test, TestFile
from bot.stages.wellknown import ALWAYS, IMPORTS, STAND_INS

INSTANTIATE = 'instantiate_device_type_tests({name}, globals(), only_for=("cuda",), allow_xpu=True)'
"""The port carries the device over like any other."""
QUIET = """import os

os.environ["PYTORCH_PRINT_REPRO_ON_FAILURE"] = "0"  # the library can't know what this script is called
"""


def script(tests: Sequence[Test], parts: Parts, file: TestFile, about: str) -> str:
    """The script. `about` says in a line what it is."""
    hosts = list(dict.fromkeys(host for test in tests for host in runs(test, file)))
    endings = [line for host in hosts for line in _instantiated(host, tests, file)]
    needed = parts.imports | {line.partition("(")[0] for line in endings}
    bodies = [text for _, text in sorted([*_statements(parts, file), *_classes(parts, file)])]
    imports = [*(f"import {name}" for name in ALWAYS), *_imports(parts, file)]
    imports += [IMPORTS[name] for name in sorted(needed) if IMPORTS[name] not in imports]
    imports.sort(key=lambda line: line.startswith("from "))
    stand_ins = [STAND_INS[name] for name in sorted(parts.stand_ins)]
    head = f'"""{about}\n\nExit code 0: right. 1: wrong. 3: nothing is proven.\n"""\n\n{QUIET}'
    return _apart(["\n".join([head, *imports]), *stand_ins, *bodies, *endings]).rstrip() + "\n" + ENDING


def _apart(texts: Sequence[str]) -> str:
    """One below the other; functions and classes stand apart."""
    made = ""
    for text in texts:
        near = made and "\n" not in text and not made.endswith("\n\n") and not text.startswith("instantiate")
        made = made.rstrip("\n") + ("\n" if near else "\n\n\n" if made else "") + text
        made += "\n\n" if "\n" in text else ""
    return made


def _instantiated(host: str, tests: Sequence[Test], file: TestFile) -> Iterator[str]:
    """How the tests of a class are made, where something has to make them."""
    own = [test for test in tests if host in runs(test, file)]
    if any(file.calls("instantiate_device_type_tests", host)) or any(takes_device(test.node) for test in own):
        yield INSTANTIATE.format(name=host)
    elif any(file.calls("instantiate_parametrized_tests", host)):
        yield f"instantiate_parametrized_tests({host})"


def _statements(parts: Parts, file: TestFile) -> Iterator[tuple[int, str]]:
    for place, node in parts.statements.items():
        yield place, _text(node, getattr(node, "decorator_list", []), file)


def _imports(parts: Parts, file: TestFile) -> Iterator[str]:
    """The file's own imports, each as far as it is used; all of a module's names where some come from nowhere."""
    wanted = (parts.names - parts.stand_ins) | ({"*"} if parts.missing else set())
    for node in file.imports():
        for_all = {alias.name for alias in node.names if isinstance(node, ast.Import) and alias.name in ALWAYS}
        aliases = [one for one in node.names if here(one, node) in wanted and (one.asname or one.name not in for_all)]
        if aliases and isinstance(node, ast.Import):
            yield ast.unparse(ast.Import(aliases))
        elif aliases and isinstance(node, ast.ImportFrom):
            yield ast.unparse(ast.ImportFrom(node.module, aliases, node.level))


def _classes(parts: Parts, file: TestFile) -> Iterator[tuple[int, str]]:
    """Classes that are taken in part: the header by its meaning, the members as they stand."""
    for name, members in parts.members.items():
        node = file.classes[name]
        given = ", ".join(ast.unparse(one) for one in [*node.bases, *node.keywords])
        header = [f"@{ast.unparse(one)}" for one in settle(node).kept]
        header.append(f"class {name}({given}):" if given else f"class {name}:")
        body = [_text(one, _kept(one), file) for _, one in sorted(members.items())] or ["    pass"]
        yield place_of(node), "\n".join([*header, "\n\n".join(body)])


def _kept(node: ast.stmt) -> Sequence[ast.expr]:
    return settle(node).kept if isinstance(node, FUNCTIONS) else getattr(node, "decorator_list", [])


def _text(node: ast.stmt, decorators: Sequence[ast.expr], file: TestFile) -> str:
    """As it stands in the file, with these decorators; spelled anew where it shares its lines with others."""
    lines = list(file.lines[node.lineno - 1 : node.end_lineno])
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    before = lines[0].encode()[: node.col_offset].strip()
    behind = lines[-1].encode()[node.end_col_offset or 0 :].strip()
    if before or (behind and not behind.startswith(b"#")):
        lines = [margin + line for line in ast.unparse(node).split("\n")]
        return "\n".join(lines)
    return "\n".join([*(f"{margin}@{ast.unparse(one)}" for one in decorators), *lines])
