"""A window of GitHub as a Source: its heads frozen first, then all of it listed, then proven whole by its numbers."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from bot.edges.github.connect import Forge
from bot.edges.github.detail import Details, outside
from bot.edges.github.fates import fates
from bot.edges.github.heads import Heads, Place, freeze
from bot.edges.github.listing import Listing
from bot.edges.github.nodes import listed
from bot.edges.github.pages import Pages
from bot.edges.github.roll import Changes, Roll
from bot.edges.readings import ADOPTED, CHANGED
from bot.errors import AlignbotError, InputError, LimitedError
from bot.model import Fate, FateKind, FrozenHeads, Item, Proof, Reading, ReadingState, Window, rfc3339
from bot.model.reading import other_repository
from bot.seams import Clock, Readings, Remembered, Texts
from bot.windows.proof import adopted, prove, questions

DAY = timedelta(days=1)
SETTLED = DAY
"""A number that GitHub still denies this long after the window is hidden for good, e.g. with its author."""
LAG = timedelta(minutes=2)
"""GitHub's replicas may show the last items of a window only so long after its end."""
POINTS = 30
"""Points that a day's listing with its details may take; a window isn't begun with fewer left for each of its days."""
ROUNDS = 60
"""Times that numbers are asked for in one reading: halving the longest sequence takes twenty."""
UNREAD = "it has not been read to its end"
UNSAVED = "it was read whole, and its items could not be saved"


