"""in_place: one text of ours on the tracker, written anew where it stands, and only when it says something else."""

from collections.abc import Sequence

from bot.model import Intent, IntentState, Outbound


def in_place(first: Intent, planned: Sequence[Intent]) -> list[Intent]:
    """`first`, where nothing was planned under its subject yet; else an edit of what stands, or nothing.

    What is on its way is waited for. Where the tracker refused an edit, one comment is tried, and then a person has to
    look.
    """
    after = f"{first.about} after "
    ours = [one for one in planned if one.about == first.about or one.about.startswith(after)]
    ours = [one for one in ours if one.kind in (Outbound.COMMENT, Outbound.EDIT)]
    last = max(ours, key=lambda one: (one.created_at, one.id), default=None)
    if last is None:
        return [first]
    if last.body.strip() == first.body.strip():
        return []
    about = {"about": f"{after}{last.id}"}
    if last.state is IntentState.REFUSED and last.kind is Outbound.EDIT:
        return [first.model_copy(update={**about, "kind": Outbound.COMMENT, "comment": None})]
    if last.state is not IntentState.DONE or last.filed is None:
        return []
    return [first.model_copy(update={**about, "kind": Outbound.EDIT, "comment": last.filed.comment})]
