"""What a listing leaves out, for the items that are kept: comments, files, links, how a pull request landed."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.edges.changes import renew
from bot.errors import ForgeError
from bot.model import ChangedFile, ChangeState, Item, Link, LinkKind
from bot.stages.state import standing_of
from tests.double import World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.double.exchange import Exchange
from tests.double.nouns import File
from tests.github.windowed import (
    DAY,
    START,
    UPSTREAM,
    Windowed,
    day_world,
    empty_world,
    larger_than,
    upstream,
    windowed,
)

pytestmark = needs_schema
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def link(kind: str, number: int, repo: str = UPSTREAM) -> Link:
    """A link to an item."""
    return Link(kind=LinkKind(kind), repo=repo, number=number)


def detailed(here: Windowed, *numbers: int) -> dict[int | str, Item]:
    """These items with their details, and what came with them, saved as a scan saves it."""
    kept = [here.item(number) for number in numbers]
    return saved(here, kept)


def saved(here: Windowed, kept: Sequence[Item]) -> dict[int | str, Item]:
    """Read the details of items, and save them."""
    found = list(here.source().details(kept))
    here.store.save_details(DAY, [item.key for item in kept], iter(found))
    assert len({item.key for item in found}) == len(found)
    return {item.number: item for item in found}


def test_comments_of_long_threads(tmp_path: Path) -> None:
    """All of them in their order, over several pages; an account may be gone, or an app's."""
    world = empty_world()
    number = changes.create_issue(upstream(world), "Long", at=START).number
    for place in range(160):
        author = {7: None, 8: "app[bot]"}.get(place, "reader")
        changes.comment(upstream(world), number, f"Comment {place}", author=author, at=START + place * MINUTE)
    with windowed(world, tmp_path) as here:
        here.read()
        comments = detailed(here, number)[number].comments
        assert [comment.body for comment in comments] == [f"Comment {place}" for place in range(160)]
        assert [comments[7].author, comments[8].author] == ["", "app[bot]"]
        assert here.asked()[-2:] == ["Comments", "Comments"]


def test_comments_in_pages_that_are_too_heavy(tmp_path: Path) -> None:
    """They come in smaller pages, none lost."""
    world = empty_world()
    number = changes.create_issue(upstream(world), "Long", at=START).number
    for place in range(120):
        changes.comment(upstream(world), number, f"Comment {place}", at=START + place * MINUTE)
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.timed_out(operation="Comments", where=larger_than(20), times=None))
        assert len(detailed(here, number)[number].comments) == 120


@pytest.mark.parametrize(
    ("count", "told", "requests"), [(0, 0, 1), (99, 99, 1), (100, 100, 2), (230, 230, 3), (450, 300, 3)]
)
def test_files(tmp_path: Path, count: int, told: int, requests: int) -> None:
    """Path, lines and patch of each file, up to three hundred; GitHub leaves the patch of some out."""
    world = empty_world()
    files = [File(f"kernel_{place}.cu", place, 1, f"@@ {place}") for place in range(count)]
    number = changes.create_pull(upstream(world), "Many files", files=files, at=START).number
    with windowed(world, tmp_path) as here:
        here.read()
        found = detailed(here, number)[number].files
        expected = [ChangedFile(path=one.path, additions=one.additions, deletions=1, patch=one.patch) for one in files]
        assert list(found) == expected[:told]
        assert len(here.double.asked(path=f"/repos/{UPSTREAM}/pulls/")) == requests


