"""A GitHub on loopback for tests: a world in memory, both of GitHub's interfaces over it, and faults on demand."""

from tests.double import changes, faults, landing
from tests.double.seed import Day, seed_day, seed_days
from tests.double.server import Double
from tests.double.tokens import App, Installation, Token
from tests.double.world import Repository, World

__all__ = [
    "App",
    "Day",
    "Double",
    "Installation",
    "Repository",
    "Token",
    "World",
    "changes",
    "faults",
    "landing",
    "seed_day",
    "seed_days",
]
