"""Collectives and sharding have their own backends; their faults are not a kernel's."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, code_files, in_body, in_file, in_title, words

LABELS = ("oncall: distributed", "module: c10d", "module: nccl", "module: fsdp", "module: dtensor", "module: ddp")
TITLE = words(
    r"c10d", r"NCCL\w*", r"RCCL", r"FSDP\d?", r"DDP", r"DTensor", r"DeviceMesh", r"all_?reduce", r"all_?gather",
    r"reduce_?scatter", r"process ?groups?", r"ProcessGroup\w*", r"torch\.distributed\S*", r"symmetric memory",
    r"distributed", r"pipeline parallel\w*", r"DataParallel", r"AsyncCollectiveTensor",
)  # fmt: skip


def rule(item: Item) -> Iterable[Claim]:
    """Title, label and path are strong; a mention in the body is a hint."""
    touched = next((path for path in code_files(item) if "/distributed" in path or "/c10d" in path), None)
    for why, span, weight, veto in (
        ("the title names distributed computing", in_title(item, TITLE), 4.0, True),
        ("a label names distributed computing", among_labels(item, LABELS), 4.0, True),
        ("the changed files are of distributed computing", in_file(touched), 4.0, True),
        ("the text speaks of distributed computing", in_body(item, TITLE), 1.0, False),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.DISTRIBUTED, weight=weight, veto=veto, span=span)
