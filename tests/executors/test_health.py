"""A device that is not well: nothing runs on it, and what ran before it was seen counts for nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import targets
from bot.edges.executors.health import Health
from bot.edges.executors.local import LocalExecutor
from bot.errors import SandboxError
from bot.model import Bucket, Job, RunRecord, RunStatus
from bot.stages.judge import judge


def asked(*answers: str | None) -> tuple[Health, list[Job]]:
    """A device that gives these answers, one a probe; None is well."""
    jobs: list[Job] = []

    def launch(job: Job) -> RunRecord:
        jobs.append(job)
        why = answers[len(jobs) - 1]
        status = RunStatus.ERROR if why else RunStatus.OK
        return RunRecord(status=status, raised=why)

    return Health(launch, "xpu"), jobs


def test_a_well_device_is_asked_once_between_runs() -> None:
    """Before the first run and after each: the answer after one is the answer before the next."""
    health, jobs = asked(None, None, None)
    for _ in range(2):
        health.before()
        assert health.after() is None
    assert [job.form for job in jobs] == ["probe"] * 3


def test_nothing_runs_on_a_sick_device() -> None:
    """It is told why, and asked again at the next run."""
    health, _ = asked("a product is wrong", None)
    with pytest.raises(SandboxError, match="xpu is not well: a product is wrong; look at its driver's log"):
        health.before()
    health.before()


def test_a_device_that_is_not_there_is_not_sick() -> None:
    """The run is refused by itself, in its own words, and nothing is asked after it."""
    jobs: list[Job] = []

    def launch(job: Job) -> RunRecord:
        jobs.append(job)
        return RunRecord(status=RunStatus.REFUSED, why="torch finds no xpu device")

    health = Health(launch, "xpu")
    health.before()
    assert health.after() is None
    assert len(jobs) == 1


def test_a_run_that_leaves_a_sick_device_is_void() -> None:
    """So is nothing after it: the next run asks first."""
    health, jobs = asked(None, "hung", None)
    health.before()
    assert health.after() == "xpu was not well after the run, so that it counts for nothing: hung"
    health.before()
    assert len(jobs) == 3


@pytest.mark.parametrize("after", [None, "it is hot"])
def test_an_executor_probes(after: str | None, executor: Callable[..., LocalExecutor], bwrap: Path) -> None:
    """Through the real sandbox: a run between two probes, judged only if the second one is well."""
    target = targets.load("cpu").model_copy(update={"device_nodes": ("/dev/null",)})
    healthy = executor(bwrap=bwrap, target=target)
    seen: list[str] = []
    health = healthy._health
    assert health is not None
    real = health._launch

    def launch(job: Job) -> RunRecord:
        seen.append(job.form)
        done = real(job)
        sick = after is not None and len(seen) == 2
        return done.model_copy(update={"status": RunStatus.ERROR, "raised": after}) if sick else done

    health._launch = launch  # type: ignore[method-assign]
    evidence = healthy.run(Job(script="print(1)", device="cpu", repeats=1))
    assert seen == ["probe", "probe"]
    assert (evidence.void is None) == (after is None)
    if after:
        judged = judge(evidence)
        assert judged.bucket is Bucket.BLOCKED_ENV
        assert after in judged.why