def test_links(tmp_path: Path) -> None:
    """Who fixes whom, from either side, by text or by the commit that closed it; others are mentions, once each."""
    world = empty_world()
    repository = upstream(world)
    vision = world.add_repository("pytorch/vision", next_number=50)
    issue, other = (changes.create_issue(repository, "A fault", at=START + n * MINUTE).number for n in range(2))
    pull = changes.create_pull(repository, "A fix", f"Fixes #{issue}", at=START + 2 * MINUTE).number
    message = f"Title (#{pull})\n\nFixes #{other}\n\nPull Request resolved: https://github.com/{UPSTREAM}/pull/{pull}"
    landing.land(repository, pull, message=message, at=START + HOUR)
    asks = changes.create_issue(
        repository, "A question", f"Like #{issue}, #{issue} and #{pull}", at=START + 2 * HOUR
    ).number
    far = changes.create_issue(vision, "Far", f"See {UPSTREAM}#{issue}", at=START + 2 * HOUR).number
    with windowed(world, tmp_path) as here:
        here.read()
        found = detailed(here, issue, other, pull, asks)
        assert set(found[issue].links) == {
            link("fixed-by", pull),
            link("mentions", asks),
            link("mentions", far, "pytorch/vision"),
        }
        assert found[other].links == (link("fixed-by", pull),)
        assert set(found[pull].links) == {link("fixes", issue), link("mentions", asks)}
        assert found[asks].links == ()


def test_a_revert_keeps_what_it_takes_back(tmp_path: Path) -> None:
    """Details add to the links that the listing knows; a commit gets its files."""
    world = empty_world()
    repository = upstream(world)
    pull = changes.create_pull(repository, "A change", at=START).number
    landing.land(repository, pull, at=START + HOUR)
    revert = landing.revert(repository, pull, at=START + 2 * HOUR)
    revert.files.append(File("kernel.cu", 3, 4, "@@"))
    with windowed(world, tmp_path) as here:
        here.read()
        item = here.items()[f"{UPSTREAM}@{revert.oid}"]
        (found,) = saved(here, [item]).values()
        assert found.links == (link("reverts", pull),)
        assert found.files == (ChangedFile(path="kernel.cu", additions=3, deletions=4, patch="@@"),)
        assert found.model_copy(update={"files": ()}) == item


def test_how_a_pull_request_landed(tmp_path: Path) -> None:
    """By the commit that closed it last; one that is just closed did not land, whatever the window holds of it."""
    world = empty_world()
    repository = upstream(world)
    later, again, never, back = (
        changes.create_pull(repository, "A change", at=START + n * MINUTE).number for n in range(4)
    )
    landing.land(repository, later, at=DAY.end + HOUR)
    landing.land(repository, again, at=START + HOUR)
    landing.revert(repository, again, at=START + 2 * HOUR)
    own = landing.land(repository, again, at=DAY.end + HOUR)
    landing.revert(repository, later, at=DAY.end + 2 * HOUR)
    last = landing.land(repository, later, at=DAY.end + 3 * HOUR)
    changes.close(repository, never, at=START + HOUR)
    landing.land(repository, back, at=START + HOUR)
    landing.revert(repository, back, at=START + 2 * HOUR)
    changes.close(repository, back, at=START + 3 * HOUR)
    with windowed(world, tmp_path) as here:
        here.read()
        listed = here.item(back)
        assert listed.landed_sha is not None
        found = detailed(here, later, again, never, back)
        assert [found[number].landed_sha for number in (later, again, never, back)] == [last.oid, own.oid, None, None]
        assert standing_of(found[back], []).state is ChangeState.REVERTED


def test_one_that_github_merged_keeps_its_commit(tmp_path: Path) -> None:
    """Its own button leaves no commit in the timeline; the window's commit is how it landed."""
    world = empty_world()
    repository = upstream(world)
    pull = changes.create_pull(repository, "A change", at=START).number
    made = landing.merge(repository, pull, at=START + HOUR)
    with windowed(world, tmp_path) as here:
        here.read()
        assert detailed(here, pull)[pull].landed_sha == made.oid


@pytest.mark.parametrize("reason", ["NOT_PLANNED", "DUPLICATE"])
def test_why_an_issue_was_closed(tmp_path: Path, reason: str) -> None:
    """A listing tells it, duplicates included, and so do the details."""
    world = empty_world()
    number = changes.create_issue(upstream(world), "A wish", at=START).number
    changes.close(upstream(world), number, reason=reason, at=START + HOUR)
    with windowed(world, tmp_path) as here:
        here.read()
        assert here.item(number).state_reason == reason.lower()
        assert detailed(here, number)[number].state_reason == reason.lower()


