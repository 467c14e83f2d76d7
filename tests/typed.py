"""A command line typed in this process: a fresh one for each takes seconds to import what this one has."""

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.cli.commands import answer_to


class Answer(NamedTuple):
    """What came of it."""

    returncode: int
    stdout: str
    stderr: str


def typed(state: Path, *arguments: str) -> Answer:
    """`alignbot …` on a state folder, with no other configuration."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for variable in [one for one in os.environ if one.startswith("ALIGNBOT_")]:
            patch.delenv(variable)
        patch.setenv("ALIGNBOT_STATE", str(state))
        patch.setenv("HOME", str(state))
        patch.chdir(state)
        code = answer_to(list(arguments))
    return Answer(code, out.getvalue(), err.getvalue())
