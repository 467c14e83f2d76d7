"""Everything that leaves for GitHub passes here once."""

from bot.sanitising.leave import leaving
from bot.sanitising.rules import BODY_LIMIT, SHORTEST_SECRET, Change, ExitRules, Refused, Sanitised, TooLong
from bot.sanitising.sanitise import sanitise
from bot.sanitising.title import forbidden_label, sanitise_title

__all__ = [
    "BODY_LIMIT",
    "SHORTEST_SECRET",
    "Change",
    "ExitRules",
    "Refused",
    "Sanitised",
    "TooLong",
    "forbidden_label",
    "leaving",
    "sanitise",
    "sanitise_title",
]
