"""`--simulate` from the command line to the draft, in the real sandbox; plans that can't be used."""

import json
from pathlib import Path

import pytest

from bot import targets
from bot.cli.simulating import plan_of, spread
from bot.edges.executors.local import LocalExecutor
from bot.errors import InputError
from bot.model import Fault, FaultKind, FaultPlan, Job, RunStatus
from tests.conftest import Alignbot, needs_bwrap, needs_torch, one_line

real = [needs_torch, needs_bwrap, pytest.mark.torch]
SEED = (Path(__file__).parent / "harness/simulated/seed.py.txt").read_text("utf-8")
NARROW = {"op": "grid_sampler_2d_backward", "dtypes": ["float16", "bfloat16"], "kind": "narrow-accumulator"}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """The first seed's fault as a file."""
    path = tmp_path / "faults.json"
    path.write_text(json.dumps([NARROW]), "utf-8")
    return path


@pytest.fixture
def executor() -> LocalExecutor:
    """The real sandbox, on a machine that has no XPU and no such render node."""
    import sys  # noqa: PLC0415

    return LocalExecutor(
        python=Path(sys.executable), target=targets.load("xpu"), render_node="renderD999", simulate=FaultPlan()
    )


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_executor(mark: None, executor: LocalExecutor) -> None:
    """An executor is ready without a device where it is simulated; evidence is marked with the plan's digest."""
    executor.ready()
    faults = FaultPlan(faults=(Fault.model_validate(NARROW),))
    evidence = executor.run(Job(script=SEED, device="xpu", repeats=1, timeout_s=120, simulate=faults))
    assert (evidence.status, evidence.device.simulated) == (RunStatus.OK, True)
    assert evidence.environment["fault_plan"] == faults.digest
    assert [(one.dtype, one.observed) for one in evidence.divergences] == [
        ("float16", (1024, 0)),
        ("float16", (1024, 0)),
        ("bfloat16", (128, 0)),
        ("bfloat16", (128, 0)),
    ]


@pytest.mark.parametrize(
    ("kind", "status", "signal"),
    [
        pytest.param(FaultKind.CRASH, RunStatus.KILLED, 11, marks=real),
        pytest.param(FaultKind.HANG, RunStatus.TIMEOUT, None, marks=real),
    ],
)
def test_ends(kind: FaultKind, status: RunStatus, signal: int | None, executor: LocalExecutor) -> None:
    """A crash is a signal and a hang a timeout, as on a real device."""
    faults = FaultPlan(faults=(Fault(op="exp", kind=kind),))
    script = "import torch\ntorch.ones(2, device='xpu').exp()\n"
    evidence = executor.run(Job(script=script, device="xpu", repeats=1, timeout_s=20, simulate=faults))
    assert (evidence.status, evidence.signal) == (status, signal)


@pytest.mark.parametrize(
    "before", [pytest.param(False, marks=real, id="option last"), pytest.param(True, marks=real, id="option first")]
)
def test_run_without_a_plan(before: bool, alignbot: Alignbot, tmp_path: Path) -> None:
    """`--simulate` alone, before or behind the script, is a device without faults; where it is, people read it."""
    script = tmp_path / "script.py"
    script.write_text("import torch\nprint(torch.ones(2, device='xpu') * 2)\n", "utf-8")
    words = ["--simulate", script] if before else [script, "--simulate"]
    done = alignbot("run", "--repeat", "1", "--json", *words, state=tmp_path / "state")
    assert done.returncode == 0, done.stderr
    evidence = json.loads(done.stdout)
    assert evidence["stdout"] == "tensor([2., 2.], device='xpu:0')\n"
    assert (evidence["device"]["simulated"], evidence["divergences"]) == (True, [])
    assert evidence["environment"]["fault_plan"] == "none"


