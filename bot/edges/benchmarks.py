"""What a benchmark needs of the installation: the harness's text, and the cases that ship."""

from pathlib import Path

from bot.resources import resource


def harness_text() -> str:
    """The text that every benchmark's script begins with."""
    return (resource("harness") / "timing.py").read_text("utf-8")


def shipped() -> dict[str, Path]:
    """Files of cases by the names that people give; a file that is there is one."""
    return {path.stem: path for path in sorted(resource("benchmarks").glob("*.toml"))}
