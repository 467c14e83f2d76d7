"""Source read for cases: at the frozen heads by git over loopback, or from folders, and told in the draft."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import targets
from bot.analysing import analyse
from bot.errors import ForgeError, InputError
from bot.model import Absent, Case, ChangedFile, FrozenHeads, Item, SourceEvidence, Still
from bot.settings import GitHub, Settings, Sources
from bot.sourcing import KernelReader
from tests.kernel_trees import TREES, git, repository, serving

FIX = """@@ -20,5 +20,6 @@ __global__ void sampler_backward_kernel(
-    scalar_t across = static_cast<scalar_t>(0), down = static_cast<scalar_t>(0);
+    using wide_t = at::opmath_type<scalar_t>;
+    wide_t across = static_cast<wide_t>(0), down = static_cast<wide_t>(0);
     for (index_t c = 0; c < channels; ++c) {
       across += grad[c] * left;
     }
"""
CHECK = """@@ -8,3 +8,4 @@ std::tuple<Tensor, Tensor> grid_sampler_2d_backward_cuda(
     const Tensor& grid) {
+  TORCH_CHECK(grid.size(-1) == 2, "a place in a picture has two parts");
   auto grad_grid = at::zeros_like(grid);
"""
KERNEL = "src/ATen/native/xpu/sycl/GridSampler.cpp"


def fix(patch: str, path: str = "aten/src/ATen/native/cuda/GridSampler.cu") -> Item:
    """A pull request with one file."""
    return Item(
        repo="pytorch/pytorch", number=7, kind="pull", title="Fix", files=(ChangedFile(path=path, patch=patch),)
    )


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of its own: what was read before is remembered there."""
    monkeypatch.setenv("ALIGNBOT_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def folders(state: Path) -> KernelReader:
    """A reader of both trees as folders."""
    sources = Sources(target=TREES / "target", upstream=TREES / "upstream")
    return KernelReader(Settings(state=state, sources=sources), targets.load("xpu"), online=False)


@pytest.fixture
def served(tmp_path: Path, state: Path) -> Iterator[tuple[Settings, FrozenHeads]]:
    """Settings whose git is on loopback, and both heads."""
    heads = FrozenHeads(
        target=repository(tmp_path / "served", "intel/torch-xpu-ops", TREES / "target"),
        upstream=repository(tmp_path / "served", "pytorch/pytorch", TREES / "upstream"),
    )
    with serving(tmp_path / "served") as (address, _):
        yield Settings(state=state, sources=Sources(git=address)), heads


def evidence(found: SourceEvidence | Absent) -> SourceEvidence:
    """It was read."""
    assert isinstance(found, SourceEvidence), found
    return found


def test_at_the_frozen_heads(served: tuple[Settings, FrozenHeads]) -> None:
    """Dispatch, host function, narrow kernels, the right one and both commits come from what git fetched."""
    settings, heads = served
    reader = KernelReader(settings, targets.load("xpu"), online=True)
    found = evidence(reader.read(heads, ["grid_sampler_2d_backward"], []))
    assert (found.target.sha, found.target.frozen, found.upstream and found.upstream.sha) == (
        heads.target,
        True,
        heads.upstream,
    )
    assert [(one.op, one.how.value, one.kernel) for one in found.dispatch] == [
        ("grid_sampler_2d_backward", "native", "grid_sampler_2d_backward_xpu")
    ]
    assert [(one.symbol, one.line) for one in found.hosts] == [("grid_sampler_2d_backward_xpu", 13)]
    narrow = [one for one in found.kernels if one.rule == "narrow-accumulator"]
    assert [(one.symbol, one.line, one.end_line) for one in narrow] == [
        ("SamplerBackwardFunctor", 34, 35),
        ("SamplerCubicBackwardFunctor", 57, 57),
    ]
    assert [one.symbol for one in narrow[0].siblings] == ["SamplerCubicBackwardFunctor"]
    assert [one.symbol for one in narrow[0].right] == ["SamplerForwardFunctor"]
    assert "ATen/native/GridSamplerUtils.h" in found.includes
    missing = [one for one in found.kernels if one.rule == "missing-check"]
    assert len(missing) == 1
    assert "a place in a picture has two parts" in missing[0].why


def test_offline_nothing_is_claimed(served: tuple[Settings, FrozenHeads]) -> None:
    """Without the network and without a folder there is no evidence, and the reason says what to do."""
    settings, heads = served
    found = KernelReader(settings, targets.load("xpu"), online=False).read(heads, ["grid_sampler_2d"], [])
    assert isinstance(found, Absent)
    assert found.absent.endswith("name a checkout with sources.target")


def test_a_head_that_is_gone_is_asked_again(served: tuple[Settings, FrozenHeads]) -> None:
    """A commit that git does not have is an error of the edge: the case is held, and nothing is claimed."""
    settings, heads = served
    gone = heads.model_copy(update={"target": "1" * 40})
    with pytest.raises(ForgeError, match="not our ref"):
        KernelReader(settings, targets.load("xpu"), online=True).read(gone, ["grid_sampler_2d"], [])


def test_a_folder_is_never_called_frozen(folders: KernelReader) -> None:
    """What was read of a folder that is no checkout is not told as the frozen head."""
    found = evidence(folders.read(FrozenHeads(target="a" * 40), ["grid_sampler_2d"], []))
    assert (found.target.sha, found.target.frozen, found.target.read_from) == (None, False, "a folder")


def test_kernels_that_are_upstreams_own_are_not_looked_for_in_the_target(state: Path) -> None:
    """A case on CUDA goes on without source; `analyze` says that there is nothing to compare with."""
    settings = Settings(state=state, sources=Sources(target=TREES / "target", upstream=TREES / "upstream"))
    found = KernelReader(settings, targets.load("cuda"), online=True).read(FrozenHeads(), ["tanh"], [])
    assert isinstance(found, Absent)
    assert "upstream's own" in found.absent
    with pytest.raises(InputError, match="names no counterparts"):
        analyse(TREES / "upstream", TREES / "upstream", "cuda")


def test_a_head_with_a_file_that_is_no_text_stops_no_scan(tmp_path: Path, state: Path) -> None:
    """What is wrong with a commit is nobody's typing mistake: the case goes on without source, and says why."""
    odd = shutil.copytree(TREES / "target", tmp_path / "odd")
    (odd / "src/ATen/native/xpu/Odd.cpp").write_bytes(b"\xff\xfe")
    head = repository(tmp_path / "served", "intel/torch-xpu-ops", odd)
    with serving(tmp_path / "served") as (address, _):
        reader = KernelReader(Settings(state=state, sources=Sources(git=address)), targets.load("xpu"), online=True)
        found = reader.read(FrozenHeads(target=head), ["tanh"], [])
    assert isinstance(found, Absent)
    assert "Odd.cpp, line 1: no UTF-8 text" in found.absent


def test_a_changed_checkout_is_no_commit(tmp_path: Path, state: Path) -> None:
    """A checkout is told as its commit, until one of the files that are read is another: lines would be elsewhere."""
    here = shutil.copytree(TREES / "target", tmp_path / "here")
    git(here, "init", "--quiet", "--initial-branch=main")
    git(here, "remote", "add", "origin", "https://github.com/intel/torch-xpu-ops.git")
    git(here, "add", "--all", "--force")
    git(here, "commit", "--quiet", "--message", "Kernels")
    heads = FrozenHeads(target=git(here, "rev-parse", "HEAD"))
    settings = Settings(state=state, sources=Sources(target=here))

    def read() -> tuple[str | None, bool]:
        reader = KernelReader(settings, targets.load("xpu"), online=False)
        target = evidence(reader.read(heads, ["grid_sampler_2d"], [])).target
        return target.sha, target.frozen

    assert read() == (heads.target, True)
    (here / KERNEL).write_text("// mine\n" + (here / KERNEL).read_text())
    assert read() == (None, False)


def test_the_forward_name_leads_to_the_gradient(folders: KernelReader) -> None:
    """A case about the forward function reads the kernels of its gradient too, by the formula."""
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d"], []))
    assert [one.op for one in found.dispatch] == ["grid_sampler_2d", "grid_sampler_2d_backward"]
    assert {one.op for one in found.kernels} >= {"grid_sampler_2d_backward"}


def test_a_fix_that_the_target_lacks(folders: KernelReader) -> None:
    """A widened sum upstream points at the target's own narrow one of the same names; the wide kernel is not named."""
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d_backward"], [fix(FIX)]))
    (change,) = found.changes
    assert (change.kind.value, change.still, change.item) == (
        "widened-accumulator",
        Still.OLD_FORM,
        "pytorch/pytorch#7",
    )
    assert {(one.path, one.symbol) for one in change.places} == {
        (KERNEL, "SamplerBackwardFunctor"),
        (KERNEL, "SamplerCubicBackwardFunctor"),
    }


def test_a_check_that_the_target_lacks(folders: KernelReader) -> None:
    """An added check is missed at the host function of the operator; one that stands there already is not."""
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d_backward"], [fix(CHECK)]))
    assert [(one.still, [place.symbol for place in one.places]) for one in found.changes] == [
        (Still.OLD_FORM, ["grid_sampler_2d_backward_xpu"])
    ]
    there = CHECK.replace("grid.size(-1) == 2", "input.dim() == 4")
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d_backward"], [fix(there)]))
    assert [one.still for one in found.changes] == [Still.UNKNOWN]


def test_a_fix_in_a_shared_file_covers_the_target(folders: KernelReader) -> None:
    """A change of a header that the target includes is no suspicion: the fix reaches it."""
    path = "aten/src/ATen/native/GridSamplerUtils.h"
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d_backward"], [fix(CHECK, path)]))
    assert [(one.covers, one.still) for one in found.changes] == [("its sources include it", Still.UNKNOWN)]


def test_another_kernels_fix_says_nothing(folders: KernelReader) -> None:
    """A widened sum of other names in another file points at nothing here."""
    other = FIX.replace("across", "left").replace("down", "right")
    found = evidence(folders.read(FrozenHeads(), ["tanh"], [fix(other, "aten/src/ATen/native/cuda/Fold.cu")]))
    assert [one.still for one in found.changes] == [Still.UNKNOWN]


def scanned(folder: Path, item: Item, *more: str) -> Path:
    """A scan of one item with the small trees; its output folder."""
    archive = folder / "items.jsonl"
    archive.write_text(json.dumps(item.as_json()) + "\n")
    command = [sys.executable, "-m", "bot", "scan", "--archive", str(archive), "--window", "2026-11-11", *more]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "ALIGNBOT_STATE": str(folder / "state"),
        "ALIGNBOT_SOURCES__TARGET": str(TREES / "target"),
        "ALIGNBOT_SOURCES__UPSTREAM": str(TREES / "upstream"),
    }
    out = folder / "out"
    done = subprocess.run([*command, "--out", str(out)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return out


def test_a_suspicion_without_a_reproducer_becomes_a_draft(tmp_path: Path) -> None:
    """A fix without any script whose old form the target has makes a draft, not for filing, that says nothing ran."""
    title = "[CUDA] grid_sampler_2d_backward: accumulate the FP16/BF16 grid gradient in FP32"
    body = (
        "The grid gradient of grid_sampler_2d_backward is silently wrong in half precision: it is summed in scalar_t."
    )
    item = fix(FIX).model_copy(update={"title": title, "body": body, "labels": ("module: correctness (silent)",)})
    item = Item.model_validate({**item.model_dump(), "created_at": "2026-11-11T01:00:00Z"})
    out = scanned(tmp_path, item, "--device", "cpu")
    (draft,) = (out / "drafts").glob("*.md")
    text = draft.read_text()
    assert "has the form that upstream changed" in text.splitlines()[0]
    assert "not for filing" in text
    assert "**Nothing ran**" in text
    assert "SamplerBackwardFunctor" in text
    assert not list((out / "reproducers").glob("*")) if (out / "reproducers").exists() else True
    (finding,) = json.loads((out / "report.json").read_text())["findings"]
    assert (finding["fileable"], finding["reproducer"], finding["symptom"]) == (False, None, "source")


def test_the_default_of_git_follows_the_forge() -> None:
    """Source comes from where GitHub is; a forge on loopback or elsewhere has none unless it is named."""
    assert Settings().git == "https://github.com"
    assert Settings(github=GitHub(api="https://git.example.org/api/v3")).git == "https://git.example.org"
    assert Settings(github=GitHub(api="http://127.0.0.1:8000")).git == ""
    assert Settings(sources=Sources(git="")).git == ""


def read_anew(settings: Settings) -> SourceEvidence:
    """By a reader that has read nothing yet."""
    reader = KernelReader(settings, targets.load("xpu"), online=False)
    return evidence(reader.read(FrozenHeads(), ["grid_sampler_2d_backward"], []))


def test_what_was_remembered_is_not_another_trees(tmp_path: Path, state: Path) -> None:
    """A tree that changed in one line is read anew: no reading of the old one is told."""
    copy = tmp_path / "copy"
    shutil.copytree(TREES / "target", copy)
    settings = Settings(state=state, sources=Sources(target=copy))
    before = evidence(
        KernelReader(settings, targets.load("xpu"), online=False).read(FrozenHeads(), ["grid_sampler_2d_backward"], [])
    )
    text = (copy / KERNEL).read_text()
    (copy / KERNEL).write_text(text.replace("scalar_t across = 0;", "float across = 0;"))
    after = evidence(
        KernelReader(settings, targets.load("xpu"), online=False).read(FrozenHeads(), ["grid_sampler_2d_backward"], [])
    )
    rules = [[one.symbol for one in found.kernels if one.rule == "narrow-accumulator"] for found in (before, after)]
    assert rules == [["SamplerBackwardFunctor", "SamplerCubicBackwardFunctor"], ["SamplerBackwardFunctor"]]


def test_a_case_keeps_what_was_read(folders: KernelReader) -> None:
    """Source evidence goes through the store's JSON and back unchanged."""
    found = evidence(folders.read(FrozenHeads(), ["grid_sampler_2d_backward"], [fix(FIX)]))
    assert SourceEvidence.model_validate_json(found.model_dump_json()) == found
    assert "source" in Case.model_fields


def test_analyze_at_a_commit(served: tuple[Settings, FrozenHeads], state: Path) -> None:
    """`analyze --target-commit` reads a commit by git and links to its lines; what is none is refused in one line."""
    settings, heads = served
    environment = {"PATH": "/usr/bin:/bin", "ALIGNBOT_STATE": str(state), "ALIGNBOT_SOURCES__GIT": settings.git}

    def analyzed(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "bot", "analyze", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    done = analyzed("--target-commit", str(heads.target), "--kernel-rule", "narrow-accumulator", "--json")
    found = json.loads(done.stdout)
    assert [one["permalink"] for one in found] == [
        f"https://github.com/intel/torch-xpu-ops/blob/{heads.target}/{KERNEL}#{lines}" for lines in ("L34-L35", "L57")
    ]
    for arguments in (["--target-commit", "0" * 40], ["--target-commit", "main"], []):
        refused = analyzed(*arguments)
        assert refused.returncode in {1, 2, 3}
        assert refused.stdout == ""
        assert "Traceback" not in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1
