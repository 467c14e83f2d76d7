"""The gate before every request: it waits for short, says until when for long, and lets two writes never be close."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bot.edges.github.limiter import Limiter, Spent
from bot.edges.github.limits import Refusal
from bot.errors import InputError, LimitedError
from tests.github.loopback import START, Time, limits


def after(seconds: float) -> datetime:
    """So long after the clock's beginning."""
    return START + timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def limiter(clock: Time) -> Limiter:
    """Two minutes are the longest wait."""
    return Limiter(clock, clock.sleep)


def test_what_is_free_is_not_waited_for(limiter: Limiter, clock: Time) -> None:
    """Reads follow each other at once, and are counted by resource."""
    for resource in ("core", "core", "graphql"):
        limiter.admit(resource)
    assert clock.slept == []
    assert limiter.spent == {"core": Spent(requests=2), "graphql": Spent(requests=1)}


def test_a_second_passes_between_writes(limiter: Limiter, clock: Time) -> None:
    """From the end of one to the beginning of the next, reads in between or not; the first waits for nothing."""
    limiter.admit("core", write=True)
    clock.sleep(5)
    limiter.wrote()
    limiter.admit("core")
    clock.moment += timedelta(seconds=0.25)
    limiter.admit("core", write=True)
    assert clock.slept == [5, 0.75]


def test_a_write_without_an_end_counts_too(limiter: Limiter, clock: Time) -> None:
    """The second counts from the beginning where nobody told the end."""
    limiter.admit("core", write=True)
    limiter.admit("core", write=True)
    assert clock.slept == [1]


def test_a_clock_that_is_set_back_holds_no_write_for_long(limiter: Limiter, clock: Time) -> None:
    """An hour back costs a second, not an hour."""
    limiter.admit("core", write=True)
    clock.moment -= timedelta(hours=1)
    limiter.admit("core", write=True)
    assert clock.slept == [1]


@pytest.mark.parametrize("skew", [-3600.0, -0.5, 0.0, 3600.0])
def test_the_first_write_after_an_answer(skew: float, limiter: Limiter, clock: Time) -> None:
    """Waits for nothing, though GitHub's clock is another than ours."""
    clock.moment = after(0.5)
    limiter.learn("core", {"Date": format_datetime(after(0.5 + skew), usegmt=True)})
    limiter.admit("core", write=True)
    assert clock.slept == []


def test_answers_do_not_shorten_the_second(limiter: Limiter, clock: Time) -> None:
    """GitHub's clock shows whole seconds: what an answer corrects by it leaves the pause between writes alone."""
    clock.moment = after(0.9)
    limiter.admit("core", write=True)
    limiter.wrote()
    limiter.learn("core", {"Date": format_datetime(after(2), usegmt=True)})
    limiter.admit("core", write=True)
    assert clock.slept == [1]


def test_a_spent_budget_is_waited_for(limiter: Limiter, clock: Time) -> None:
    """Until the second after the reset, for its resource alone; then it is whole again."""
    limiter.learn("core", limits(0, after(90)))
    limiter.admit("graphql")
    assert clock.slept == []
    limiter.admit("core")
    assert clock.slept == [91]
    limiter.admit("core")
    assert clock.slept == [91]


def test_a_long_wait_is_an_error_with_its_end(limiter: Limiter, clock: Time) -> None:
    """Nothing is waited for what takes longer than may be; the error names the time and has it as a value."""
    limiter.learn("core", limits(0, after(3000)))
    with pytest.raises(LimitedError, match=r"core budget is spent.*at 2026-11-12T06:50:02Z") as caught:
        limiter.admit("core")
    assert caught.value.until == after(3001)
    assert clock.slept == []
    assert limiter.spent == {}


def test_waits_add_up(clock: Time) -> None:
    """A gate that closes again while one waits does not make the wait longer than may be."""
    limiter = Limiter(clock, lambda _: limiter.learn("core", limits(0, clock.now() + timedelta(seconds=80))))
    limiter.learn("core", limits(0, after(80)))
    with pytest.raises(LimitedError):
        limiter.admit("core")


def test_each_request_takes_one(limiter: Limiter) -> None:
    """What was let through counts before GitHub confirms it, so that many at once don't overdraw."""
    limiter.learn("core", limits(2, after(3000)))
    limiter.admit("core")
    limiter.admit("core")
    with pytest.raises(LimitedError):
        limiter.admit("core")


def test_thirty_searches_a_minute(limiter: Limiter, clock: Time) -> None:
    """Search has a small budget of its own, known by its name in the headers."""
    limiter.learn("core", limits(0, after(40), 30, "search"))
    limiter.admit("core")
    limiter.admit("search")
    assert clock.slept == [41]


@pytest.mark.parametrize("skew", [timedelta(hours=-5), timedelta(minutes=7)])
def test_the_servers_clock_rules(skew: timedelta, clock: Time) -> None:
    """A machine whose clock is wrong waits as long as one whose clock is right."""
    limiter = Limiter(clock, clock.sleep)
    theirs = clock.now() + skew
    limiter.learn("core", {"Date": format_datetime(theirs, usegmt=True)} | limits(0, theirs + timedelta(seconds=60)))
    assert limiter.now() == theirs
    limiter.admit("core")
    assert clock.slept == [61]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Date": "yesterday"},
        {"Date": format_datetime(START + timedelta(days=1), usegmt=True), "Age": "86400"},
        {"X-RateLimit-Remaining": "0"},
        limits(0, after(60)) | {"X-RateLimit-Reset": "never"},
        limits(0, after(60)) | {"X-RateLimit-Remaining": "none"},
        limits(0, after(60)) | {"X-RateLimit-Limit": "inf"},
    ],
)
def test_headers_without_sense_change_nothing(headers: dict[str, str], limiter: Limiter, clock: Time) -> None:
    """Neither the clock, where an answer is old, nor a budget."""
    limiter.learn("core", headers)
    limiter.admit("core")
    assert limiter.now() == START
    assert clock.slept == []


