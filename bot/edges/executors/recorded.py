"""Answers from recorded evidence: a run is judged again without its device, by newer rules or somewhere else.

A recording is what `alignbot run --json` printed. It is found by the script's digest, the device and whether it was
simulated, so that it can stand for no other run.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from bot.model import Job, RunEvidence
from bot.seams import InputError, SandboxError

LARGEST_BYTES = 256 << 20


class _Key(NamedTuple):
    script_sha256: str
    device: str
    simulated: bool


class RecordedExecutor:
    """An Executor over a folder of `*.json` files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[_Key, RunEvidence] | None = None

    def ready(self) -> None:
        """Read the folder. Raises InputError, naming the file, where there is none, or one that is no evidence."""
        if self._known is None:
            self._known = {_key_of(evidence): evidence for evidence in self._recordings()}

    def run(self, job: Job) -> RunEvidence:
        """The recording of this script on this device. Raises SandboxError where there is none: the case waits."""
        self.ready()
        key = _Key(job.script_sha256, job.device.partition(":")[0], job.simulate is not None)
        found = (self._known or {}).get(key)
        if found is None:
            raise SandboxError(f"{self._folder} holds no run of script {key.script_sha256[:12]} on {key.device}")
        return found

    def _recordings(self) -> Iterator[RunEvidence]:
        if not self._folder.is_dir():
            raise InputError(f"{self._folder} is no folder of recorded runs: `alignbot run FILE.py --json` prints one")
        for path in sorted(self._folder.glob("*.json")):
            try:
                if path.stat().st_size > LARGEST_BYTES:
                    raise InputError(f"{path} is larger than any recorded run: leave it out of the folder")
                yield RunEvidence.model_validate(json.loads(path.read_text("utf-8")))
            except (OSError, ValueError, RecursionError) as error:
                what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error).splitlines()[0]
                raise InputError(f"{path} is no recorded run ({what}): leave it out of the folder") from error


def _key_of(evidence: RunEvidence) -> _Key:
    return _Key(evidence.script_sha256, evidence.device.type, evidence.device.simulated)
