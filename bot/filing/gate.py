"""The plainest gate there is: what a person approved may leave, and nothing else."""

from collections.abc import Callable, Mapping, Sequence

from bot.filing.seams import Gate
from bot.model import Decision, DecisionKind, Go, Wait


def approved_only(history: Callable[[], Mapping[str, Sequence[Decision]]]) -> Gate:
    """A Gate that goes by the last word on a finding; `history` is asked each time, so that a late word counts."""

    def gate(fingerprint: str) -> Go | Wait:
        said = history().get(fingerprint)
        if not said:
            return Wait(reason="nobody has approved it")
        last = said[-1]
        return Go() if last.kind is DecisionKind.APPROVE else Wait(reason=f"{last.kind.value}: {last.reason}")

    return gate
