"""Filing: from an approved finding to one issue, once for ever. Whatever is written is an intent before it is sent."""

from bot.filing.again import plan_again
from bot.filing.drain import Desk, Drained, drain
from bot.filing.prepare import Prepared, Rules, prepared

__all__ = ["Desk", "Drained", "Prepared", "Rules", "drain", "plan_again", "prepared"]
