"""What `bench` reads, runs and prints."""

import json
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bot.cli.reading import read_text
from bot.edges import benchmarks
from bot.edges.outputs import write_file
from bot.errors import InputError
from bot.model import Job, RunEvidence, RunStatus
from bot.model.timing import Baseline, Benchmark, Compared, Pace, Timed
from bot.stages import timing
from bot.wire import Executor

Content = TypeVar("Content", bound=BaseModel)

START_S = 60.0
"""Seconds of a process beside its cases: torch and the device are started."""
OUTPUT_BYTES = 16 << 20


def read_benchmark(name: str) -> Benchmark:
    """Cases of a file (`-`: standard input), else those that ship under the name. Raises InputError."""
    path = Path(name)
    if not path.suffix and name != "-" and not path.exists():
        ships = benchmarks.shipped()
        if name not in ships:
            raise InputError(f"there is no file {name}, and no cases of that name; there are {', '.join(ships)}")
        path = ships[name]
    text = read_text(path)
    try:
        content: Any = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except ValueError as error:  # json's and tomllib's own errors are such
        raise InputError(f"{name} is neither TOML nor JSON: {error}") from error
    return _valid(Benchmark, content, name)


def read_baseline(path: Path) -> Baseline:
    """A stored run. Raises InputError, with what to type where there is none."""
    if not path.exists():
        raise InputError(f"{path} does not exist: store a run there with --save first")
    try:
        content = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from error
    return _valid(Baseline, content, str(path))


def _valid(kind: type[Content], content: object, name: str) -> Content:
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or "the file"
        raise InputError(f"{name}: {where}: {first['msg']}") from error


def store(run: Baseline, path: Path) -> None:
    """Write a run for later comparison, all of it or nothing. Raises InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent} can't be made: {error.strerror}") from error
    write_file(path, json.dumps(run.as_json(), indent=1) + "\n")


@dataclass(frozen=True)
class Run:
    """What came of an order: the device's own rows, those of the other device, and why there are no more."""

    mine: Baseline
    beside: tuple[Timed, ...]
    whole: bool
    """Has every case times?"""
    why: str

    def comparable(self, stored: Baseline, name: str) -> tuple[Timed, ...]:
        """The rows of a stored run; says where its torch was another. Raises InputError for another device's."""
        refused = timing.refusal(stored, self.mine)
        if refused:
            raise InputError(f"{name} can't be compared: {refused}")
        if stored.torch != self.mine.torch:
            print(f"{name} was measured with torch {stored.torch}, this is {self.mine.torch}", file=sys.stderr)  # noqa: T201
        return stored.rows


@dataclass(frozen=True)
class Order:
    """A benchmark to be run on a device, and on another beside it."""

    benchmark: Benchmark
    device: str
    seconds: float
    calls: int
    beside: str | None

    @cached_property
    def script(self) -> str:
        """It needs torch and nothing else."""
        return timing.script(benchmarks.harness_text(), self._cases, self._devices, self.seconds, self.calls)

    def run(self, executor: Executor, repeats: int, memory_bytes: int) -> Run:
        """Run it without the shadow oracle. Raises InputError where nothing was timed."""
        evidence = executor.run(
            Job(
                script=self.script,
                device=self.device,
                repeats=repeats,
                timeout_s=START_S + 3 * self.seconds * len(self._cases) * len(self._devices),
                memory_bytes=memory_bytes,
                output_bytes=OUTPUT_BYTES,
                observe=False,
            )
        )
        if evidence.status is RunStatus.REFUSED:
            raise InputError(f"{evidence.why}; choose another with --device")
        bad = next((record for record in evidence.runs if record.status is not RunStatus.OK), None)
        why = "" if bad is None else str(bad.raised or bad.why or bad.status).partition("\n")[0]
        rows = timing.rows([record.stdout for record in evidence.runs])
        if not rows:
            raise InputError(f"nothing was timed: {why or 'the script printed no row'}")
        here = tuple(row for row in rows if row.device == self.device)
        mine = Baseline(device=_name(evidence), torch=str(evidence.environment.get("torch")), rows=here)
        whole = len(here) == len(self._cases) and all(row.ms is not None for row in here)
        return Run(mine, tuple(row for row in rows if row.device == self.beside), whole, why)

    @cached_property
    def _cases(self) -> list[dict[str, Any]]:
        return timing.cases(self.benchmark)

    @property
    def _devices(self) -> list[str]:
        return [self.device] if self.beside is None else [self.device, self.beside]


def _name(evidence: RunEvidence) -> str:
    """The device's own name; a CPU with another number of threads is another device."""
    name = evidence.device.name or evidence.device.type
    return f"{name}, {evidence.environment.get('threads')} threads" if evidence.device.type == "cpu" else name


def print_compared(run: Baseline, found: list[Compared], *, asked: bool) -> None:
    """The table, a block for each operator: the columns of pytorch/pytorch#179756, and what follows."""
    print(f"{run.device}, torch {run.torch}")  # noqa: T201
    call = ""
    for one in found:
        if one.here.call != call:
            call = one.here.call
            print(f"\n{call}\n{timing.heading(asked=asked)}")  # noqa: T201
        print(timing.line(one, asked=asked))  # noqa: T201
    if asked:
        counts = {answer: sum(one.fast_enough == answer for one in found) for answer in Pace}
        told = ", ".join(f"{count} {answer}" for answer, count in counts.items() if count)
        print(f"\nfast enough: {told}")  # noqa: T201
