"""`alignbot analyze` on small trees: what it tells programs, people and code hosts, what it remembers and refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot import analysing
from bot.errors import InputError
from bot.model import Commit
from bot.stages.permalink import address

ROOT = Path(__file__).parent.parent
SYCL = "src/ATen/native/xpu/sycl"
KERNEL = """\
template <typename scalar_t>
struct GridBackFunctor {
  void operator()(sycl::nd_item<1> item) const {
    scalar_t gx = 0;
    for (int64_t c = 0; c < channels_; c++) {
      gx += in_[c];
    }
    out_[0] = gx;
  }
};

void grid_sampler_2d_backward_kernel(const Tensor& grad) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, grad.scalar_type(), "back", [&] {
    auto kfn = GridBackFunctor<scalar_t>(grad);
    sycl_kernel_submit(grad.numel(), queue, kfn);
  });
}
"""
HOST = """\
Tensor grid_sampler_2d_backward_xpu(const Tensor& grad) {
  native::xpu::grid_sampler_2d_backward_kernel(grad);
  return grad;
}
"""
OTHER = """\
void col2im_kernel(const Tensor& self) {
  int elements = self.numel();
}
Tensor col2im_xpu(const Tensor& self) {
  native::xpu::col2im_kernel(self);
  return self;
}
"""
CUDA = """\
Tensor grid_sampler_2d_backward_cuda(const Tensor& grad) {
  TORCH_CHECK(grad.dim() == 4, "four dimensions expected");
  return grad;
}
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target checkout of three files, and a state folder of its own."""
    monkeypatch.setenv("ALIGNBOT_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("ALIGNBOT_CONFIG", raising=False)
    folder = tmp_path / "ops"
    for path, text in (
        (f"{SYCL}/GridSampler.cpp", KERNEL),
        ("src/ATen/native/xpu/GridSampler.cpp", HOST),
        (f"{SYCL}/Col2Im.cpp", OTHER),
        ("test/ignored.cpp", OTHER),
    ):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A checkout of pytorch/pytorch with one CUDA file."""
    place = tmp_path / "pytorch/aten/src/ATen/native/cuda/GridSampler.cpp"
    place.parent.mkdir(parents=True)
    place.write_text(CUDA)
    return tmp_path / "pytorch"


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command line, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "analyze", *map(str, arguments)],
        capture_output=True, text=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip


