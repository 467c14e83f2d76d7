"""Runs jobs on this machine: every repeat in a process and a sandbox of its own."""

import os
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from bot.edges.executors import warm
from bot.edges.executors.cgroup import group, handed_over, joining, over_memory
from bot.edges.executors.confirm import confirm
from bot.edges.executors.events import Account, read_account
from bot.edges.executors.evidence import evidence, record
from bot.edges.executors.health import Health
from bot.edges.executors.interpreter import Interpreter, ask
from bot.edges.executors.limits import EndedBy, Limits
from bot.edges.executors.sandbox import (
    Sandbox,
    device_nodes,
    environment_for,
    find_bwrap,
    observe_command,
    read_only_paths,
    sandbox_command,
    why_not_started,
)
from bot.edges.executors.smallest import smallest_of
from bot.edges.executors.staging import Staged, job_file, staged_job
from bot.edges.executors.supervise import Ended, Wires, supervise
from bot.edges.executors.syscalls import filter_descriptor, seccomp_filter
from bot.model import FaultPlan, Job, RunEvidence, RunRecord, RunStatus, Target
from bot.resources import resource
from bot.seams import InputError, SandboxError

PROBE_S = 120.0
"""Seconds for an empty script: torch is imported and the device is asked for its name."""


_Observed = tuple[RunRecord, Account]


