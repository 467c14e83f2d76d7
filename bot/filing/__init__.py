"""Filing: from an approved finding to one issue, once for ever. Whatever is written is an intent before it is sent."""

from bot.filing.again import plan_again
from bot.filing.drain import Desk, Drained, drain
from bot.filing.gate import approved_only
from bot.filing.prepare import Prepared, Rules, as_they_are, prepared
from bot.filing.seams import Gate, Sanitiser

__all__ = [
    "Desk",
    "Drained",
    "Gate",
    "Prepared",
    "Rules",
    "Sanitiser",
    "approved_only",
    "as_they_are",
    "drain",
    "plan_again",
    "prepared",
]
