"""leave: a draft as the filer posts it."""

from bot.sanitising.rules import ExitRules
from bot.sanitising.sanitise import sanitise
from bot.sanitising.title import sanitise_title


def leaving(draft_title: str, draft_body: str, rules: ExitRules) -> tuple[str, str]:
    """Title and body as they may leave; the filer appends its own marker to the body afterwards.

    Raises Refused when either must not leave.
    """
    return sanitise_title(draft_title, rules=rules), sanitise(draft_body, rules).body