@pytest.mark.parametrize("mark", [pytest.param(None, marks=real)])
def test_scan(mark: None, plan: Path, alignbot: Alignbot, tmp_path: Path) -> None:
    """The sample gives the seed's finding with its values; the draft says that it is simulated and not for filing."""
    out = tmp_path / "out"
    done = alignbot(
        "scan", "--sample", "--device", "xpu", "--simulate", plan, "--out", out, "--json", state=tmp_path / "state"
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    (finding,) = report["findings"]
    assert (report["device"], finding["target"], finding["simulated"]) == ("simulated-xpu", "xpu", True)
    assert (finding["fileable"], finding["verdict"]) == (False, "verification-gap")
    assert {one["dtype"]: one["observed"] for one in finding["divergences"]} == {
        "float16": [1024.0, 0.0],
        "bfloat16": [128.0, 0.0],
    }
    draft = (out / finding["draft"]).read_text("utf-8")
    assert "[simulated XPU, not for filing]" in draft.splitlines()[0]
    assert "**simulated XPU: not for filing.** The device of this run was simulated." in draft


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{}", "a fault plan is a list of objects with op, dtypes and kind, not an object"),
        ("[", "no JSON"),
        ("[1]", "entry 1: Input should be"),
        ('[{"op": "add"}]', "entry 1: kind: Field required"),
        ('[{"op": "add", "kind": "crash"}, {"op": "add", "kind": "slow"}]', "entry 2: kind: Input should be 'narrow-"),
        ('[{"op": "ad d", "kind": "crash"}]', "entry 1: op: String should match pattern"),
        (
            '[{"op": "grid_sample_2d_backward", "kind": "crash"}]',
            "entry 1: op: 'grid_sample_2d_backward' is no operator of aten; did you mean grid_sampler_2d_backward?",
        ),
        ('[{"op": "add", "kind": "crash", "dtypes": ["half"]}]', "entry 1: dtypes: 'half' is no dtype"),
        ('[{"op": "add", "kind": "crash", "dtypes": []}]', "entry 1: dtypes: Tuple should have at least 1 item"),
        ('[{"op": "add", "kind": "crash", "when": [1]}]', "entry 1: when: Input should be a valid dictionary"),
    ],
)
def test_bad_plan(content: str, told: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """One line that names the file and the entry, exit code 2, and nothing run or written, by `run` and by `scan`."""
    path, script, out = tmp_path / "faults.json", tmp_path / "script.py", tmp_path / "out"
    path.write_text(content, "utf-8")
    script.write_text("raise SystemExit(7)", "utf-8")
    line = one_line(alignbot("run", script, "--simulate", path, state=tmp_path / "state"))
    assert line.startswith(f"alignbot: {path}")
    assert told in line
    done = alignbot("scan", "--sample", "--simulate", path, "--out", out, state=tmp_path / "state")
    assert told in one_line(done)
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--simulate", "absent.json"], "absent.json can't be read: No such file or directory"),
        (["--simulate", "--device", "cpu"], "only an xpu can be simulated, not cpu"),
        (["--simulate", "--device", "tpu"], "no target profile for 'tpu'"),
    ],
)
def test_not_simulated(words: list[str], told: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """A missing plan, and a device that there is no simulation of, are told in one line."""
    script = tmp_path / "script.py"
    script.write_text("", "utf-8")
    assert told in one_line(alignbot("run", script, *words, state=tmp_path / "state"))
    assert told in one_line(alignbot("scan", "--sample", *words, state=tmp_path / "state"))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["F.py", "--simulate"], ["F.py", "--simulate="]),
        (["--simulate", "F.py"], ["--simulate=", "F.py"]),
        (["--simulate", "P.json", "F.py"], ["--simulate=P.json", "F.py"]),
        (["--simulate=P.txt", "F.py"], ["--simulate=P.txt", "F.py"]),
        (["--simulate", "--json"], ["--simulate=", "--json"]),
        (["--simulate", "--", "P.json"], ["--simulate=", "--", "P.json"]),
        (["--", "--simulate", "P.json"], ["--", "--simulate", "P.json"]),
    ],
)
def test_the_option_alone(typed: list[str], read: list[str]) -> None:
    """What follows the option is its plan only if it ends in .json; behind = it always is."""
    assert spread(typed) == read


def test_plans(plan: Path, tmp_path: Path) -> None:
    """No option is no simulation; an empty plan has no name; plans differ in their digests; unknown fields don't."""
    assert plan_of(None) is None
    assert plan_of("") == FaultPlan()
    assert FaultPlan().digest == "none"
    read = plan_of(str(plan))
    assert read is not None
    other = tmp_path / "other.json"
    other.write_text(json.dumps([{**NARROW, "note": "seed"}]), "utf-8")
    assert plan_of(str(other)) == read
    other.write_text(json.dumps([{**NARROW, "dtypes": None}]), "utf-8")
    wide = plan_of(str(other))
    assert wide is not None
    assert len({read.digest, wide.digest, "none"}) == 3
    with pytest.raises(InputError, match="can't be read"):
        plan_of(str(tmp_path / "absent.json"))
