"""A desk over a double, for one test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.double import Double
from tests.filing.desk import Room, Switch, Time, outbox_at, world


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made, repository, token = world()
    outbox = outbox_at(tmp_path)
    with Double(made) as double:
        yield Room(double, repository, token, outbox, Switch(), Time())
    outbox._engine.dispose()
