"""prepare: a thread's Markdown with its HTML wrappers out of the way, line by line, in a size that takes no second.

Every line stays where it is, so that line numbers are those of the thread.
"""

import re
from collections.abc import Iterator

from bot.syntax import BOM

LONGEST = 1 << 20
LINES = 66_000
"""Characters and lines of one text that are read; a longer one is cut there. GitHub takes 65,536 characters."""
PROSE_LINES = 1_500
"""Lines outside fences that are read as Markdown: GitHub's own limit of 65,536 characters has room for few more."""
FENCED_LINES = 3_000
FENCES = 300
"""Beyond these limits the text is blank: Markdown is slow on hundreds of thousands of lines."""
LINE = 20_000
"""Characters of a line outside fences."""
FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<rest>.*)")
WRAPPER = re.compile(
    r"</?(?:details|summary|p|div|br|center|b|strong|em|i|sub|sup|h[1-6]|hr|blockquote|span|font)\b[^<>]*>", re.I
)
OPENS_CODE = re.compile(r"[ \t]*<(?:pre|code)\b", re.I)


def prepared(text: str) -> list[str]:
    """The lines of a text, without wrappers around code, cut down to what may be read in time."""
    whole = text[:LONGEST].removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
    return list(_within_limits(_unwrapped(whole.split("\n", LINES)[:LINES])))


def _unwrapped(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line, and whether it is `prose`, `opens` a fence, is `inside` one or `closes` it."""
    fence = ""
    html = ""
    for line in lines:
        if fence:
            marked = FENCE.match(line)
            closes = bool(marked and marked["mark"].startswith(fence) and not marked["rest"].strip())
            yield line, "closes" if closes else "inside"
            fence = "" if closes else fence
        elif html:
            closed = re.search(rf"</{html}>", line, re.I)
            yield (
                (re.sub(r"</code>", "</pre>", line, count=1, flags=re.I) if closed and html == "code" else line),
                "prose",
            )
            html = "" if closed else html
        else:
            marked = FENCE.match(line)
            fence = marked["mark"] if marked else ""
            plain = line if marked else _plain(line)
            opened = OPENS_CODE.match(plain)
            html = opened[0].strip(" \t<").lower() if opened else ""
            html = "" if html and re.search(rf"</{html}>", plain, re.I) else html
            yield (
                (re.sub(r"<code\b", "<pre", plain, count=1, flags=re.I) if html == "code" else plain),
                "opens" if marked else "prose",
            )


def _plain(line: str) -> str:
    """A line that is HTML alone, without its wrappers; code that begins in it begins the line."""
    if not line.lstrip(" \t>").startswith("<") or len(line) > LINE or "<!--" in line:
        return line
    plain = WRAPPER.sub("", line)
    code = re.search(r"<(?:pre|code)\b", plain, re.I)
    before = plain[: code.start()] if code else ""
    inline = code is not None and code[0].lower() == "<code" and before.strip(" \t>")
    return plain[code.start() :] if code and "</" not in before and not inline else plain


def _within_limits(lines: Iterator[tuple[str, str]]) -> Iterator[str]:
    prose = fenced = fences = 0
    for line, place in lines:
        fences += place == "opens"
        prose += place == "prose" and bool(line.strip())
        fenced += place == "inside" and bool(line.strip())
        over = {
            "prose": prose > PROSE_LINES or len(line) > LINE,
            "inside": fenced > FENCED_LINES or fences > FENCES,
        }
        yield "" if over.get(place, fences > FENCES) else line
