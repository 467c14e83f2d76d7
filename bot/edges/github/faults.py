"""The ways in which GitHub does not answer as it should. All are ForgeErrors, so that few need to tell them apart."""

from datetime import datetime

from bot.errors import ForgeError, InputError, LimitedError


class LostError(ForgeError):
    """No usable answer came: the connection broke, the time was up, or it was GitHub's own fault (5xx)."""

    def __init__(self, message: str, *, sent: bool = True, again: bool = True) -> None:
        super().__init__(message)
        self.sent = sent
        """The question may have reached GitHub: what a write was to do may be done."""
        self.again = again
        """Asking once more at once may help."""


class RefusedError(LimitedError):
    """GitHub refused this very question because of its limits. It was not carried out."""

    def __init__(self, message: str, until: datetime) -> None:
        super().__init__(message, until)


class DeniedError(InputError):
    """GitHub does not allow this to these credentials. It was not carried out."""


class TooHeavyError(ForgeError):
    """The question, or its answer, is too big: ask for less at once."""


class AnswerError(ForgeError):
    """GitHub answered with a status that the asker has no use for, for instance 404 or 422."""

    def __init__(self, message: str, status: int, location: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.location = location
        """Where it moved to, with a status of 301, 302, 307 or 308."""
