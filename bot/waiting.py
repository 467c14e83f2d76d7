"""Cases that are watched: those whose day has come are looked at again on today's build."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from bot import wire
from bot.edges.changes import due
from bot.edges.store import SqlStore
from bot.errors import EdgeError, InputError
from bot.model import Build, Case, FaultPlan, Job
from bot.pipeline import look_again
from bot.scanning import Quiet
from bot.seams import Executor
from bot.settings import Settings
from bot.stages.reshown import build_of

PROBE = "import torch\n"
"""Runs anywhere, and its evidence tells the build."""


@dataclass(frozen=True, slots=True)
class Look:
    """How to look."""

    device: str = "xpu"
    simulate: FaultPlan | None = None
    unsandboxed: bool = False


@dataclass(frozen=True, slots=True)
class Waited:
    """What came of the cases that were due."""

    cases: Sequence[Case] = ()
    held: Sequence[str] = ()
    """What could not be looked at: it stays due."""

    def as_json(self) -> dict[str, Any]:
        """As `watch --json` prints it."""
        return {"watched": [_facts(one) for one in self.cases], "held": list(self.held)}


def look_at_waiting(settings: Settings, store: SqlStore, look: Look) -> Waited:
    """Look at each case of the device whose day has come. Where nothing can be run, none is touched."""
    name = wire.target(look.device).name
    device = name if look.simulate is None else f"simulated-{name}"
    cases = due(store.engine, device, wire.SystemClock().now())
    if not cases:
        return Waited()
    try:
        line = wire.line(
            settings, look.device, store, unsandboxed=look.unsandboxed, simulate=look.simulate, online=True
        )
        line.executor.ready()
    except (InputError, EdgeError) as error:
        return Waited(held=[f"{len(cases)} watched cases are due, and nothing can be run: {error}"])
    run = settings.run
    probe = Job(script=PROBE, device=name, repeats=1, timeout_s=run.timeout_s, memory_bytes=run.memory)
    build = build_now(line.executor, probe.model_copy(update={"simulate": look.simulate}))
    ended, held = [], []
    for case in cases:
        try:
            ended.append(look_again(case, line, build, Quiet()))
        except InputError:
            raise
        except EdgeError as error:
            held.append(f"{case.key}: {error}")
        except Exception as error:  # noqa: BLE001  one bad case keeps no other from its turn
            structlog.get_logger().exception("a watched case failed by a fault of alignbot", case=case.key)
            held.append(f"{case.key}: a fault of alignbot: {type(error).__name__}; please report it")
    return Waited(ended, held)


def build_now(executor: Executor, probe: Job) -> Build | None:
    """Today's build; None where it does not tell by itself: then each script tells it."""
    try:
        return build_of(executor.run(probe))
    except EdgeError:
        return None


def _facts(case: Case) -> dict[str, Any]:
    outcome = case.outcome.as_json() if case.outcome else {"kind": None, "reason": "", "look_again_at": None}
    told = {name: outcome[name] for name in ("kind", "reason", "look_again_at")}
    return {"window": str(case.window), "leader": case.leader.key, **told}
