"""The errors that are meant to be read: one line each, saying what to do next.

Foreign exceptions become one of these at the edge. Whoever catches an `EdgeError` may ask again later; whoever
catches an `InputError` tells the person at the keyboard. This module imports nothing of ours, so that the command
line can catch them without loading the rest.
"""

from datetime import datetime


class AlignbotError(Exception):
    """Base of all errors that are meant to be read; the message is one line."""


class InputError(AlignbotError):
    """What was given can't be used: a file, an option, a setting. Exit code 2."""


class EdgeError(AlignbotError):
    """The world did not answer as it should; the same question may be asked again."""


class StoreError(EdgeError):
    """The database can't be read or written."""


class LeaseLostError(EdgeError):
    """Somebody else has the right to write now; nothing was changed."""


class SandboxError(EdgeError):
    """The sandbox could not be built; nothing ran."""


class ForgeError(EdgeError):
    """GitHub did not answer as it should."""


class LimitedError(ForgeError):
    """GitHub gives no more for now."""

    def __init__(self, message: str, until: datetime) -> None:
        super().__init__(message)
        self.until = until
        """When it may be asked again, UTC."""