class GitHubSource:
    """One window. Nothing is asked of GitHub before it is needed, and nothing twice that the store has."""

    def __init__(
        self,
        window: Window,
        places: tuple[Place, Place],
        forge: Callable[[], Forge],
        readings: Readings,
        remembered: Remembered,
        clock: Clock,
        texts: Texts,
    ) -> None:
        self._window = window
        self._upstream, self._target = places
        self._forge = forge
        self._readings = readings
        self._remembered = remembered
        self._clock = clock
        self._texts = texts
        self._kept_pages: Pages | None = None
        self._found: Heads | None = None
        self._fresh: tuple[Reading, frozenset[str]] | None = None
        """What the window is once the store has the items of these keys."""

    def heads(self) -> FrozenHeads:
        """The heads as they were when the window was opened; opens it."""
        return self._opened().heads

    def items(self) -> Iterator[Item]:
        """The window's items, each once. All of GitHub's answers are there when this returns.

        Raises InputError for what a person has to mend, an EdgeError where the window could not be listed to its
        end; that is then why it is open. A closed window is what the store remembers: it may have been edited since.
        """
        reading = self._opened()
        if reading.state is ReadingState.CLOSED:
            return self._remembered.listed(self._window)
        self._fresh = None
        try:
            fresh = self._proven(reading)
        except AlignbotError as error:
            self._readings.save(reading.model_copy(update={"why": str(error)}))
            raise
        return self._told(reading, fresh)

    def reading(self) -> Reading:
        """How whole the window is. Asked once its items are saved: a window that is proven whole is closed by this."""
        if self._fresh is not None:
            fresh, keys = self._fresh
            if keys.issubset(self._remembered.keys(self._window)):
                self._readings.save(fresh)
                self._fresh = None
        return self._opened()

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """The kept items with their details, then what they belong to outside the window. Read when this is called."""
        listing = self._listing(self._opened())
        found = list(Details(listing, self._texts).of(kept))
        further = outside(found, self._remembered.keys(self._window))
        version = ",".join(str(item.updated_at) for item in found)
        found += (listed(node, listing.repo) for node in listing.numbered(further, version))
        return iter(found)

    def _opened(self) -> Reading:
        reading = self._readings.load(self._window)
        if reading is not None:
            self._belongs(reading)
            return reading
        now = self._clock.now()
        if self._window.end > now:
            raise InputError(f"{self._window} is not over yet (it is {rfc3339(now)}): give a window that has ended")
        frozen, opened_at = self._heads().frozen, self._forge().limiter.now()
        reading = Reading(
            window=self._window,
            upstream=self._upstream.repo,
            target=self._target.repo,
            heads=frozen,
            opened_at=opened_at,
            why=UNREAD,
        )
        self._readings.save(reading)
        return reading

    def _belongs(self, reading: Reading) -> None:
        """Raises InputError when the window was read from another repository than is configured now."""
        for place, repo in ((self._upstream, reading.upstream), (self._target, reading.target)):
            if repo and repo.lower() != place.repo.lower():
                raise InputError(other_repository(repo, place.repo, place.key))

    def _heads(self) -> Heads:
        if self._found is None:
            self._found = freeze(self._pages(), self._upstream, self._target, self._ready)
        return self._found

    def _ready(self) -> None:
        """May the window be begun, by GitHub's clock, which ours need not agree with, and its budget?"""
        limiter = self._forge().limiter
        ready_at = self._window.end + LAG
        if limiter.now() < ready_at:
            told = f"{self._window} is not long enough over by GitHub's clock: it can be read from {rfc3339(ready_at)}"
            raise LimitedError(told, ready_at)
        limiter.require("graphql", POINTS * max(1, -((self._window.start - self._window.end) // DAY)))

    def _proven(self, reading: Reading) -> Reading:
        """List everything, then ask after every number in between that was not listed."""
        newest, roll = self._heads().newest, self._roll(reading)
        roll.call()
        known = dict(roll.listing.outside)
        rounds = iter(range(ROUNDS))
        while True:
            while (asked := questions(self._window, roll.created, known, newest)) and next(rounds, None) is not None:
                known.update(fates(roll.listing, asked))
            missed = adopted(self._window, roll.created, known)
            if not missed:
                break
            noted = self._noted(ADOPTED)
            self._pages().note(ADOPTED, {**noted, **{number: noted.get(number, "") for number in missed}})
            roll = self._roll(reading)
            roll.call()
            # what went between the two answers is no item, and nothing is known of it
            known |= {number: Fate(kind=FateKind.UNKNOWN) for number in missed if number not in roll.created}
        settled = self._forge().limiter.now() - self._window.end >= SETTLED
        proof, now = prove(self._window, roll.created, known, newest, settled=settled), self._clock.now()
        return Reading(
            window=reading.window,
            upstream=reading.upstream,
            target=reading.target,
            heads=reading.heads,
            opened_at=reading.opened_at,
            state=ReadingState.CLOSED if proof.whole else ReadingState.OPEN,
            why=_why(proof),
            counts=roll.counts(),
            proof=proof,
            closed_at=now if proof.whole else None,
        )

    def _told(self, reading: Reading, fresh: Reading) -> Iterator[Item]:
        """The items, and with the last of them what has to be saved before the reading may be what was proven."""
        keys: set[str] = set()
        for item in self._roll(reading).items():
            keys.add(item.key)
            yield item
        self._readings.save(reading.model_copy(update={"why": UNSAVED}))
        self._fresh = fresh, frozenset(keys)

    def _roll(self, reading: Reading) -> Roll:
        return Roll(self._listing(reading), self._noted(ADOPTED), self._noted(CHANGED))

    def _noted(self, key: str) -> Changes:
        return {int(number): told for number, told in (self._pages().noted(key) or {}).items()}

    def _listing(self, reading: Reading) -> Listing:
        return Listing(self._pages(), self._forge().rest, self._heads().repo, self._window, str(reading.heads.upstream))

    def _pages(self) -> Pages:
        if self._kept_pages is None:
            self._kept_pages = Pages(self._forge().graphql, self._readings, self._window, self._clock)
        return self._kept_pages


def _why(proof: Proof) -> str:
    """Why a window stays open, empty where it doesn't."""
    if proof.whole:
        return ""
    if proof.unaccounted:
        count = proof.accounted.get("open", len(proof.unaccounted))
        named = ", ".join(f"#{number}" for number in proof.unaccounted[:5])
        told = f"{named}{' and others' if count > 5 else ''}"
        return f"{count} of its numbers can't be accounted for: GitHub denies {told}; they are asked again later"
    return "its numbers can't be bracketed: GitHub shows nothing from before or after it"
