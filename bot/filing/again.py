"""A person has looked at the tracker and says: file it again. Nothing else ever does."""

from collections.abc import Sequence

from bot.filing.drain import Desk
from bot.model import Intent, Wait

BY_HAND = "a person has looked at the tracker and had it filed again"


def plan_again(desk: Desk, intents: Sequence[Intent], holder: str) -> str:
    """Plan these in the place of ones that are unknown or were refused. Why not; empty where it was done.

    What is there after all is still found: before an issue is opened, all issues of ours are looked through.
    """
    lease = desk.outbox.take(holder, desk.clock.now())
    if isinstance(lease, Wait):
        return lease.reason
    try:
        for intent in intents:
            desk.outbox.plan_again(lease, intent, BY_HAND)
    finally:
        desk.outbox.release(lease)
    return ""
