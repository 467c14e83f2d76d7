"""How the double says no inside GraphQL: a type and a message, as GitHub's errors have them."""


class Refused(Exception):  # noqa: N818  an answer, not a fault
    """GitHub's error of that type, at the field that raised it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
