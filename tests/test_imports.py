"""The shape of the house: who may import whom, and where heavy or dangerous libraries are allowed."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BOT = Path(__file__).parent.parent / "bot"

ALLOWED = {
    "errors": set(),
    "resources": set(),
    "syntax": set(),
    "registry": {"errors"},
    "model": {"model"},
    "targets": {"model"},
    "sample": set(),
    "cpp": {"cpp", "model"},
    "rules": {"rules", "model", "syntax", "cpp"},
    "stages": {"stages", "model", "registry", "syntax", "windows", "cpp"},
    "sanitising": {"sanitising", "errors", "model"},
    "seams": {"seams", "model", "errors"},
    "windows": {"windows", "model"},
    "edges": {"edges", "model", "seams", "errors", "resources", "windows"},
    "pipeline": {"pipeline", "model", "seams", "errors", "stages", "registry"},
    "filing": {"filing", "model", "seams", "errors"},
    "progress": {"model", "seams"},
    "dashboard": {"dashboard", "model", "seams", "errors", "resources", "stages"},
    "settings": set(),
    "config": {"errors", "settings"},
    "logs": set(),
    "wire": {"wire", "config", "edges", "errors", "filing", "model", "pipeline", "registry", "resources",
             "sanitising", "seams", "sourcing", "stages", "targets"},
    "reporting": {"edges", "model", "settings", "stages", "wire"},
    "outgoing": {"edges", "errors", "filing", "model", "settings", "stages", "wire"},
    "seen": {"model"},
    "waiting": {"edges", "errors", "model", "pipeline", "scanning", "seams", "settings", "stages", "wire"},
    "standing": {"edges", "errors", "model", "settings", "stages", "wire"},
    "watching": {"edges", "errors", "model", "scanning", "seen", "settings", "standing", "stages",
                 "waiting", "wire"},
    "scanning": {"errors", "wire", "settings", "edges", "model", "pipeline", "progress", "seams", "stages"},
    "coverage": {"errors", "wire", "settings", "edges", "model", "pipeline", "progress", "scanning", "windows"},
    "rounds": {"coverage", "edges", "errors", "model", "scanning", "settings", "waiting", "watching", "wire"},
    "analysing": {"config", "edges", "errors", "registry", "stages", "targets"},
    "sourcing": {"analysing", "edges", "errors", "model", "registry", "settings", "stages", "targets"},
    "daemon": {"model", "rounds", "scanning", "settings"},
    "doctor": {"doctor", "config", "edges", "errors", "model", "settings", "wire"},
    "cli": {"analysing", "cli", "config", "coverage", "daemon", "dashboard", "doctor", "edges", "errors", "logs",
            "model", "outgoing", "registry", "reporting", "scanning", "seen", "sourcing", "stages", "waiting",
            "watching", "wire"},
    "__main__": {"cli"},
    "harness": set(),
}  # fmt: skip
"""Part of the house -> parts that it may import. The harness imports itself only, and only relatively."""

LIBRARIES = {
    "torch": {"harness"},
    "sqlmodel": {"edges"},
    "sqlalchemy": {"edges"},
    "alembic": {"edges"},
    "typer": {"cli"},
    "apscheduler": {"daemon"},
    "fastapi": {"dashboard"},
    "uvicorn": {"dashboard"},
    "markdown_it": {"stages", "reporting", "dashboard", "sanitising"},
    "psutil": {"edges"},
    "yaml": {"edges"},
    "tree_sitter": {"cpp", "rules"},
    "tree_sitter_cpp": {"cpp"},
    "subprocess": {"edges"},
    "httpx": {"edges"},
    "github": {"edges"},
    "tenacity": {"edges"},
    "zstandard": {"edges"},
    "socket": {"dashboard"},
}
"""Library -> parts that may import it."""

FILES = sorted(BOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """`model`, `edges`, `pipeline`, …"""
    return path.relative_to(BOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Dotted names of all absolute imports, those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(BOT)))
def test_import_direction(path: Path) -> None:
    """Every module of ours imports only what its part of the house may import."""
    part = part_of(path)
    if part == "__init__":
        assert not list(imports(path))
        return
    ours = {name.split(".")[1] for name in imports(path) if name.startswith("bot.") and name != "bot.__version__"}
    assert ours <= ALLOWED[part]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(BOT)))
def test_libraries_stay_in_their_part(path: Path) -> None:
    """Torch, databases, servers and processes are each touched in one part only."""
    for name in imports(path):
        parts = LIBRARIES.get(name.partition(".")[0])
        assert parts is None or part_of(path) in parts, name


def test_stages_never_import_a_rule() -> None:
    """Rules are handed to the stages."""
    for path in (BOT / "stages").glob("*.py"):
        assert not [name for name in imports(path) if name.startswith("bot.rules")]


def test_files_are_small() -> None:
    """No file of ours grows past 300 lines."""
    assert [str(path) for path in FILES if len(path.read_text("utf-8").splitlines()) > 300] == []


@pytest.mark.parametrize("command", ["--help", "version", "scan --help"])
def test_the_door_is_light(command: str) -> None:
    """`--help` and `version` load neither torch nor the model, the database or the servers."""
    code = (
        "import sys\nfrom bot.cli import main\n"
        f"sys.argv = ['alignbot', *{command.split()!r}]\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert stop.code == 0, stop.code\n"
        "heavy = {'torch', 'bot.model', 'sqlmodel', 'sqlalchemy', 'fastapi', 'jinja2'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