def test_json_is_as_in_the_contract(tree: Path) -> None:
    """A list with rule, operator, symbol, place, the lines themselves and why; twice is the same to the byte."""
    done = command("--target-source", tree, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [(one["rule"], one["op"], one["symbol"], one["path"], one["line"], one["end_line"]) for one in found] == [
        ("int32-index", "col2im", "col2im_kernel", f"{SYCL}/Col2Im.cpp", 2, 2),
        ("narrow-accumulator", "grid_sampler_2d_backward", "GridBackFunctor", f"{SYCL}/GridSampler.cpp", 4, 4),
    ]
    assert found[1]["excerpt"] == "    scalar_t gx = 0;"
    assert "gx is kept in scalar_t" in found[1]["why"]
    assert all(one["permalink"] is None for one in found)
    assert command("--target-source", tree, "--json").stdout == done.stdout


def test_an_operator_narrows_to_its_kernels(tree: Path) -> None:
    """By its name with or without namespace and overload; what another operator comes to is left out."""
    for name in ("grid_sampler_2d_backward", "aten::grid_sampler_2d_backward.default"):
        found = json.loads(command("--target-source", tree, "--op", name, "--json").stdout)
        assert [one["symbol"] for one in found] == ["GridBackFunctor"]


def test_people_get_a_table_and_are_told_what_was_read(tree: Path) -> None:
    """Place, source and reason on standard output; the number of files on standard error."""
    done = command("--target-source", tree)
    assert f"{SYCL}/GridSampler.cpp:4  narrow-accumulator  GridBackFunctor  grid_sampler_2d_backward" in done.stdout
    assert "2 found" in done.stdout
    assert "3 files read; 2 findings" in done.stderr


def test_what_could_not_be_read_is_told(tree: Path) -> None:
    """A region that the grammar gave up on is no clean bill."""
    (tree / SYCL / "Broken.cpp").write_text("void @@ f((\n")
    assert "1 regions of them not (--all lists them)" in command("--target-source", tree).stderr
    assert f"not read: {SYCL}/Broken.cpp:1" in command("--target-source", tree, "--all").stderr


def test_the_counterpart_is_compared_with(tree: Path, upstream: Path) -> None:
    """A check of the CUDA host function that the target's lacks, with the operator that comes to it."""
    done = command("--target-source", tree, "--upstream-source", upstream, "--kernel-rule", "missing-check", "--json")
    found = json.loads(done.stdout)
    assert [(one["op"], one["symbol"]) for one in found] == [
        ("grid_sampler_2d_backward", "grid_sampler_2d_backward_xpu")
    ]
    assert "four dimensions expected" in found[0]["why"]
    assert found[0]["excerpt"].startswith("Tensor grid_sampler_2d_backward_xpu(")


def test_sarif_has_a_result_for_each_finding(tree: Path, tmp_path: Path) -> None:
    """The form of version 2.1.0: rules, places from line 1, regions that were not read as notes."""
    out = tmp_path / "found.sarif"
    assert command("--target-source", tree, "--sarif", out).returncode == 0
    told = json.loads(out.read_text())
    run = told["runs"][0]
    assert told["version"] == "2.1.0"
    assert [one["ruleId"] for one in run["results"]] == ["int32-index", "narrow-accumulator"]
    for one in run["results"]:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
        region = one["locations"][0]["physicalLocation"]["region"]
        assert 1 <= region["startLine"] <= region["endLine"]
    refused = command("--target-source", tree, "--sarif", tmp_path / "no" / "folder.sarif")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_links_lead_to_what_was_committed(tree: Path) -> None:
    """Only in a checkout of the target's repository, and only for files that are as they were committed."""
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    found = analysing.analyse(tree, None, "xpu").findings
    assert {one["permalink"] for one in found} == {None}
    subprocess.run([*git, "remote", "add", "origin", "https://github.com/intel/torch-xpu-ops.git"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (tree / SYCL / "Col2Im.cpp").write_text(OTHER + "\n")
    links = {one["rule"]: one["permalink"] for one in analysing.analyse(tree, None, "xpu").findings}
    where = f"https://github.com/intel/torch-xpu-ops/blob/{head}/{SYCL}/GridSampler.cpp#L4"
    assert links == {"int32-index": None, "narrow-accumulator": where}


def test_what_is_remembered_is_by_content(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changed is read again, one that moved is not, and a broken memory is no memory."""
    first = analysing.analyse(tree, None, "xpu")
    read: list[str] = []
    one_more = analysing._read_one
    monkeypatch.setattr(analysing, "_read_one", lambda asked: read.append(asked[0].path) or one_more(asked))
    assert analysing.analyse(tree, None, "xpu") == first
    (tree / SYCL / "Col2Im.cpp").rename(tree / SYCL / "Moved.cpp")
    assert {one["path"] for one in analysing.analyse(tree, None, "xpu").findings} >= {f"{SYCL}/Moved.cpp"}
    assert read == []
    (tree / SYCL / "Moved.cpp").write_text("// nothing\n")
    assert [one["rule"] for one in analysing.analyse(tree, None, "xpu").findings] == ["narrow-accumulator"]
    assert read == [f"{SYCL}/Moved.cpp"]
    for path in (tmp_path / "state/kernels").iterdir():
        path.write_bytes(b"\xff broken")
    assert [one["rule"] for one in analysing.analyse(tree, None, "xpu").findings] == ["narrow-accumulator"]


REFUSED = (
    (["--target-source", "{tmp}/none"], "is no folder"),
    (["--target-source", "{tmp}/empty"], "has no C++ files"),
    (["--target-source", "{ops}", "--op", "grid_sampler_2d_backwards"], "near it: grid_sampler_2d_backward"),
    (["--target-source", "{ops}", "--kernel-rule", "narow-accumulator"], "near it: narrow-accumulator"),
    (["--target-source", "{ops}", "--kernel-rule", "missing-check"], "give --upstream-source too"),
    (["--target-source", "{ops}", "--all", "--op", "col2im"], "give one of them"),
    (["--target-source", "{ops}", "--device", "tpu"], "no target profile for 'tpu'"),
    (["--target-source", "{ops}", "--upstream-source", "{tmp}/empty"], "--upstream-source"),
    ([], "--target-source"),
)


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=lambda one: one if isinstance(one, str) else "")
def test_what_can_not_be_done_is_one_line(tree: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    """Exit code 2, nothing on standard output, one line that says what to do."""
    (tmp_path / "empty").mkdir()
    done = command(*(one.format(tmp=tmp_path, ops=tree) for one in arguments))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert said in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"// \xff\n", "line 1: no UTF-8 text"),
        (b"int a;\nint \xe9 = 0;\n", "line 2: no UTF-8 text"),
        (b" " * ((4 << 20) + 1), "is larger than 4 MiB"),
    ],
)
def test_files_that_are_no_text_are_refused_by_name(tree: Path, content: bytes, said: str) -> None:
    """Undecodable or too large: file and line are named, and nothing is half done."""
    (tree / SYCL / "Bad.h").write_bytes(content)
    with pytest.raises(InputError, match=rf"Bad\.h.*{said}"):
        analysing.analyse(tree, None, "xpu")


def test_some_other_folder_is_no_kernel_tree(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the target's folders and with thousands of files, it is what somebody gave by mistake."""
    monkeypatch.setattr("bot.edges.sources.MOST", 2)
    other = tmp_path / "other"
    other.mkdir()
    for number in range(3):
        (other / f"{number}.cpp").write_text("int a;")
    with pytest.raises(InputError, match="it is not what --target-source needs"):
        analysing.analyse(other, None, "xpu")
    (other / "0.cpp").unlink()
    assert analysing.analyse(other, None, "xpu").files == 2


def test_the_folder_may_be_named_in_any_way(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are relative to the tree however it was named, by a link too."""
    expected = analysing.analyse(tree, None, "xpu")
    (tree.parent / "link").symlink_to(tree)
    monkeypatch.chdir(tree)
    for name in (".", "../ops/", "../link", "src/.."):
        assert analysing.analyse(Path(name), None, "xpu") == expected


def test_links_out_of_the_tree_are_not_followed(tree: Path, tmp_path: Path) -> None:
    """A link to a file or a folder elsewhere is not read."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/a.cpp").write_text(OTHER)
    (tree / SYCL / "link.cpp").symlink_to(tmp_path / "elsewhere/a.cpp")
    (tree / SYCL / "folder").symlink_to(tmp_path / "elsewhere")
    assert analysing.analyse(tree, None, "xpu").files == 3


def test_a_memory_loads_neither_model_nor_grammar(tree: Path) -> None:
    """What was read before is answered without what takes long to import."""
    analysing.analyse(tree, None, "xpu")
    code = (
        "import sys\nfrom bot.cli import main\n"
        f"sys.argv = ['alignbot', 'analyze', '--target-source', {str(tree)!r}, '--op', 'col2im', '--json']\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert stop.code == 0, stop.code\n"
        "heavy = {'bot.model', 'tree_sitter', 'rich', 'jinja2', 'sqlmodel', 'typer', 'pydantic'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


def test_the_name_of_a_file_writes_no_lines(tmp_path: Path) -> None:
    """A file whose name holds line breaks and escapes stays in its line of the table and of what was not read."""
    place = tmp_path / "src/ATen/native/xpu"
    place.mkdir(parents=True)
    loop = (
        "template <typename scalar_t> void g(int n) {\n  scalar_t s = 0;\n  for (int i = 0; i < n; i++) s += x[i];\n}\n"
    )
    (place / "a\n0 found\t\x1b[2J.cpp").write_text(loop)
    (place / "b\n9 files read.cpp").write_text("\0\0 ( {")
    done = command("--target-source", tmp_path, "--all")
    told = done.stdout + done.stderr
    assert "a\\n0 found\\t\\x1b[2J.cpp:2  narrow-accumulator" in told
    assert "not read: src/ATen/native/xpu/b\\n9 files read.cpp:1" in told
    assert "\x1b" not in told
    assert not [line for line in told.splitlines() if line.startswith(("0 found", "9 files"))]


def test_a_permalink_is_an_address() -> None:
    """What a path holds of blanks, brackets and line breaks is written as an address has it."""
    assert address(Commit(repo="o/r", sha="0" * 40), "a b\n)/c.cpp", 1) == (
        f"https://github.com/o/r/blob/{'0' * 40}/a%20b%0A%29/c.cpp#L1"
    )
