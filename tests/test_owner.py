"""Whose code a case is about: every owner case, the table that it is told by, and that others' code is never run."""

import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import targets
from bot.edges.store import SqlStore
from bot.model import (
    Case,
    ChangedFile,
    Finding,
    Item,
    ItemClass,
    ItemKind,
    Outcome,
    OutcomeKind,
    Owned,
    Ownership,
    Ruling,
)
from bot.pipeline import follow, scan
from bot.stages.begin import begin
from bot.stages.owner import owner
from bot.targets import kernel_list
from tests.fakes import FixedClock, Listed, Silent
from tests.laws import files, shuffled
from tests.sample_line import WINDOW, open_store, recorded_line, sample

SEED = 204496


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty database."""
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def ruling(ops: list[str], item_class: ItemClass = ItemClass.CANDIDATE) -> Ruling:
    """A candidate of these operators."""
    candidate = item_class is ItemClass.CANDIDATE
    return Ruling(
        number=1, kind="issue", candidate=candidate, item_class=item_class, defect_kind="none", score=0.9, ops=ops
    )


@pytest.mark.parametrize("path", files("owner", "toml"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The owner is who the file says, with the file's words; a CPU that stands in for XPU says the same."""
    said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    items = [
        Item.model_validate({"repo": "pytorch/pytorch", "number": number, **entry})
        for number, entry in enumerate(said["items"], start=1)
    ]
    owned = owner(targets.load("xpu"))(items, ruling(said["ops"]))
    wanted = said["expect"]
    assert {name: getattr(owned, name) for name in wanted.keys() - {"says"}} == {
        name: text for name, text in wanted.items() if name != "says"
    }, owned.why
    assert all(text in owned.why for text in wanted["says"]), owned.why
    assert owner(targets.load("cpu"))(items, ruling(said["ops"])) == owned
    turned = [item.model_copy(update={"files": tuple(shuffled(item.files))}) for item in items]
    assert owner(targets.load("xpu"))(turned, ruling(said["ops"])).ownership is owned.ownership


def test_what_the_classifier_calls_shared_is_shared() -> None:
    """Where no file tells, its class does."""
    item = Item(repo="pytorch/pytorch", number=1, kind="issue", title="compile")
    owned = owner(targets.load("xpu"))([item], ruling(["cumsum"], ItemClass.SHARED_UPSTREAM))
    assert owned.ownership is Ownership.SHARED_UPSTREAM


def test_a_target_without_a_table_knows_nothing() -> None:
    """MPS has no kernel list: nothing is claimed of it."""
    item = Item(
        repo="a/b", number=1, kind="pull", title="t", files=(ChangedFile(path="aten/src/ATen/native/cuda/Loss.cu"),)
    )
    assert owner(targets.load("mps"))([item], ruling(["cumsum"])).ownership is Ownership.UNKNOWN


def seed(**changes: object) -> Item:
    """The sample's fault, in a thread of its own."""
    found = next(item for item in sample().items() if item.number == SEED)
    return found.model_copy(update={"links": (), **changes})


def followed(store: SqlStore, folder: Path, item: Item) -> tuple[Case, list[str], list[str]]:
    """The case of one item at its outcome, the stages it passed, and the jobs that were run."""
    line, told = recorded_line(store, folder), Silent()
    fresh = begin(WINDOW, sample().heads(), "cpu", [item], ruling(["grid_sampler_2d_backward"]), [], FixedClock().now())
    done = follow(fresh, line, told)
    jobs = folder / "jobs.txt"
    return done, [stage for _, stage in told.stages], jobs.read_text("utf-8").splitlines() if jobs.exists() else []


@pytest.mark.parametrize(
    ("path", "ownership"),
    [
        ("torch/_decomp/decompositions.py", "shared-upstream"),
        ("aten/src/ATen/native/cudnn/GridSampler.cpp", "vendor"),
    ],
)
def test_others_code_is_watched_and_not_run(path: str, ownership: str, store: SqlStore, tmp_path: Path) -> None:
    """It ends at the stage `own` on the watch list, with the reason and a date; no script runs."""
    item = seed(kind=ItemKind.PULL, files=(ChangedFile(path=path),))
    case, stages, jobs = followed(store, tmp_path, item)
    assert (stages, jobs) == (["own"], [])
    assert isinstance(case.outcome, Outcome)
    assert (case.outcome.kind, case.outcome.stage) == (OutcomeKind.WATCHED, "own")
    assert case.outcome.reason.startswith(f"{ownership}: {path}")
    assert case.outcome.look_again_at == FixedClock().now() + timedelta(days=30)
    assert isinstance(case.ownership, Owned)
    assert case.ownership.ownership == ownership