def test_a_landing_behind_many_references(tmp_path: Path) -> None:
    """However often it is mentioned afterwards, how it landed is still told."""
    world = empty_world()
    repository = upstream(world)
    pull = changes.create_pull(repository, "A change", at=START).number
    made = landing.land(repository, pull, at=DAY.end + HOUR)
    for place in range(60):
        changes.create_issue(repository, "Since then", f"Since #{pull}", at=DAY.end + HOUR + place * MINUTE)
    with windowed(world, tmp_path) as here:
        here.read()
        assert detailed(here, pull)[pull].landed_sha == made.oid


def test_what_belongs_to_them_outside_comes_once(tmp_path: Path) -> None:
    """The issue that two of them fix is fetched once, without details, and not again; mentions are not fetched."""
    world = empty_world()
    repository = upstream(world)
    old, seen = (changes.create_issue(repository, "Old", at=START - n * HOUR).number for n in (3, 2))
    pulls = [
        changes.create_pull(repository, "A fix", f"Fixes #{old}, see #{seen}", at=START + n * MINUTE).number
        for n in range(2)
    ]
    with windowed(world, tmp_path) as here:
        here.read()
        assert detailed(here, *pulls).keys() == {*pulls, old}
        assert here.store.undetailed(DAY, [f"{UPSTREAM}#{old}"]) == [f"{UPSTREAM}#{old}"]
        assert detailed(here, *pulls).keys() == set(pulls)


def test_what_was_forgotten_outside_is_fetched_as_it_is_now(tmp_path: Path) -> None:
    """An issue that nobody needed for a while is not remembered as it was then."""
    world = empty_world()
    repository = upstream(world)
    old = changes.create_issue(repository, "Old", at=START - HOUR).number
    pull = changes.create_pull(repository, "A fix", f"Fixes #{old}", at=START).number
    with windowed(world, tmp_path) as here:
        here.read()
        assert detailed(here, pull)[old].title == "Old"
        here.store.forget_items(DAY, [f"{UPSTREAM}#{old}"])
        for number in (old, pull):
            changes.edit(repository, number, title="New")
        assert renew(here.store.engine, here.sweep(START).items()) == 1
        assert detailed(here, pull)[old].title == "New"


def test_sixty_candidates_of_a_day(tmp_path: Path) -> None:
    """With the listing they take 13 points and, but for one request per pull request for its files, 13 requests."""
    world, day = day_world(400)
    with windowed(world, tmp_path) as here:
        here.read()
        items = here.items()
        kept = [items[f"{UPSTREAM}#{number}"] for number in [*day.defects, *day.pulls][:60]]
        pulls = Counter(item.kind.value for item in kept)["pull"]
        for start in (0, 50):
            saved(here, kept[start : start + 50])
        assert here.double.points <= 13
        assert here.double.requests - pulls <= 13
        asked = here.double.requests
        for start in (0, 50):
            saved(here, kept[start : start + 50])
        assert here.double.requests == asked


def test_an_item_that_was_edited_is_read_anew(tmp_path: Path) -> None:
    """Its text, its files and all of its comments are those of now, also those beyond the first page."""
    world = empty_world()
    repository = upstream(world)
    number = changes.create_pull(repository, "Old", files=[File("a.cu", 1, 0, "@@")], at=START).number
    for place in range(70):
        changes.comment(repository, number, f"Comment {place}", at=START + place * MINUTE)
    with windowed(world, tmp_path) as here:
        here.read()
        assert len(detailed(here, number)[number].comments) == 70
        changes.edit(repository, number, title="New")
        changes.comment(repository, number, "Comment 70")
        repository.threads[number].files.append(File("b.cu", 1, 0, "@@"))
        repository.threads[number].head_oid = "f" * 40
        assert renew(here.store.engine, here.sweep(START).items()) == 1
        assert here.store.undetailed(DAY, [f"{UPSTREAM}#{number}"]) == [f"{UPSTREAM}#{number}"]
        found = detailed(here, number)[number]
        assert (found.title, len(found.comments), len(found.files)) == ("New", 71, 2)


