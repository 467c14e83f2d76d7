"""The check of filing: may anything be posted, and does anything stop it? `alignbot file` tells what waits."""

from bot import wire
from bot.doctor.check import Said, ok, warning
from bot.settings import Settings


def filing(settings: Settings) -> Said:
    """The mode, the caps and the switch. Nobody is asked, and no database is opened."""
    caps = settings.filing.caps
    told = f"mode {settings.filing.mode.value}, at most {caps.per_hour} an hour, {caps.per_day} a day"
    if why := wire.stop(settings).why():
        return warning(f"{told}; {why}", "type `alignbot resume` when writing may go on")
    return ok(told)
