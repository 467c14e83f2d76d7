"""Seeded days: the same each time, with the numbers, times and traces that a scan of a day has to get right."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.double import Day, World, seed_day, seed_days
from tests.double.nouns import Kind, Presence
from tests.double.world import Repository

DATE = date(2026, 11, 11)


@pytest.fixture(scope="module")
def seeded() -> tuple[Repository, Day]:
    world = World(datetime(2026, 11, 13, tzinfo=UTC))
    day = seed_day(world, DATE)
    return world.repositories["pytorch/pytorch"], day


def test_the_same_seed_gives_the_same_day() -> None:
    """Two worlds of one seed hold the same texts, times, events and commits; of another seed others."""
    worlds = [World(datetime(2026, 11, 13, tzinfo=UTC)) for _ in range(3)]
    days = [seed_day(world, DATE, items=40, seed=seed) for world, seed in zip(worlds, (1, 1, 2), strict=True)]
    assert days[0] == days[1] != days[2]
    written = [
        [(each.title, each.body, each.updated_at, each.labels, len(each.events)) for each in world.threads()]
        for world in worlds
    ]
    assert written[0] == written[1] != written[2]


def test_the_shares_of_a_day(seeded: tuple[Repository, Day]) -> None:
    """400 items, 45 % issues, ninety commits, half of the landed ones from older pull requests, and the specials."""
    repository, day = seeded
    assert (len(day.issues), len(day.pulls)) == (180, 220)
    assert (len(day.discussions), len(day.deleted), len(day.hidden)) == (5, 2, 1)
    assert (len(day.transferred_out), len(day.transferred_in), len(day.direct)) == (1, 1, 3)
    assert len(day.landed) + len(day.reverts) + len(day.direct) == 90
    assert len(day.reverts) >= 3
    own = sum(number in day.pulls for number in day.landed.values())
    assert abs(own - len(day.landed) / 2) <= 2
    assert 20 <= len(day.defects) <= 80
    sizes = sorted(len(repository.threads[number].body) for number in day.items)
    assert sizes[0] < 600
    assert sizes[-1] > 6_000
    assert max(len(each.comments) for each in repository.threads.values()) > 40


def test_the_edges_of_a_day(seeded: tuple[Repository, Day]) -> None:
    """Items lie on its first second, its last, the second before and the second after; the day holds just its own."""
    repository, day = seeded
    second = timedelta(seconds=1)
    created = {number: repository.threads[number].created_at for number in repository.threads}
    for edge in (day.start - second, day.start, day.end - second, day.end):
        assert edge in created.values(), edge
    within = [each.number for each in repository.listed(None, "created_at") if day.start <= each.created_at < day.end]
    assert sorted(within) == day.items


def test_numbers_that_are_no_items(seeded: tuple[Repository, Day]) -> None:
    """Their numbers lie among the day's; what was transferred in has a number of the day and an older date."""
    repository, day = seeded
    for number in [*day.deleted, *day.hidden, *day.transferred_out, *day.discussions, *day.transferred_in]:
        assert day.items[0] < number < day.items[-1]
        assert number not in day.items
    assert [repository.threads[number].presence for number in day.deleted] == [Presence.DELETED] * 2
    assert repository.threads[day.transferred_in[0]].created_at < day.start - timedelta(days=30)
    assert {repository.threads[number].kind for number in day.discussions} == {Kind.DISCUSSION}


def test_commits_lead_back_to_pull_requests(seeded: tuple[Repository, Day]) -> None:
    """Commits are in order of time; a landed one names its pull request, a revert the commit that it takes back."""
    repository, day = seeded
    times = [each.committed_at for each in repository.commits]
    assert times == sorted(times)
    for oid, number in day.landed.items():
        commit, pull = repository.by_oid[oid], repository.threads[number]
        assert commit.message.startswith(f"{pull.title} (#{number})\n")
        assert f"Pull Request resolved: https://github.com/pytorch/pytorch/pull/{number}\n" in commit.message
        assert day.start <= commit.committed_at < day.end
        assert commit.committed_at > pull.created_at
    for oid, number in day.reverts.items():
        message = repository.by_oid[oid].message
        reverted = message.partition("This reverts commit ")[2][:40]
        assert day.landed[reverted] == number
    again = [number for number in day.landed.values() if list(day.landed.values()).count(number) == 2]
    assert set(again) <= set(day.reverts.values())
    assert again


def test_stacks_have_heads_and_bases_of_their_own(seeded: tuple[Repository, Day]) -> None:
    """A ghstack layer's base is no default branch, so GitHub links no issue to it; others that fix one are linked."""
    repository, day = seeded
    pulls = [repository.threads[number] for number in day.pulls]
    layers = [each for each in pulls if each.base_ref.startswith("gh/")]
    assert len(layers) > 40
    assert all(each.head_ref == each.base_ref.replace("/base", "/head") and not each.closes for each in layers)
    assert any(each.closes for each in pulls)


def test_a_month() -> None:
    """Thirty days follow each other without a gap or an overlap; later days land what earlier ones opened."""
    world = World(datetime(2026, 12, 13, tzinfo=UTC))
    days = seed_days(world, date(2026, 11, 1), days=30, per_day=40)
    assert sum(len(day.items) for day in days) == 1_200
    numbers = [number for day in days for number in day.items]
    assert numbers == sorted(numbers)
    assert [day.end for day in days[:-1]] == [day.start for day in days[1:]]
    early = set(days[3].landed.values()) - set(days[3].pulls)
    assert early
