"""A window of GitHub as a Source: its heads frozen first, then all of it listed, then proven whole by its numbers."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from bot.edges.github.connect import Forge
from bot.edges.github.detail import Details, outside
from bot.edges.github.fates import fates
from bot.edges.github.heads import Place, freeze
from bot.edges.github.listing import Listing
from bot.edges.github.nodes import listed
from bot.edges.github.pages import Pages
from bot.edges.github.roll import Roll
from bot.errors import EdgeError, InputError
from bot.model import FrozenHeads, Item, Proof, Reading, ReadingState, Window, rfc3339
from bot.seams import Clock, Readings, Remembered
from bot.windows.proof import adopted, prove, questions

SETTLED = timedelta(days=1)
"""A number that GitHub still denies this long after the window is hidden for good, e.g. with its author."""
POINTS = 30
"""Points that a day's listing with its details may take; a window isn't begun with fewer left."""
ADOPTED = "adopted"
"""Key of the page that holds the numbers which the listing missed and the proof found."""
UNREAD = "it has not been read to its end"


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
    ) -> None:
        self._window = window
        self._upstream, self._target = places
        self._forge = forge
        self._readings = readings
        self._remembered = remembered
        self._clock = clock
        self._fresh: Reading | None = None

    def heads(self) -> FrozenHeads:
        """The heads as they were when the window was opened; opens it."""
        return self._opened().heads

    def items(self) -> Iterator[Item]:
        """The window's items, each once. All of GitHub's answers are there when this returns.

        Raises InputError for what a person has to mend, another EdgeError where the window could not be listed to its
        end; that is then why it is open. A closed window is what the store remembers: it may have been edited since.
        """
        reading = self._opened()
        if reading.state is ReadingState.CLOSED:
            return self._remembered.listed(self._window)
        try:
            self._fresh = self._proven(reading)
        except EdgeError as error:
            self._readings.save(reading.model_copy(update={"why": str(error)}))
            raise
        return self._roll(reading).items()

    def reading(self) -> Reading:
        """How whole the window is. Asked once its items are saved: a window that is proven whole is closed by this."""
        if self._fresh is not None:
            self._readings.save(self._fresh)
            self._fresh = None
        return self._opened()

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """The kept items with their details, then what they belong to outside the window. Read when this is called."""
        listing = self._listing(self._opened())
        found = list(Details(listing).of(kept))
        further = outside(found, self._remembered.keys(self._window))
        found += (listed(node, self._upstream.repo) for node in listing.numbered(further))
        return iter(found)

    def _opened(self) -> Reading:
        reading = self._readings.load(self._window)
        if reading is not None:
            return reading
        now = self._clock.now()
        if self._window.end > now:
            raise InputError(f"{self._window} is not over yet (it is {rfc3339(now)}): give a window that has ended")
        heads = freeze(self._pages(), self._upstream, self._target)
        self._forge().limiter.require("graphql", POINTS)  # the answer just told what is left
        reading = Reading(window=self._window, heads=heads.frozen, opened_at=now, why=UNREAD)
        self._readings.save(reading)
        return reading

    def _proven(self, reading: Reading) -> Reading:
        """List everything, then ask after every number in between that was not listed."""
        roll = self._roll(reading)
        roll.call()
        newest = freeze(self._pages(), self._upstream, self._target).newest
        known = dict(roll.listing.outside)
        while asked := questions(self._window, roll.created, known, newest):
            known.update(fates(roll.listing, asked))
        missed = adopted(self._window, roll.created, known)
        if missed:
            numbers = sorted({*self._adopted(), *missed})
            self._readings.keep_page(self._window, ADOPTED, json.dumps(numbers).encode(), self._clock.now())
            roll = self._roll(reading)
            roll.call()
        settled = self._clock.now() - self._window.end >= SETTLED
        proof = prove(self._window, roll.created, known, newest, settled=settled)
        state = ReadingState.CLOSED if proof.whole else ReadingState.OPEN
        return Reading(
            window=reading.window,
            heads=reading.heads,
            opened_at=reading.opened_at,
            state=state,
            why=_why(proof),
            counts=roll.counts(),
            proof=proof,
            closed_at=self._clock.now() if proof.whole else None,
        )

    def _roll(self, reading: Reading) -> Roll:
        return Roll(self._listing(reading), self._adopted())

    def _adopted(self) -> list[int]:
        page = self._readings.page(self._window, ADOPTED)
        return list(json.loads(page)) if page else []

    def _listing(self, reading: Reading) -> Listing:
        head = str(reading.heads.upstream)
        return Listing(self._pages(), self._forge().rest, self._upstream.repo, self._window, head)

    def _pages(self) -> Pages:
        return Pages(self._forge().graphql, self._readings, self._window, self._clock)


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
