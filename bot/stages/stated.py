"""stated: the values that a thread says are right, and those that it shows to come out instead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.stages.value import GAP, value_at

LINES = 600
"""Lines of a context in which values are looked for."""
LINE = 1_500
VERB = r"(?:is|are|be|being|gives?|gave|give|returns?|returned|return|prints?|printed|print|yields?|yield|outputs?|output|produces?|produce|shows?|says?|reports?|equals?|equal|was|has|computes?|evaluates to|results? in|get|gets|see|sees|have|raises?|throws?|fails with|errors? with)"  # noqa: E501
RIGHT = r"(?:cpu|numpy|np|scipy|jax|tensorflow|float64|fp64|double(?: precision)?|eager|python|matlab|mpmath|the reference|reference|ground truth)"
WRONG = r"(?:gpu|cuda|mps|rocm|xpu|hip|the device|device|v100|a100|h100|t4|mi\d+\w*|pytorch|torch)"
NOUN = r"(?:ones?|values?|results?|outputs?|answers?|gradients?|grad|sum|mean|shape|dtype|behaviou?r|tensor)"
SURE = re.compile(
    rf"""(?:
    \bexpect(?:ed|s|ing)?\b(?:\ (?:{NOUN}|by\ \w+|to|the|it|that|this|both|all|here|a|of|on\ \w+|in\ \w+|from\ \w+|see|get|be|is|are|equal|have|print|give|return|i|rows?|lines?|each|every|as|both)\b){{0,8}}
    | \bshould(?:\ (?:all|both|always|have|still|rather|just|instead|also|of\ course|only|really)){{0,2}}\ (?:{VERB}|been|raise|throw|come\ out\ as|read|match|be\ equal\ to|be\ exactly|stay|become|fail\ with)\b(?:\ (?:exactly|all|about|a|an|the|with|value|equal\ to|close\ to|to)){{0,3}}
    | \bsupposed\ to\ {VERB}\b
    | \bmust\ {VERB}\b(?:\ exactly)?
    | \b(?:correct|right|true|exact|proper|analytic(?:al)?|mathematical)\ {NOUN}(?:\ (?:is|are|would\ be|here|should\ be|of\ \w+|for\ \w+)){{0,3}}
    | \bcorrect(?:ly)?(?=\s*:) | \b(?:want|wanted|desired)(?=\s*:)
    | \binstead\ of\b(?:\ the\ (?:{NOUN}|correct|expected|right)(?:\ {NOUN})?)? | \brather\ than\b
    | \b{RIGHT}(?:'s)?(?:\ (?:version|path|kernel|side|backend|reference|run|implementation|tensor|{NOUN})){{0,2}}\ (?:(?:correctly|properly|always|rightly|on\ the\ other\ hand)\ )?{VERB}\b(?:\ (?:the|correct|right|me|us|value|exactly|as|expected|all)){{0,3}}
    | \b(?:on|with|using|in|for)\ (?:the\ |a\ )?{RIGHT}\b(?:,?\ (?:it|this|one|we|i|you|that|the|same|{NOUN}|call|code|script|correctly|{VERB}|always|gets?))*
    )\ ?(?:value\ )?(?P<end>)""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
SEEN = re.compile(
    rf"""(?:
    \b(?:but|and|we|i|it|actually)?\ ?\b(?:got|gets?|observed|obtained)\b(?:\ (?:the|a|is|was))?
    | \bactual(?:ly)?\b(?:\ (?:{NOUN}|{VERB}|it)){{0,3}}
    | \b(?:on|with|using)\ (?:the\ |a\ |an\ )?{WRONG}\b(?:,?\ (?:it|this|one|we|i|you|the|same|{NOUN}|call|{VERB}))*
    | \b{WRONG}(?:'s)?(?:\ (?:version|path|kernel|side|backend|run|{NOUN})){{0,2}}\ (?:(?:silently|wrongly|however|always)\ )?{VERB}\b(?:\ (?:the|wrong|me))*
    | \b(?:wrong|incorrect|bad|buggy)(?:\ {NOUN})?\b
    | (?:^|\b(?:it|this|which|code|script|that|and|but|instead)\ )(?:it\ )?(?:silently\ |instead\ |wrongly\ |now\ )?(?:returns|gives|prints|yields|outputs|produces|shows)
    )\ ?(?P<end>)""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)  # fmt: skip
LINK = re.compile(rf"{GAP}(?:(?::|=+|->|=>|\u2192|to be|is|are|as|of|{VERB})?{GAP})[ \t]{{0,4}}(?:an? |the )?[`\"']{{0,3}}", re.IGNORECASE)
"""What may stand between a cue and its value."""
LOOSE = re.compile(rf"(?![^\n\d]{{0,40}}\b(?:than|least|most|up to|more|within|only|after|until)\b)[^\n\[(\d.,;:=#-]{{0,40}}{LINK.pattern}", re.IGNORECASE)
"""Behind `expected` a few words of any kind may stand."""
NOT_BEFORE = re.compile(r"(?:\bnot|n't|\bno|\bnever|\bun)[ -]?$", re.IGNORECASE)
MESSAGE = re.compile(r"(?:Error|Exception|Warning|error)\b[^\n]{0,200}?: ?")
VERSIONED = re.compile(r"\W*(?:cuda|torch|pytorch|rocm|hip|python|numpy|np|scipy|jax|tensorflow|matlab|device)\b", re.IGNORECASE)
"""Labels whose number may be a version."""
BEHIND = re.compile(rf"(?P<cpu>[*`\"')]{{0,3}},? (?:on|with|in|using) (?:the )?{RIGHT}\b)|(?P<sure>[*`\"')]{{0,3}},?(?: was| is| were)? ?(?:\(?(?:expected|correct|right)\b|<-+ ?(?:expected|correct)))|(?P<gpu>[*`\"')]{{0,3}},? (?:on|with|in|using) (?:the )?{WRONG}\b)|(?P<not>[*`\"')]{{0,3}},? (?:instead of|rather than)\b)", re.IGNORECASE)  # noqa: E501
SPEAKS = re.compile(rf"\b(?:{VERB}|get|got)\b{GAP}[ \t]{{0,3}}[:`\"']{{0,2}}[ \t]?", re.IGNORECASE)
LABEL = re.compile(
    rf"^\W*(?:(?P<sure>{RIGHT}|expected|correct|want|truth|ref|golden)|(?P<seen>{WRONG}|actual|got|observed|wrong))\b[^\n:=()\[\]]{{0,30}}[:=]+[ \t]*(?=[^\s=])",
    re.IGNORECASE | re.MULTILINE,
)

EXPECTED = re.compile(r"\bexpect|\bshould\b|\bcorrect\b", re.IGNORECASE)
EXPECTS = re.compile(rf"\bexpect|\bshould\b|\bcorrect\b|\b{RIGHT}\b", re.IGNORECASE)
NOT_SO = re.compile(r"\bun|\bnot\b|\bactual|\bincorrect|\bwrong|\bcompare|\bdiffer|n't\b|\binstead\b", re.IGNORECASE)
ON_DEVICE = re.compile(rf"\b{WRONG}\b(?!\.)", re.IGNORECASE)
SHOWS = re.compile(r"\bactual|\boutputs?\b|\bresults?\b|\bprint|\bgot\b|\bgives?\b|\bgets?\b|\berror|\bwrong\b|\blog\b|\bobserved", re.IGNORECASE)


class Stated(NamedTuple):
    """What a text says of values, each with its line."""

    expected: str | None = None
    observed: str | None = None
    source: str | None = None


def stated(texts: Iterable[str]) -> Stated:
    """The first right value that the texts state, and the first one that they show to come out."""
    sure = seen = None
    for text in texts:
        short = "\n".join(line[:LINE] for line in text.split("\n")[:LINES])
        sure = sure or next(_all(short, SURE, "sure"), None)
        seen = seen or next(_all(short, SEEN, "seen"), None)
    expected, source = sure or (None, None)
    observed, place = seen or (None, None)
    return Stated(expected, None if observed == expected else observed, source or place)


def _all(text: str, cues: re.Pattern[str], kind: str) -> Iterator[tuple[str, str]]:
    """Values of a kind with their lines: labelled ones, those behind a cue, and those before one."""
    for label in LABEL.finditer(text):
        value = value_at(text, label.end()) if label[kind] else None
        if value and not (VERSIONED.match(label[0]) and value[:1].isdigit()):
            yield value, _line(text, label.start("sure" if label["sure"] else "seen"))
    for cue in cues.finditer(text):
        link = LINK.match(text, cue.end())
        value = value_at(text, link.end()) if link else None
        if value is None and cue[0].lower().startswith("expect"):
            link = LOOSE.match(text, cue.end())
            value = value_at(text, link.end()) if link else None
        if value and not _before_a_not(text, cue.start()):
            yield value, _line(text, cue.start())
    wanted = ("cpu", "sure") if kind == "sure" else ("gpu", "not")
    for verb in SPEAKS.finditer(text):
        value = value_at(text, verb.end())
        behind = BEHIND.match(text, verb.end() + len(value)) if value else None
        if value and behind and any(behind[one] for one in wanted):
            yield value, _line(text, verb.start())


def _before_a_not(text: str, start: int) -> bool:
    """Is it said of what is not so: `not expected`; or by an error's message, `RuntimeError: Expected ...`?"""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return bool(NOT_BEFORE.search(before[-8:]) or MESSAGE.search(before))


def _line(text: str, position: int) -> str:
    """The whole line in which something stands."""
    start = text.rfind("\n", 0, position) + 1
    return text[start:].split("\n", 1)[0].strip()


def headed(prose: Sequence[str], content: str) -> Stated:
    """A block of output below a heading or a sentence that says what it is."""
    lines = [line.strip() for text in reversed(prose) for line in reversed(text.split("\n")) if line.strip()]
    value = content.strip()[:LINE]
    for head in lines[:2] if value else ():
        if len(head) > 200:
            break
        expects = EXPECTS.search(head)
        if expects and not NOT_SO.search(head) and (EXPECTED.search(head) or not ON_DEVICE.search(head)):
            return Stated(expected=value, source=head)
        if ON_DEVICE.search(head) or SHOWS.search(head):
            return Stated(observed=value, source=head)
    return Stated()
