"""What the code of every table shares: transactions, errors of one line, documents and times as columns hold them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import ParamSpec, TypeVar

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from bot.edges.schema import first_line
from bot.model import Value
from bot.seams import StoreError

V = TypeVar("V", bound=Value)
P = ParamSpec("P")
R = TypeVar("R")


def ours(method: Callable[P, R]) -> Callable[P, R]:
    """Database errors become StoreError with one line."""

    @wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(*args, **kwargs)
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {first_line(error)}") from error

    return wrapped


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A transaction that takes the write lock at its start, so that what it read still holds when it writes."""
    with Session(engine, autoflush=False) as session, session.begin():
        if engine.dialect.name == "sqlite":
            session.connection().exec_driver_sql("BEGIN IMMEDIATE")
        yield session


def stamp(moment: datetime) -> str:
    """A time as the columns hold it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def read(model: type[V], key: str, document: str) -> V:
    """A stored value. Raises StoreError naming its key when this alignbot can't read it."""
    try:
        return model.model_validate_json(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "document"
        raise StoreError(f"the database holds {key} in a form that can't be read: {field}: {first['msg']}") from error
