"""Signals: a rule as a table of phrases and labels, and what each says where it is found."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.model import Claim, DefectKind, Item, ItemClass, Span
from bot.rules.phrases import Phrases, Text
from bot.rules.spans import Reading, reading

FIELDS = {"title": "title", "tags": "title", "verb": "title", "lead": "body", "code": "body", "labels": "labels"}
"""Part of an item -> its field, as spans call it."""
REMEMBERED = 256
"""Claims that a signal keeps: the same words come again and again."""


class Signal(NamedTuple):
    """Where a rule looks, for what, and what it says then."""

    part: str
    """`title`, `tags` (what the title begins with), `verb` (the first word after them), `lead`, `code` or `labels`."""
    sought: Phrases | frozenset[str]
    """Phrases in a text; words in lower case as verb or label."""
    weight: float
    why: str
    veto: bool = False
    unless: Phrases | None = None
    """Silent where the title has one of these."""
    only: Phrases | None = None
    """Silent where the title has none of these."""
    kind: DefectKind | None = None


class Signals:
    """The signals of a rule. All rules' are looked up together, once for an item: it costs what is there to be heard."""

    def __init__(self, item_class: ItemClass, *signals: Signal) -> None:
        for signal in signals:
            entry = _Entry(self, item_class, signal)
            for sought in (signal.sought,) if isinstance(signal.sought, Phrases) else signal.sought:
                _TABLES[signal.part].setdefault(sought, []).append(entry)

    def claims(self, item: Item) -> Sequence[Claim]:
        """What the rule says of an item."""
        global _last  # noqa: PLW0603
        last = _last
        if last[0] is not item:
            last = _last = item, _heard(reading(item))
        return last[1].get(self, ())


_last: tuple[Item | None, Mapping[Signals, Sequence[Claim]]] = None, {}
"""What was heard of the last item: the next rule asks of the same."""


class _Entry:
    """A signal, whose it is, and what it said before."""

    __slots__ = ("item_class", "made", "only", "owner", "signal", "unless")

    def __init__(self, owner: Signals, item_class: ItemClass, signal: Signal) -> None:
        self.owner, self.item_class, self.signal = owner, item_class, signal
        self.unless, self.only = signal.unless, signal.only
        self.made: dict[str, Claim] = {}

    def make(self, text: str) -> Claim:
        """The claim for the text that was found."""
        signal = self.signal
        if len(self.made) >= REMEMBERED:
            self.made.clear()
        self.made[text] = Claim(
            why=signal.why,
            item_class=self.item_class,
            weight=signal.weight,
            veto=signal.veto,
            defect_kind=signal.kind,
            span=Span(field=FIELDS[signal.part], text=text),
        )
        return self.made[text]


_TABLES: dict[str, dict[Any, list[_Entry]]] = {part: {} for part in FIELDS}
"""Part -> what is sought there -> whose signals it is: filled once, as the rules are imported."""


def _heard(read: Reading) -> dict[Signals, list[Claim]]:
    """Whatever speaks, by whose signal it is."""
    heard: dict[Signals, list[Claim]] = defaultdict(list)
    title = read.title
    for part, text in (("title", title), ("tags", read.tags), ("lead", read.lead), ("code", read.code)):
        table = _TABLES[part]
        for phrases in text.hits:
            if phrases in table and (found := text.found(phrases)):
                _speak(heard, table[phrases], title, found)
    if read.verb in _TABLES["verb"]:
        _speak(heard, _TABLES["verb"][read.verb], title, read.verb_as_written)
    if read.labels:
        spoken: set[_Entry] = set()
        for label in sorted(_TABLES["labels"].keys() & read.labels):
            fresh = [entry for entry in _TABLES["labels"][label] if entry not in spoken]
            spoken.update(fresh)
            _speak(heard, fresh, title, label)
    return heard


def _speak(heard: dict[Signals, list[Claim]], entries: Sequence[_Entry], title: Text, text: str) -> None:
    for entry in entries:
        if entry.unless is not None and title.found(entry.unless):
            continue
        if entry.only is not None and not title.found(entry.only):
            continue
        said = entry.made.get(text) or entry.make(text)
        heard[entry.owner].append(said)