def test_points_are_counted(limiter: Limiter, clock: Time) -> None:
    """What queries cost adds up, and what remains is known for the next."""
    limiter.learn("graphql", limits(4990, after(60)))
    limiter.admit("graphql")
    limiter.learn_points(7, 4983, after(60))
    limiter.admit("graphql")
    limiter.learn_points(4983, 0, after(60))
    assert limiter.spent == {"graphql": Spent(requests=2, points=4990)}
    assert limiter.left("graphql") == 0
    limiter.admit("graphql")
    assert clock.slept == [61]
    assert limiter.left("core") is None


def test_a_secondary_refusal_closes_everything(limiter: Limiter, clock: Time) -> None:
    """GitHub counts secondary limits over all that an account does."""
    assert limiter.refused("graphql", Refusal("secondary", after(20))) == after(20)
    limiter.admit("core")
    assert clock.slept == [20]


def test_a_primary_refusal_closes_its_resource(limiter: Limiter, clock: Time) -> None:
    """The other budgets are not touched."""
    limiter.refused("graphql", Refusal("primary", after(20)))
    limiter.admit("core")
    assert clock.slept == []
    limiter.admit("graphql")
    assert clock.slept == [20]


def test_refusals_without_a_time_double(limiter: Limiter, clock: Time) -> None:
    """A minute, two, four … up to an hour; once GitHub carried something out, a minute again."""
    waits = []
    for _ in range(9):
        waits.append((limiter.refused("core", Refusal("secondary", None)) - clock.now()) // timedelta(seconds=1))
        clock.moment += timedelta(hours=2)
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    limiter.accepted()
    assert limiter.refused("core", Refusal("secondary", None)) == clock.now() + timedelta(seconds=60)


def test_a_refusal_never_shortens_another(limiter: Limiter) -> None:
    """Of two the later end counts."""
    limiter.refused("core", Refusal("secondary", after(100)))
    assert limiter.refused("core", Refusal("secondary", after(5))) == after(100)


@pytest.mark.parametrize(
    ("remaining", "reset_s", "amount", "slept"),
    [(100, 3000, 100, []), (5, 60, 100, [61]), (0, -10, 100, []), (0, 60, 0, [])],
)
def test_a_scan_that_can_be_paid_for(
    remaining: int, reset_s: float, amount: int, slept: list[float], limiter: Limiter, clock: Time
) -> None:
    """Enough is left, or will be shortly."""
    limiter.learn_points(0, remaining, after(reset_s))
    limiter.learn("graphql", limits(remaining, after(reset_s)) if reset_s > 0 else {})
    limiter.require("graphql", amount)
    assert clock.slept == slept


def test_a_scan_that_must_wait(limiter: Limiter) -> None:
    """It is told how much is left and when there is more, before it began."""
    limiter.learn("graphql", limits(12, after(3000)))
    with pytest.raises(LimitedError, match=r"needs 40 points of GitHub's graphql budget, 12 are left") as caught:
        limiter.require("graphql", 40)
    assert caught.value.until == after(3001)


def test_a_scan_that_can_never_be_paid_for(limiter: Limiter) -> None:
    """Waiting would not help: a person has to choose less."""
    limiter.learn("core", limits(4000, after(3000)))
    with pytest.raises(InputError, match=r"needs 9000 requests.*gives 5000 at a time: choose a shorter window"):
        limiter.require("core", 9000)


def test_an_unknown_budget_is_enough(limiter: Limiter) -> None:
    """Enterprise servers may have no limits and say nothing of them."""
    limiter.require("core", 10**6)


def test_the_overview_is_taken(limiter: Limiter) -> None:
    """`GET /rate_limit` tells all budgets at once; what is odd in it is passed over."""
    reset = int(after(60).timestamp())
    limiter.learn_overview(
        {"core": {"limit": 60, "remaining": 3, "reset": reset, "used": 57}, "search": None, "graphql": {"limit": "x"}}
    )
    assert (limiter.left("core"), limiter.left("search"), limiter.left("graphql")) == (3, None, None)


def together(count: int, work: Callable[[], None]) -> None:
    """Do it in so many threads at once."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_share_the_gate(clock: Time) -> None:
    """Of eight writers no two come within a second, and none is forgotten in the count."""
    limiter = Limiter(clock, clock.sleep, timedelta(minutes=10))
    admitted: list[datetime] = []
    lock = threading.Lock()

    def write() -> None:
        limiter.admit("core", write=True)
        with lock:
            admitted.append(clock.now())

    together(8, write)
    assert limiter.spent == {"core": Spent(requests=8)}
    assert max(admitted) - min(admitted) >= timedelta(seconds=7) - timedelta(milliseconds=1)


def test_times_are_in_utc(limiter: Limiter) -> None:
    """What an error says of a time is what it holds."""
    with pytest.raises(LimitedError) as caught:
        limiter.refused("core", Refusal("primary", datetime(2026, 11, 12, 7, tzinfo=UTC)))
        limiter.admit("core")
    assert "2026-11-12T07:00:01Z" in str(caught.value)
