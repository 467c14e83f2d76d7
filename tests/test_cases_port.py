"""Every port case, and the laws of a port on texts that nobody wrote."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import Port
from bot.registry import rules
from bot.stages.port import PortError, port
from bot.targets import load
from tests.laws import files, laws_of_port, recorded, text_of

PROLOGUE = re.compile(r"# (?P<word>device|leftover|refused): (?P<rest>.*)\r?\n")
OUTPUT = re.compile(r"^# output\r?\n", re.MULTILINE)
STATEMENTS = (
    "import torch",
    "import torch as th",
    "from torch import cuda",
    "x = y.cuda()",
    "x = (y\n     .cuda(0))",
    "z = x.to('cuda')",
    'd = "cuda:1"',
    'd = f"cuda:{i}"',
    "s = 'größe'; x.cuda(non_blocking=True)",
    "torch.cuda.synchronize()",
    "th.cuda.synchronize(d)",
    "a.cuda(b.cuda(c.is_cuda))",
    '"""cuda"""',
    "x = torch.ones(2, device='cpu')",
    "if x.is_cuda:\n\tx.cpu()",
    "for d in ('cpu', 'cuda'):\n    x.to(d)",
    "# .cuda()",
    "torch.backends.cudnn.enabled = False",
    "print(f'{x.cuda()} {y}')",
    "class A:\n    def cuda(self):\n        return self.x.cuda()",
    "A().cuda()",
    "torch.cuda.nvtx.mark('cuda')",
    "v = 'cu' 'da'",
)
PIECES = (
    "(",
    ")",
    "[",
    "]",
    '"cuda"',
    "'cuda:0'",
    ".cuda",
    "torch",
    ".",
    "f'",
    "{",
    "}",
    '"""',
    "\\",
    "#",
    ":",
    "=",
    "lambda ",
    " ",
    "\t",
    "\n",
    "\r",
)


class Case(NamedTuple):
    """A port case as written."""

    device: str
    source: str
    expected: str
    nothing_happens: bool
    leftovers: list[tuple[int, str]]
    refused: str | None


def read(path: Path) -> Case:
    """The prologue goes, line numbers become those of the source."""
    text, said = text_of(path), []
    while match := PROLOGUE.match(text):
        said.append((match["word"], match["rest"].strip()))
        text = text[match.end() :]
    source, *output = OUTPUT.split(text)
    told = dict(said)
    left = [rest.split(": ", 1) for word, rest in said if word == "leftover"]
    return Case(
        device=told.get("device", "xpu"),
        source=source,
        expected=output[0] if output else source,
        nothing_happens=not output,
        leftovers=[(int(line) - len(said), why) for line, why in left],
        refused=told.get("refused"),
    )


def ported(case: Case) -> Port:
    """By all rules, which are listened to."""
    return port(case.source, load(case.device), recorded("port")[0])


@pytest.mark.parametrize("path", files("port", "py"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The case comes out as its file says, with these leftovers and no others, and the laws hold."""
    case = read(path)
    if case.refused is not None:
        with pytest.raises(PortError, match=re.escape(case.refused)):
            ported(case)
        return
    done = ported(case)
    assert done.code == case.expected
    assert [left.line for left in done.leftovers] == [line for line, _ in case.leftovers]
    assert all(why in left.why for left, (_, why) in zip(done.leftovers, case.leftovers, strict=True))
    assert bool(done.edits) != case.nothing_happens
    laws_of_port(case.source, done)


@settings(deadline=None, derandomize=True, database=None)
@example(source="-" * 5000 + "1", device="xpu")
@example(source="lambda: " * 6000 + "1", device="xpu")
@example(source="x = '\ud800'", device="xpu")
@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(("xpu", "cpu", "cuda")))
def test_any_text_is_ported_or_refused(source: str, device: str) -> None:
    """No text raises anything but PortError or takes a second, and what is ported keeps the laws."""
    try:
        done = port(source, load(device), rules("port"))
    except PortError as error:
        assert str(error)
        return
    laws_of_port(source, done)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=8), st.sampled_from(("\n", "\r\n")), st.sampled_from(("xpu", "cpu"))
)
def test_any_script_keeps_the_laws(statements: list[str], line_end: str, device: str) -> None:
    """Statements in any order, under either line end, are ported under the laws."""
    source = line_end.join([*statements, ""])
    laws_of_port(source, port(source, load(device), rules("port")))
