"""Collectives and sharding have their own backends; their faults are not a kernel's."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, code_files, in_file

LABELS = frozenset(("oncall: distributed", "module: c10d", "module: nccl", "module: fsdp", "module: dtensor", "module: ddp", "module: rpc",
                    "module: distributed_checkpoint", "module: data parallel", "module: pipelining", "release notes: distributed (c10d)",
                    "module: symm_mem", "module: distributed", "module: elastic", "module: context parallel", "module: tensor parallel"))  # fmt: skip
NAMED = Phrases(
    "c10d", "nccl*", "rccl", "gloo", "fsdp*", "ddp", "dtensor*", "devicemesh", "device_mesh", "all_reduce", "allreduce", "all_gather*", "allgather*", "reduce_scatter*",
    "process group*", "processgroup*", "torch distributed", "symmetric memory", "symm_mem", "symmetric_memory", "distributed", "pipeline parallel*", "dataparallel",
    "distributeddataparallel", "data parallel", "asynccollectivetensor", "all_to_all*", "alltoall*", "torchelastic", "torchrun", "tensor parallel", "rpc", "mpi",
    "collective*", "context parallel", "dcp", "symmetricmemory*", "multimem*", "find_unused_parameters",
)  # fmt: skip
SIGNALS = Signals(
    ItemClass.DISTRIBUTED,
    Signal("title", NAMED, 5.0, "the title names distributed computing", veto=True),
    Signal("labels", LABELS, 5.0, "a label names distributed computing", veto=True),
    Signal("lead", NAMED, 2.0, "the text speaks of distributed computing"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Title, label and path are strong; a mention in the body is a hint."""
    yield from SIGNALS.claims(item)
    path = next((path for path in code_files(item) if "/distributed" in path or "/c10d" in path), None)
    touched = in_file(path)
    if touched:
        yield claim("the changed files are of distributed computing", ItemClass.DISTRIBUTED, 4.0, touched, veto=True)
