"""The check of filing: may anything be posted, does anything stop it, and does anything wait for a person?"""

from bot import wire
from bot.doctor.check import Said, ok, warning
from bot.edges import health
from bot.model import IntentState
from bot.settings import FilingMode, Settings

FOR_PEOPLE = (IntentState.UNKNOWN, IntentState.REFUSED)


def filing(settings: Settings) -> Said:
    """The mode, the switch, what is left of the caps. Nobody is asked, and no database is made or upgraded."""
    mode = settings.filing.mode
    if why := wire.stop(settings).why():
        return warning(f"mode {mode.value}; {why}", "type `alignbot resume` when writing may go on")
    found = health.database(settings.database)
    if not found.present or found.revision != found.newest:
        return ok(f"mode {mode.value}, nothing was posted yet")
    with wire.store(settings) as store:
        outbox = wire.outbox(store)
        used, every = outbox.used(wire.SystemClock().now()), outbox.every()
    caps = settings.filing.caps
    told = f"mode {mode.value}, {used.hour} of {caps.per_hour} writes of this hour and {used.day} of {caps.per_day} of "
    told += f"this day used, {sum(one.state is IntentState.PLANNED for one in every)} waiting"
    unknown = sum(one.state in FOR_PEOPLE for one in every)
    if unknown and mode is not FilingMode.OFF:
        return warning(f"{told}; {unknown} unknown or refused", "`alignbot file` lists them")
    return ok(told)
