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
from bot.syntax import parses
from bot.targets import load
from tests.laws import files, laws_of_port, recorded, text_of
from tests.work import calls

PROLOGUE = re.compile(r"# (?P<word>device|leftover|refused): (?P<rest>.*)\r?\n")
IDLE = " (does not matter)"
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
    "with torch.cuda.amp.autocast(True, torch.float16):\n    y = x @ x",
    "from torch.cuda.amp import autocast as mixed, GradScaler",
    "m = mixed(enabled=x.is_cuda)",
    "gpu = torch.cuda",
    "gpu.synchronize()",
    "if hasattr(torch.cuda, 'mem_get_info'):\n    pass",
    "exec('x.cuda(); torch.cuda.synchronize()')",
    "exec(f'x.cuda({i})')",
    's = """\ny = x.cuda()\nd = "cuda"\n"""',
    "os.environ.update({'CUDA_LAUNCH_BLOCKING': '1', 'A': 'b'})",
    "os.environ.setdefault('CUDA_LAUNCH_BLOCKING', '1')",
    "env = {**os.environ, 'TORCH_USE_CUDA_DSA': '1'}",
    "def f(x: torch.cuda.FloatTensor, d='cuda') -> torch.cuda.Stream:\n    return torch.cuda.Stream()",
    "x = torch.Tensor.cuda(y, 0)",
    "z = torch.cuda.FloatTensor(2).type(torch.cuda.HalfTensor)",
    "torch.set_default_tensor_type('torch.cuda.FloatTensor')",
    "patch('torch.cuda.is_available')",
    "torch.load(p, map_location=lambda storage, loc: storage.cuda(0))",
    "print(torch.get_autocast_gpu_dtype(), torch.is_autocast_enabled())",
    "match d:\n    case 'cuda' | 'cpu':\n        pass",
    "@onlyCUDA\n@skipCUDAIfNoMagma\ndef test_a(self, device):\n    pass",
    "device = 'cuda' if torch.cuda.is_available() else 'mps' if torch.backends.mps.is_available() else 'cpu'",
    "torch.mps.synchronize()",
    "f'{x:{y.cuda()}} {torch.cuda.memory_allocated()!r:>{w}} {{cuda}}'",
    "rf'\\{x.cuda()}' f\"cuda:{i}\"",
    "a.cuda(b, *c); x.cuda(d, True, e)",
    "torch.device('cuda', 1); torch.zeros(1, device=0)",
    "with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as p:\n    pass",
    "torch.autograd.profiler.profile(use_cuda=True)",
    "jax.devices('cuda')",
    "import jax",
    "try:\n    pass\nexcept torch.cuda.OutOfMemoryError:\n    pass",
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
    leftovers: list[tuple[int, str, bool]]
    """Line, part of the reason, and whether it matters."""
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
        leftovers=[(int(line) - len(said), why.removesuffix(IDLE), not why.endswith(IDLE)) for line, why in left],
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
    assert [(left.line, left.matters) for left in done.leftovers] == [(line, to) for line, _, to in case.leftovers]
    assert all(why in left.why for left, (_, why, _) in zip(done.leftovers, case.leftovers, strict=True))
    assert bool(done.edits) != case.nothing_happens
    laws_of_port(case.source, done)


@settings(deadline=None, derandomize=True, database=None)
@example(source="-" * 5000 + "1", device="xpu")
@example(source="lambda: " * 6000 + "1", device="xpu")
@example(source="x = '\ud800'", device="xpu")
@example(source="x = '\x00'", device="xpu")
@example(source="x = 1\x00", device="xpu")
@example(source="import torch\rx = 'a\x85b\u2028c'\r\x0cy = x.cuda()\r\n", device="xpu")
@example(source="exec('é = x.cuda()\u2028')\n", device="xpu")
@example(source="torch.cuda.amp.autocast(a, b, c, d, e)", device="xpu")
@example(source="a = torch.cuda\na.b = a\na.a.a()", device="xpu")
@example(source="torch.cuda = x\n", device="xpu")
@example(source="getattr(torch.cuda, '')", device="xpu")
@example(source="exec('exec(\"x.cuda()\")')", device="xpu")
@example(source="f\"{f'{x.cuda()}'}\"", device="xpu")
@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join), st.sampled_from(("xpu", "cpu", "cuda")))
def test_any_text_is_ported_or_refused(source: str, device: str) -> None:
    """No text raises anything but PortError or takes a second, and what is ported keeps the laws."""
    try:
        done = port(source, load(device), rules("port"))
    except PortError as error:
        assert str(error)
        return
    laws_of_port(source, done)


HOSTILE = {
    "lines": "x = 1\n" * 16_000,
    "methods": "import torch\n" + "x = y.cuda()\n" * 7_600,
    "left": "import torch\n" + "x = y.cuda(1)\n" * 7_000,
    "arguments": "import torch\ntorch.stack(" + "a.cuda(), " * 9_000 + ")",
    "arguments of a method": "x.cuda(" + "a.cuda(), " * 9_000 + ")",
    "strings": "x = [" + '"cuda", ' * 12_000 + "]",
    "strings side by side": "x = (" + '"cuda" ' * 14_000 + ")",
    "fields": 'x = f"' + "{x.cuda()} " * 4_000 + '"',
    "f-strings": 'x = f"{y.cuda()} {z.is_cuda:>{w}}"\n' * 2_500,
    "f-strings side by side": "x = (" + 'f"{a.cuda()}"\n' * 6_000 + ")",
    "aliases": "".join(f"from torch import a{i}\n" for i in range(2_000)) + 'f"{x} is_ y"\n' * 2_000,
    "entries": "import os\nos.environ.update({" + '"CUDA_LAUNCH_BLOCKING": "1", ' * 3_300 + "})",
    "code": 'import torch\nexec("""' + "x.cuda()\n" * 9_000 + '""")',
    "remarks": "x = (y\n" + "# ( cuda\n" * 10_000 + ".cuda())",
    "blanks": "x = (y" + " " * 90_000 + ".cuda())",
    "nested calls": "x = " + "y.cuda(" * 90 + "z, " * 30_000 + ")" * 90,
    "a megabyte": "x = y.cuda()\n" * 80_000,
    "a megabyte of brackets": "[" * 1_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long(name: str) -> None:
    """The longest text that is read is a few dozen calls for each of its characters."""

    def ported() -> None:
        try:
            done = port(HOSTILE[name], load("xpu"), rules("port"))
        except PortError as error:
            assert str(error)
        else:
            assert parses(done.code)

    assert calls(ported) < 1_000 + 60 * len(HOSTILE[name])


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=8), st.sampled_from(("\n", "\r\n")), st.sampled_from(("xpu", "cpu"))
)
def test_any_script_keeps_the_laws(statements: list[str], line_end: str, device: str) -> None:
    """Statements in any order, under either line end, are ported under the laws."""
    source = line_end.join([*statements, ""])
    laws_of_port(source, port(source, load(device), rules("port")))
