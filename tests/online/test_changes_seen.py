"""What changes on GitHub after a window was read: the next round sees it, and follows anew what it matters to."""

from pathlib import Path

from bot import rounds, wire
from bot.config import load
from bot.model import Window
from bot.scanning import working
from tests.conftest import needs_bwrap, needs_torch
from tests.double import changes, faults, landing
from tests.online.conftest import Type
from tests.online.loopback import DAY, ONCE, Loopback, as_of, later, noon, of_day, scanned
from tests.sample_line import open_store


def test_changes_that_matter(loopback: Loopback, typed: Type, state: Path) -> None:
    """A title, a label or a landing after a window was closed has it followed anew; a comment on what was never read
    in detail changes nothing."""
    loopback.fill(later(-1))
    retitled, labelled, commented = loopback.fill(DAY)
    pull = changes.create_pull(loopback.upstream, "[CI] Bump a runner", at=noon(later(1))).number
    loopback.fill(later(2))
    now = as_of(later(2)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    assert typed(*ONCE, **now).code == 0
    changes.comment(loopback.upstream, commented, "The same here.")
    quiet = typed(*ONCE, **now)
    assert (quiet.log("changes seen")[0]["items"], scanned(quiet)) == (0, [])
    changes.edit(loopback.upstream, retitled, title="[Docs] Fix two typos")
    changes.edit(loopback.upstream, labelled, labels=["module: docs"])
    landing.land(loopback.upstream, pull)
    done = typed(*ONCE, **now)
    assert (done.log("changes seen")[0]["items"], scanned(done)) == (3, [str(DAY), str(later(1))])
    assert of_day(state)[retitled]["title"] == "[Docs] Fix two typos"
    assert scanned(typed(*ONCE, **now)) == []


def test_stale_until_it_is_followed(loopback: Loopback, typed: Type) -> None:
    """A scan whose items have changed is shown as stale, until a round follows it."""
    number, *_ = loopback.fill(DAY)
    now = as_of(later(1)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    typed(*ONCE, **now)
    changes.edit(loopback.upstream, number, body="Another text.")
    settings, _ = load()
    github = wire.GitHub(settings)
    with working(settings) as store:
        assert rounds.sweep(settings, store, github) == 1
    github.close()
    assert typed("windows", "--json", **now).json[0]["scans"] == {"cpu": "stale"}
    assert scanned(typed(*ONCE, **now)) == [str(DAY)]
    assert typed("windows", "--json", **now).json[0]["scans"] == {"cpu": "done"}


@needs_torch
@needs_bwrap
def test_a_comment_on_a_candidate(loopback: Loopback, typed: Type, state: Path) -> None:
    """A comment on an item that was read in detail may bring the script: its details are asked for again."""
    loopback.fill(DAY)
    kept = loopback.defect(noon())
    now = as_of(later(1)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    assert typed("windows", "--backfill", **now).code == 0
    changes.comment(loopback.upstream, kept, "It happens here too.")
    loopback.asked()
    done = typed(*ONCE, **now)
    assert (done.log("changes seen")[0]["items"], scanned(done), loopback.asked()) == (1, [str(DAY)], 2)
    store = open_store(state)
    (item,) = store.items(Window.parse(str(DAY)), [f"pytorch/pytorch#{kept}"])
    store.close()
    assert [comment.body for comment in item.comments] == ["It happens here too."]
    assert of_day(state)[kept]["outcome"] == "watched"


def test_changed_while_its_window_is_open(loopback: Loopback, typed: Type, state: Path) -> None:
    """An item on a page that was read before an outage, and edited before the window was read to its end, is told as
    it is now."""
    numbers = loopback.fill(DAY, count=101)
    now = as_of(later(1)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    loopback.double.add(faults.status(418, operation="Window", nth=2, times=2))
    assert typed(*ONCE, **now).code == 3
    for number in numbers[-2:]:
        changes.edit(loopback.upstream, number, title="[Docs] Edited meanwhile")
    assert typed(*ONCE, **now).code == 3
    assert typed(*ONCE, **now).code == 0
    assert typed(*ONCE, **now).code == 0
    assert [of_day(state)[number]["title"] for number in numbers[-2:]] == ["[Docs] Edited meanwhile"] * 2


def test_what_came_late(loopback: Loopback, typed: Type, state: Path) -> None:
    """An issue of a closed day that was hidden until now, or comes by transfer, gets its place in that day."""
    first, hidden, _ = loopback.fill(DAY)
    loopback.fill(later(1))
    changes.hide(loopback.upstream, hidden)
    elsewhere = loopback.double.world.add_repository("pytorch/vision", next_number=9_000)
    now = as_of(later(1)) | {"ALIGNBOT_WINDOWS__START": str(DAY)}
    assert typed(*ONCE, **now).code == 0
    assert hidden not in of_day(state)
    changes.hide(loopback.upstream, hidden, hidden=False)
    changes.edit(loopback.upstream, hidden, labels=["triaged"])
    old = changes.create_issue(elsewhere, "[Docs] Fix a typo", at=noon())
    moved = landing.transfer(elsewhere, old.number, loopback.upstream).number
    assert scanned(typed(*ONCE, **now)) == [str(DAY)]
    assert {first, hidden, moved} <= of_day(state).keys()