def _delete(world: World, number: int) -> None:
    changes.delete(upstream(world), number)


def _move(world: World, number: int) -> None:
    world.follows_transfers = True
    landing.transfer(upstream(world), number, world.add_repository("pytorch/vision", next_number=9))


@pytest.mark.parametrize("status", [404, 406, 410, 422])
def test_files_that_github_does_not_give(tmp_path: Path, status: int) -> None:
    """Where it can't compare, or has them no more, there are none; that is not remembered for ever."""
    world = empty_world()
    number = changes.create_pull(upstream(world), "A change", files=[File("a.cu", 1, 0, "@@")], at=START).number
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.status(status, "No", path="/files"))
        assert detailed(here, number)[number].files == ()
        assert len(detailed(here, number)[number].files) == 1


@pytest.mark.parametrize("change", [_delete, _move])
def test_an_item_that_went_stays_as_it_was_listed(tmp_path: Path, change: object) -> None:
    """What was deleted or moved elsewhere since is no reason to fail: the others get their details."""
    assert callable(change)
    world = empty_world()
    gone, here_still = (
        changes.create_issue(upstream(world), "A fault", at=START + n * MINUTE).number for n in range(2)
    )
    changes.comment(upstream(world), here_still, "A comment")
    with windowed(world, tmp_path) as here:
        here.read()
        listed = here.item(gone)
        change(world, gone)
        found = detailed(here, gone, here_still)
        assert found[gone] == listed
        assert len(found[here_still].comments) == 1


def test_a_thread_lost_between_two_pages_of_comments(tmp_path: Path) -> None:
    """Half of its comments are not taken for all: it is asked again later."""
    world = empty_world()
    number = changes.create_issue(upstream(world), "Long", at=START).number
    for place in range(60):
        changes.comment(upstream(world), number, f"Comment {place}", at=START + place * MINUTE)
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.mutate(lambda _: changes.hide(upstream(world), number), operation="Comments"))
        with pytest.raises(ForgeError, match=f"GitHub lost #{number} while its comments were read"):
            detailed(here, number)
        changes.hide(upstream(world), number, hidden=False)
        assert len(detailed(here, number)[number].comments) == 60


def test_batches_that_are_too_heavy(tmp_path: Path) -> None:
    """They are halved until GitHub answers, and none is lost."""

    def heavy(exchange: Exchange) -> bool:
        return str((exchange.graphql or {}).get("query")).count("...Detailed") > 6

    world, day = day_world(30)
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.bad_gateway(operation="Details", where=heavy, times=None))
        assert {*day.items} <= detailed(here, *day.items).keys()


def test_an_item_that_is_too_heavy_alone(tmp_path: Path) -> None:
    """It stays as it was listed, and the others get their details."""

    def heavy(exchange: Exchange) -> bool:
        return f"n{number}:" in str((exchange.graphql or {}).get("query"))

    world, day = day_world(12)
    number, other = day.issues[:2]
    changes.comment(upstream(world), other, "A comment")
    with windowed(world, tmp_path) as here:
        here.read()
        listed = here.item(number)
        here.double.add(faults.bad_gateway(operation="Details", where=heavy, times=None))
        found = detailed(here, number, other)
        assert found[number] == listed
        assert found[other].comments


def test_a_fault_leaves_nothing_half_read(tmp_path: Path) -> None:
    """Details that can't be read to their end are an error; what was read by then is not asked again."""
    world, day = day_world(30)
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.server_error(path="/files", nth=4, times=None))
        with pytest.raises(ForgeError):
            detailed(here, *day.items)
        asked = len(here.double.log)
        here.double.rules.clear()
        detailed(here, *day.items)
        files = [path for path in here.asked(since=asked) if path.endswith("/files")]
        assert len(files) == len(day.pulls) - 3
