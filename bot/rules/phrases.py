"""Phrases: what reporters say, in a form that is looked up instead of searched for.

A text is cut into words once. Each word knows which phrases it may belong to, so that a text costs its length and not
its length times the number of patterns, and no pattern can be catastrophic: there is nothing to backtrack into.

A phrase is words in lower case, `_` counting as a letter and any other sign as a space: `out of bounds` is also
`out-of-bounds`, `torch compile` also `torch.compile`. `overflow*` is any word that begins so, `a|b` is either word,
`..3` stands for at most three words between.
"""

import re
from collections.abc import Callable
from itertools import filterfalse
from typing import Any

WORD = re.compile(r"[A-Za-z0-9_]+")
SPACED = bytes(code if (chr(code).isalnum() and code < 128) or chr(code) == "_" else ord(" ") for code in range(256))
"""Every byte that is of no word becomes a space: many times as fast as a pattern."""
GAP = re.compile(r"\.\.(\d)")
LONGEST_WORD = 40
"""Letters of a word; anything longer is no word that a phrase could name."""


class Phrases:
    """A group of phrases that mean the same to a rule."""

    def __init__(self, *phrases: str) -> None:
        self.number = next(_GROUPS)
        self.patterns = [_pattern(phrase) if " " in phrase else None for phrase in phrases]
        """None where the word that it is looked up by is all of it."""
        self.needs = [_needs(phrase) for phrase in phrases]
        for place, phrase in enumerate(phrases):
            for word in _trigger(phrase).split("|"):
                table = _BEGINNING if word.endswith("*") else _EXACT
                table.setdefault(word.rstrip("*"), []).append((self, place))
        _forget()


class Lexicon:
    """Words that mean something by themselves, each by what `look` says of it: looked up with the phrases, in one go."""

    def __init__(self, look: Callable[[str], object]) -> None:
        self.look = look
        _LEXICONS.append(self)
        _forget()


Hits = dict[Any, tuple[tuple[Any, str], ...]]
"""Group -> the phrases of it that may be in a text, or lexicon -> meanings; each with the word that was looked up."""


class Text:
    """A text cut into words."""

    __slots__ = ("_found", "hits", "line", "source", "words")

    def __init__(self, source: str) -> None:
        self.source = source
        self.words = source.encode("ascii", "replace").translate(SPACED).decode("ascii").split()
        self._found: dict[Phrases, str | None] = {}
        self.hits: Hits = {}
        hits = self.hits
        for word in set(filterfalse(_NO_PHRASE.__contains__, self.words)):
            for group, hit in _KNOWN.get(word) or _belongs(word):
                hits[group] = hits[group] + hit if group in hits else hit
        self.line = f" {' '.join(self.words)} ".lower() if hits else ""
        """The words in lower case with one space before and after each, where a phrase may be in it."""

    def found(self, group: Phrases) -> str | None:
        """The words as the text has them, of the first phrase of the group that is in it."""
        known = self._found
        if group in known:
            return known[group]
        hits = self.hits.get(group)
        if hits is None:
            return None
        known[group] = None
        for place, word in sorted(hits) if len(hits) > 1 else hits:
            pattern = group.patterns[place]
            if pattern is None:
                known[group] = word
                break
            if _may_be_in(self.line, group.needs[place]) and (match := pattern.search(self.line)):
                known[group] = self._original(match.start(), match.end())
                break
        return known[group]

    def _original(self, start: int, end: int) -> str:
        """The source's own characters for a piece of the line, where they stand together as people write them."""
        first = self.line.count(" ", 0, start + 1) - 1
        words = self.words[first : first + self.line.count(" ", start, end)]
        for joint in JOINTS:
            whole = joint.join(words)
            if whole in self.source:
                return whole
        return " ".join(words)


JOINTS = (" ", "-", ".", ": ", ", ", " `", "` ", "::", " (")
_LEXICONS: list[Lexicon] = []
_EXACT: dict[str, list[tuple[Phrases, int]]] = {}
_BEGINNING: dict[str, list[tuple[Phrases, int]]] = {}
"""Word or beginning -> group, and the place of the phrase in it: filled once, as the rules are imported."""
_KNOWN: dict[str, tuple[tuple[object, Any], ...]] = {}
"""What was found out of words that texts have; nothing depends on what is in it."""
_NO_PHRASE: set[str] = set()
"""Words that are of no phrase and mean nothing by themselves."""
_KNOWN_MOST = 1 << 16
_GROUPS = iter(range(1 << 30))


def _belongs(word: str) -> tuple[tuple[object, Any], ...]:
    """Which phrases a word may be of, and what it means by itself."""
    low = word.lower()
    found: list[tuple[object, Any]] = [(one, meant) for one in _LEXICONS if (meant := one.look(word))]
    found += _EXACT.get(low, ())
    for length in range(2, min(len(low), LONGEST_WORD) + 1):
        found += _BEGINNING.get(low[:length], ())
    if len(_KNOWN) + len(_NO_PHRASE) >= _KNOWN_MOST:
        _forget()
    if not found:
        _NO_PHRASE.add(word)
        return ()
    _KNOWN[word] = tuple((group, ((meant, word),)) for group, meant in found)
    return _KNOWN[word]


def _forget() -> None:
    _KNOWN.clear()
    _NO_PHRASE.clear()


def _trigger(phrase: str) -> str:
    """The word of a phrase by which it is looked up: the longest, as the one that is seldom met."""
    return max(
        (word for word in phrase.split() if not GAP.match(word)), key=lambda word: min(map(len, word.split("|")))
    )


def _needs(phrase: str) -> tuple[tuple[str, ...], ...]:
    """What a line has wherever the phrase matches, one of each group: words with the spaces around, but the trigger."""
    trigger = _trigger(phrase)
    needs: list[tuple[str, ...]] = []
    run = " "
    for word in phrase.split():
        if "|" in word or GAP.fullmatch(word):
            needs.append((run,))
            run = " "
            if "|" in word and word != trigger:
                needs.append(tuple(f" {one}".rstrip("*") for one in word.split("|")))
        elif word.endswith("*"):
            needs.append((run + word.rstrip("*"),))
            run = " "
        else:
            run += f"{word} "
    needs.append((run,))
    return tuple(one for one in needs if one[0].strip() not in ("", trigger.rstrip("*")))


def _may_be_in(line: str, needs: tuple[tuple[str, ...], ...]) -> bool:
    """False spares the search of a pattern, which takes many times as long."""
    for group in needs:
        for one in group:
            if one in line:
                break
        else:
            return False
    return True


def _pattern(phrase: str) -> re.Pattern[str]:
    """The pattern of a phrase on a line of single spaces: every step is bounded, nothing nests."""
    parts = []
    for word in phrase.split():
        gap = GAP.fullmatch(word)
        if gap:
            parts.append(f"(?: [a-z0-9_]+){{0,{gap[1]}}}?")
            continue
        one = "|".join(
            re.escape(each.rstrip("*")) + (r"[a-z0-9_]*" if each.endswith("*") else "") for each in word.split("|")
        )
        parts.append(f" (?:{one})" if "|" in word else f" {one}")
    return re.compile("".join(parts) + "(?= )")


EMPTY = Text("")
