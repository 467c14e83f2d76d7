"""The independent count: no item of a window was missed, shown by its numbers and not by the listing.

`questions` names the numbers to look up, again and again with the answers so far, until it names none. Then `adopted`
are the items that the listing missed, and `prove` says what became of every number that the window spans. Nothing is
kept between the calls: whatever else is known (items of the window before, answers of the day before) may be handed
in as `fates` and saves questions.

What this can't see: an item that the listing missed *and* that was transferred in long after the window. It has the
number of the day on which it came, and no lookup near the window leads there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import chain, islice, pairwise

from bot.model import Fate, FateKind, Item, ItemKind, Proof, Window
from bot.model.reading import NAMED
from bot.windows.sequence import GUARD, ITEMS, STRIDE, Survey


def listing(items: Iterable[Item]) -> dict[int, Fate]:
    """The issues and pull requests among items, as `listed` is wanted below; commits have no number."""
    kinds = {ItemKind.ISSUE: FateKind.ISSUE, ItemKind.PULL: FateKind.PULL}
    return {
        item.number: Fate(kind=kinds[item.kind], created_at=item.created_at)
        for item in items
        if isinstance(item.number, int)
    }


def questions(
    window: Window,
    listed: Mapping[int, Fate],
    fates: Mapping[int, Fate],
    newest: int | None,
    near: int | None = None,
) -> tuple[int, ...]:
    """The numbers to look up next, in order; none when no answer could add anything.

    `newest` is the repository's newest number, read after the window's end; without it, a window in which nothing is
    listed can be proven only from `near`, a number created shortly before or after it. A number that can't be looked
    up is to be answered `unknown`: it isn't asked again, and stays open.
    """
    survey = _survey(window, listed, fates, newest)
    if newest is None and not survey.dated:
        return () if near is None or near in survey.known else (near,)
    asked: list[int] = []
    for low, high in pairwise(survey.edges):
        run = survey.longest(low, high)
        if len(run) > STRIDE:
            return (*asked, _probe(run, low, high, near))
        asked += survey.unanswered(low, high)
    # the more the listing is found to have missed, and the longer the walk, the longer the steps
    found = len(adopted(window, listed, fates))
    steps = (walk.unanswered[: min(STRIDE, GUARD + found + walk.answered)] for walk in (survey.down, survey.up))
    return tuple(sorted({*asked, *chain.from_iterable(steps)}))


def adopted(window: Window, listed: Mapping[int, Fate], fates: Mapping[int, Fate]) -> tuple[int, ...]:
    """Issues and pull requests of the window that only the lookups found: they have to be fetched."""
    return tuple(sorted(number for number, fate in fates.items() if number not in listed and _belongs(fate, window)))


def prove(
    window: Window, listed: Mapping[int, Fate], fates: Mapping[int, Fate], newest: int | None, *, settled: bool
) -> Proof:
    """What became of every number that the window spans.

    A number that GitHub hides is accounted for only when `settled`: long enough after the window's end, it is no item
    that has yet to appear. Asked at any time, with questions left or not; only the end of them can be whole.
    """
    survey = _survey(window, listed, fates, newest)
    down, up = survey.down, survey.up
    low, high = down.to, up.to
    before, after = down.nearest if down.settled else None, up.nearest if up.settled else None
    looked_at = {n: _account(survey.known[n], window, settled=settled) for n in survey.answered if low <= n <= high}
    unproven = [number for number, account in looked_at.items() if account == "open"]
    span = range(low if before is None else before + 1, high + 1 if after is None else after)
    accounted = Counter(account for number, account in looked_at.items() if number in span and account != "open")
    accounted["open"] = len(unproven) + len(down.unanswered) + len(up.unanswered)
    accounted["open"] += sum(survey.missing(*pair) for pair in pairwise(survey.edges))
    accounted["arrived"] = sum(n not in span and _belongs(fate, window) for n, fate in survey.dated.items())
    return Proof(
        first=survey.inside[0] if survey.inside else None,
        last=survey.inside[-1] if survey.inside else None,
        accounted={account: count for account, count in sorted(accounted.items()) if count},
        unaccounted=tuple(islice(merge(unproven, _unanswered(survey)), NAMED)),
        before=before,
        after=after,
        at_newest=newest is not None and up.settled and up.to >= survey.ceiling,
    )


def _survey(window: Window, listed: Mapping[int, Fate], fates: Mapping[int, Fate], newest: int | None) -> Survey:
    return Survey(window, {**fates, **listed}, newest)


def _unanswered(survey: Survey) -> Iterator[int]:
    """Unanswered numbers from the end of the walk down to the end of the walk up, in order."""
    between = chain.from_iterable(survey.unanswered(*pair) for pair in pairwise(survey.edges))
    return chain(reversed(survey.down.unanswered), between, survey.up.unanswered)


def _probe(run: range, low: int, high: int, near: int | None) -> int:
    """The number of a long run that tells most: one that is said to be near, then a stride from it, else the middle."""
    middle = len(run) // 2
    if near is not None and near in run:
        return near
    if near == low:
        return run[min(middle, STRIDE)]
    return run[max(middle, len(run) - 1 - STRIDE)] if near == high else run[middle]


def _belongs(fate: Fate, window: Window) -> bool:
    return fate.kind in ITEMS and fate.created_at is not None and fate.created_at in window


def _account(fate: Fate, window: Window, *, settled: bool) -> str:
    """Under which word of `Proof.accounted` a number counts."""
    if fate.kind in ITEMS and fate.created_at is not None:
        return fate.kind.value if fate.created_at in window else "elsewhere"
    if fate.kind in ITEMS or fate.kind is FateKind.UNKNOWN or (fate.kind is FateKind.HIDDEN and not settled):
        return "open"
    return fate.kind.value