class LocalExecutor:
    """An Executor on this machine.

    `package` is what the harness must be able to import. Without bubblewrap nothing runs, unless `unsandboxed`: then
    a script runs as this user, with this user's files and network, and only a person may ask for that. `simulate` is
    what the jobs will ask for: `ready` tries it.
    A target with device nodes of its own is asked whether it is well, before and after.
    """

    def __init__(  # noqa: PLR0913  each is a choice of its own
        self,
        *,
        python: Path,
        target: Target,
        bwrap: Path | None = None,
        unsandboxed: bool = False,
        render_node: str | None = None,
        harness: Path | None = None,
        package: str = "torch",
        simulate: FaultPlan | None = None,
    ) -> None:
        self._python, self._target, self._package = python, target, package
        self._bwrap, self._unsandboxed, self._render_node = bwrap or find_bwrap(), unsandboxed, render_node
        self._harness, self._simulate = harness or resource("harness"), simulate
        self._host_environment = dict(os.environ)
        self._interpreter: Interpreter | None = None
        self._groups = handed_over()
        real = bool(target.device_nodes) and simulate is None
        self._health = Health(lambda job: self._launch(job)[0], target.name) if real else None

    def run(self, job: Job) -> RunEvidence:
        """All repeats; a refused one is the last.

        Raises SandboxError when the sandbox can't be built, InputError when the interpreter or the job can't be used.
        """
        if job.device.partition(":")[0] != self._target.name:
            raise InputError(f"this executor runs on {self._target.name}, the job asks for {job.device}")
        interpreter = self._ready()
        if self._health:
            self._health.before()
        runs: list[RunRecord] = []
        accounts: list[Account] = []
        with staged_job(job, self._target) as staged:
            for run, account in self._repeats(job, interpreter, staged):
                runs.append(run)
                accounts.append(account)
                if run.status is RunStatus.REFUSED:
                    break
        sure = confirm(job, runs, accounts, self._launch)
        if job.smallest:
            sure = sure._replace(smallest=smallest_of(job, sure, self._launch))
        void = self._health.after() if self._health else None
        return evidence(job, sure, accounts[0], sandboxed=not self._unsandboxed, void=void)

    def _repeats(self, job: Job, interpreter: Interpreter, staged: Staged) -> Iterator[_Observed]:
        """The runs of a job: the first one cold, and so is every one of those that end by a signal or a limit."""
        first = self._observed(job, interpreter, staged)
        yield first
        left = job.repeats - 1
        accelerator = bool(self._target.device_nodes) and job.simulate is None
        plain = first[0].status in (RunStatus.OK, RunStatus.ERROR) and first[0].observed
        if left >= warm.LEAST and plain and not accelerator and not self._unsandboxed:
            for observed in self._warm(job, left, interpreter, staged):
                yield observed
                left -= 1
        for _ in range(left):
            yield self._observed(job, interpreter, staged)

    def warm_runs(self, job: Job, repeats: int) -> list[_Observed]:
        """As many runs of one warm process as it brings to a plain end; none where namespaces can't be nested."""
        with staged_job(job, self._target) as staged:
            return self._warm(job, repeats, self._ready(), staged)

    def _warm(self, job: Job, repeats: int, interpreter: Interpreter, staged: Staged) -> list[_Observed]:
        limits = self._limits(job).model_copy(
            update={
                "timeout_s": warm.START_S + repeats * (job.timeout_s + warm.SPARE_S),
                "max_processes": job.max_processes + 1 + warm.EXTRA_PROCESSES,
            }
        )
        told = job_file(job, self._target)
        file = staged.job.with_name("warm.json")
        file.write_text(warm.job_file(told, job, repeats, seccomp_filter(), limits.flood_bytes), "utf-8")
        sandbox = self._sandbox(job, interpreter, staged).model_copy(update={"job": file})
        with group(limits, self._groups) as joined:
            ended = supervise(
                lambda wires: joining(sandbox_command(sandbox, wires, nested=True), joined), limits, sandboxed=True
            )
        runs: list[_Observed] = []
        for one in takewhile(_is_plain, warm.runs_of(ended.channel)):
            run, account = _account_of(job, one)
            runs.append((run.model_copy(update={"warm": True}), account))
        return runs

    def _launch(self, job: Job) -> tuple[RunRecord, Account]:
        """One process for a job of its own."""
        with staged_job(job, self._target) as staged:
            return self._observed(job, self._ready(), staged)

    def _observed(self, job: Job, interpreter: Interpreter, staged: Staged) -> _Observed:
        return _account_of(job, self._once(job, interpreter, staged))

    def ready(self) -> None:
        """Run an empty script, so that a missing sandbox, torch or device is told before the work begins.

        Raises InputError or SandboxError.
        """
        probe = self.run(
            Job(script="", device=self._target.name, repeats=1, timeout_s=PROBE_S, simulate=self._simulate)
        )
        if probe.status is RunStatus.REFUSED:
            raise InputError(f"{probe.why}; choose another with --device")
        if probe.status is not RunStatus.OK:
            raise SandboxError(f"an empty script does not run on {self._target.name}: {probe.status}: {probe.why}")

    def _ready(self) -> Interpreter:
        """The interpreter's answer, asked for once; says what to install when something is missing."""
        if not self._unsandboxed and (self._bwrap is None or not os.access(self._bwrap, os.X_OK)):
            raise SandboxError(
                f"{self._bwrap or 'bubblewrap'} is missing, type `apt-get install bubblewrap` (or your system's like)"
            )
        if self._interpreter is None:
            interpreter = ask(self._python, self._package)
            if interpreter.package is None:
                raise InputError(
                    f"{self._python} has no {self._package}: "
                    "type `pip install 'xpu-alignment-bot[runner]'` there, or set run.python"
                )
            self._interpreter = interpreter
        return self._interpreter

    def _limits(self, job: Job) -> Limits:
        return Limits(
            timeout_s=job.timeout_s,
            memory_bytes=job.memory_bytes,
            max_processes=job.max_processes + (0 if self._unsandboxed else 1),  # its first process is bubblewrap's
            output_bytes=job.output_bytes,
        )

    def _sandbox(self, job: Job, interpreter: Interpreter, staged: Staged) -> Sandbox:
        environment = environment_for(self._target, interpreter.executable, self._host_environment)
        if self._render_node is not None:
            environment |= self._target.pinned
        simulated = job.simulate is not None
        return Sandbox.model_validate(
            {
                "bwrap": self._bwrap,
                "interpreter": interpreter,
                "harness": self._harness,
                "job": staged.job,
                "script": staged.script,
                "tmp_bytes": job.tmp_bytes,
                "device_nodes": () if simulated else device_nodes(self._target, self._render_node),
                "read_only": () if simulated else read_only_paths(self._target),
                "environment": environment,
            }
        )

    def _once(self, job: Job, interpreter: Interpreter, staged: Staged) -> Ended:
        limits = self._limits(job)
        if self._unsandboxed:
            return self._once_bare(limits, interpreter, staged)
        sandbox = self._sandbox(job, interpreter, staged)
        with filter_descriptor() as seccomp, group(limits, self._groups) as joined:
            ended = supervise(
                lambda wires: joining(sandbox_command(sandbox, wires, seccomp), joined),
                limits,
                sandboxed=True,
                inherit=() if seccomp is None else (seccomp,),
            )
            if over_memory(joined):
                ended = ended.model_copy(update={"ended_by": EndedBy.MEMORY, "exit_code": None, "signal": None})
        if not ended.started:
            raise SandboxError(why_not_started(ended.stderr))
        return ended

    def _once_bare(self, limits: Limits, interpreter: Interpreter, staged: Staged) -> Ended:
        environment = environment_for(self._target, interpreter.executable, self._host_environment)

        def command(wires: Wires) -> list[str]:
            return observe_command(interpreter, self._harness, staged.job, staged.script, wires)

        own = {"HOME": str(staged.folder), "TMPDIR": str(staged.folder)}
        return supervise(command, limits, sandboxed=False, environment=environment | own, folder=staged.folder)


def _is_plain(ended: Ended) -> bool:
    """Did it begin, and end by itself? Whatever else happened is for a cold run to show."""
    plain = ended.ended_by is EndedBy.EXIT and (
        ended.signal is None or read_account(ended.channel, ended.exit_code).end
    )
    return bool(ended.channel) and bool(plain)


def _account_of(job: Job, ended: Ended) -> _Observed:
    account = read_account(ended.channel, ended.exit_code)
    return record(job, ended, account), account