@pytest.mark.parametrize("path", ["aten/src/ATen/native/cuda/GridSampler.cu", "aten/src/ATen/native/cuda/Unheard.cu"])
def test_own_and_unknown_code_goes_on(path: str, store: SqlStore, tmp_path: Path) -> None:
    """Only what is known to be another's is left out."""
    case, stages, jobs = followed(store, tmp_path, seed(files=(ChangedFile(path=path),)))
    assert stages[:2] == ["own", "extract"]
    assert len(jobs) == 1
    assert isinstance(case.finding, Finding)


@pytest.mark.parametrize(
    ("item_class", "kind", "days"),
    [(ItemClass.SHARED_UPSTREAM, OutcomeKind.WATCHED, 30), (ItemClass.PERFORMANCE, OutcomeKind.DROPPED, None)],
)
def test_no_candidate_ends_as_its_class_says(item_class: ItemClass, kind: OutcomeKind, days: int | None) -> None:
    """Code above all devices is watched, with the reason and a date; other classes end."""
    now = FixedClock().now()
    outcome = begin(WINDOW, sample().heads(), "cpu", [seed()], ruling([], item_class), [], now).outcome
    assert outcome is not None
    assert (outcome.kind, outcome.stage) == (kind, "classify")
    assert outcome.reason.startswith(item_class)
    assert outcome.look_again_at == (now + timedelta(days=days) if days else None)


def test_the_ledger_says_who_owns_it(store: SqlStore, tmp_path: Path) -> None:
    """An entry of the ledger has the owner and the state; the draft has the owner's evidence."""
    done = scan(Listed([seed()]), WINDOW, recorded_line(store, tmp_path), Silent())
    assert [(entry["ownership"], entry["state"]) for entry in done.entries] == [("target", "open")]
    ((_, draft, _),) = store.findings()
    assert "grid_sampler_2d_backward_xpu in src/ATen/native/xpu/GridSampler.cpp" in draft.body


def test_the_table_holds_together() -> None:
    """Every kernel's file is a listed source, no operator is run on the CPU as well, and there are hundreds."""
    xpu = targets.load("xpu")
    paths = {told.split()[1] for told in xpu.operators.values()} - {"-"}
    assert paths <= xpu.sources
    assert not xpu.operators.keys() & xpu.fallbacks
    assert len(xpu.operators) > 500
    assert len(xpu.fallbacks) > 15
    assert all(path.startswith(("src/", "aten/", "c10/", "torch/")) for path in xpu.sources | xpu.headers)


def test_the_table_has_what_torch_says() -> None:
    """Each operator that the installed torch sends to XPU is in the table or known to run on the CPU."""
    torchgen = pytest.importorskip("torchgen")
    native = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    xpu = targets.load("xpu")
    assert kernel_list.dispatched(native.read_text("utf-8")).keys() <= xpu.operators.keys() | xpu.fallbacks


def test_the_table_is_made_of_a_checkout(tmp_path: Path) -> None:
    """Operators by the dispatch tables, files by who names the kernel or its stub, fallbacks and headers as written."""
    for path, text in {
        "src/ATen/native/xpu/Sum.cpp": "#include <ATen/native/Sum.h>\nTensor sum_xpu() {}\nREGISTER(mul_stub)",
        "src/ATen/native/xpu/sycl/SumKernels.cpp": "#include <ATen/native/xpu/sycl/Sum.h>\nvoid sum_kernel() {}",
        "src/ATen/native/xpu/Fallback.cpp": 'fallback_list = {\n "eig", "mul.out",\n};',
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    native = (
        "- func: sum(Tensor self) -> Tensor\n  dispatch:\n    CUDA: sum_cuda\n    XPU: sum_xpu\n"
        "- func: add.out(Tensor self) -> Tensor\n  structured: True\n  dispatch:\n    CPU, CUDA, XPU: add_out\n"
        "- func: mul.out(Tensor self) -> Tensor\n  dispatch:\n    XPU: mul_out\n"
        "- func: eq(Tensor self) -> Tensor\n  dispatch:\n    SparseXPU: eq_sparse\n"
    )
    assert list(kernel_list.lines(tmp_path, [native])) == [
        "operator add add_out - structured",
        "operator sum sum_xpu src/ATen/native/xpu/Sum.cpp",
        "fallback eig",
        "fallback mul",
        "source src/ATen/native/xpu/Fallback.cpp",
        "source src/ATen/native/xpu/Sum.cpp",
        "source src/ATen/native/xpu/sycl/SumKernels.cpp",
        "header aten/src/ATen/native/Sum.h",
    ]
