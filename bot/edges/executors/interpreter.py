"""What the interpreter that runs scripts is made of: asked once, in a process of its own, without importing torch."""

import subprocess
from pathlib import Path

from pydantic import ValidationError

from bot.model import Value
from bot.seams import InputError

_QUESTION = """
import importlib.util, json, site, sys
spec = importlib.util.find_spec(sys.argv[1])
places = list(spec.submodule_search_locations or [spec.origin]) if spec else []
print(json.dumps({"executable": sys.executable, "prefix": sys.prefix, "base_prefix": sys.base_prefix,
    "folders": site.getsitepackages(), "package": places[0] if places else None}))
"""


class Interpreter(Value):
    """Paths as the interpreter gives them; symbolic links are not resolved."""

    executable: Path
    prefix: Path
    base_prefix: Path
    folders: tuple[Path, ...]
    """Its site-packages. What `.pth` files add is left out: a checkout may hold secrets."""
    package: Path | None
    """Folder of the package asked for, or None."""

    def parts(self) -> tuple[Path, ...]:
        """Every path that must be seen for it to run and to import the package; none lies inside another."""
        wanted = {self.prefix, self.base_prefix, *self.folders}
        if self.package is not None:
            wanted.add(self.package)
        # A prefix is often a symbolic link to the release at hand: both names must be there.
        wanted |= {path.resolve() for path in wanted}
        kept: list[Path] = []
        for path in sorted((path for path in wanted if path.exists()), key=lambda path: len(path.parts)):
            if not any(path.is_relative_to(outer) for outer in kept):
                kept.append(path)
        return tuple(kept)


def _private(path: Path) -> bool:
    """Would showing this folder show the home folder, or everything?"""
    return Path.home().resolve().is_relative_to(path) or path == Path("/")


def ask(python: Path, package: str = "torch", timeout_s: float = 30.0) -> Interpreter:
    """Where `python` keeps itself and `package`.

    Raises InputError when it can't be run, or when a script that sees it would see the home folder too.
    """
    command = [str(python), "-I", "-c", _QUESTION, package]
    try:
        answer = subprocess.run(
            command, env={}, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=True
        )
        interpreter = Interpreter.model_validate_json(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValidationError) as error:
        summary = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{python} is no Python that can run scripts: {summary}; set run.python") from error
    for part in interpreter.parts():
        if _private(part):
            raise InputError(
                f"{python} keeps its libraries in {part}, which scripts must not see: use a virtual environment"
            )
    return interpreter
