"""What a classification rule may say."""

from bot.model.base import Span, Value
from bot.model.words import DefectKind, ItemClass


class Claim(Value):
    """One rule's claim on an item: any of a class, a defect kind and operators, with the text that made it."""

    why: str
    """A clause that a reader understands without the rule: `the title is tagged [CUDA]`."""
    item_class: ItemClass | None = None
    weight: float = 0.0
    """How much it speaks for `item_class`, in logits (1 = weak, 3 = strong)."""
    veto: bool = False
    """The item is of `item_class` and no candidate, whatever else speaks for it."""
    defect_kind: DefectKind | None = None
    ops: tuple[str, ...] = ()
    """aten names without namespace, the likeliest first."""
    span: Span | None = None
