"""tables: values in a table whose columns or rows are named after what is right and what came out."""

import re
from collections.abc import Iterator, Sequence

from bot.stages.stated import Stated
from bot.stages.value import is_value
from bot.stages.wording import RIGHT, WRONG

ROWS = 60
"""Rows of a table that are looked at."""
CELLS = 12
SURE = re.compile(
    rf"\W*(?:expect\w*|correct|should be|truth|wanted|desired|golden|right|exact|true|{RIGHT})\b"
    r"(?: \(?[\w./+-]{0,20}\)?(?: [\w./+-]{1,20}\)?){0,2})?\W*",
    re.IGNORECASE,
)
SEEN = re.compile(
    r"\W*(?!device\b)"
    rf"(?:actual\w*|got|observed|wrong|returned|printed|measured|we see|result|output|{WRONG})\b(?::\d)?"
    r"(?: \(?[\w./:+-]{0,20}\)?(?: [\w./:+-]{1,20}\)?){0,2})?\W*",
    re.IGNORECASE,
)
FIGURES = re.compile(
    r"\b(?:ms|us|\u00b5s|ns|sec\w*|times?|timings?|speed\w*|latency|throughput|[gt]b/s|memory|gb|mb|t?flops|duration|bandwidth|runtime|diff\w*|errors?|ulps?|iters?|it/s|versions?)\b",
    re.IGNORECASE,
)
"""Words of a table that measures."""
RULE = re.compile(r"[\s|:+=-]+")


def tabled(text: str) -> Stated:
    """The first pair of differing values that a table of the text names as right and as come out."""
    for rows, above in _tables(text):
        cells = [_cells(row) for row in rows]
        if len(cells) > 1 and not FIGURES.search(" ".join((above, *cells[0]))):
            said = _by_column(rows, cells) or _by_row(rows, cells)
            if said:
                return said
    return Stated()


def _tables(text: str) -> Iterator[tuple[list[str], str]]:
    """Runs of lines with bars, without their rules, each with the line above."""
    run: list[str] = []
    above = last = ""
    for line in (*text.split("\n"), "", "."):
        if "|" in line and len(line) < 1_000:
            above = above if run else last
            run += [line.strip()] if not RULE.fullmatch(line) and len(run) < ROWS else []
        elif line.strip():
            if len(run) > 1:
                yield run, above
            run, last = [], line
    if len(run) > 1:
        yield run, above


def _cells(row: str) -> list[str]:
    return [cell.strip(" \t`*") for cell in row.strip().strip("|").split("|")[:CELLS]]


def _by_column(rows: Sequence[str], cells: Sequence[Sequence[str]]) -> Stated | None:
    sure = next((place for place, head in enumerate(cells[0]) if SURE.fullmatch(head)), None)
    seen = next((place for place, head in enumerate(cells[0]) if place != sure and SEEN.fullmatch(head)), None)
    if sure is None or seen is None:
        return None
    for row, line in zip(cells[1:], rows[1:], strict=True):
        if max(sure, seen) < len(row) and (said := _pair(row[sure], row[seen], line)):
            return said
    return None


def _by_row(rows: Sequence[str], cells: Sequence[Sequence[str]]) -> Stated | None:
    sure = next((place for place, row in enumerate(cells) if SURE.fullmatch(row[0])), None)
    others = (*range(1, len(cells)), 0)
    seen = next((place for place in others if place != sure and SEEN.fullmatch(cells[place][0])), None)
    if sure is None or seen is None:
        return None
    pairs = zip(cells[sure][1:], cells[seen][1:], strict=False)
    return next((said for good, bad in pairs if (said := _pair(good, bad, rows[sure]))), None)


def _pair(good: str, bad: str, line: str) -> Stated | None:
    return Stated(good, bad, line) if good != bad and is_value(good) and bad else None
