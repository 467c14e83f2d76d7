"""testcase: the tests that a change brings, each file's as one script that fails where the fix is missing.

A patch is enough where it shows all that a test uses. Where it does not, the file at the change's head is needed:
`wanted` says so to whoever reads from GitHub, `kept` what of it is worth keeping.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from bot.model import ChangedFile, Item, Oracle, OracleKind, Origin, Reproducer
from bot.stages.decorators import NoTestError
from bot.stages.fragment import shown
from bot.stages.hosts import check
from bot.stages.parts import Parts, parts_of
from bot.stages.patch import Hunk, hunks, plain
from bot.stages.testfile import Test, TestFile, read, touched
from bot.stages.testmodule import script

SCORE = 0.4
"""Below a script that somebody wrote to show the fault, above code in another language."""
FILES = 8
"""Test files of one change that are looked at, and at most so many are fetched."""
TESTS = 12
"""Tests of one file that become one script."""
MOST = 100
"""Tests of one file that a fix may touch."""
LARGEST_PATCH = 100_000
LARGEST_TEXT = 1_000_000
"""Characters. GitHub gives no larger file in this way."""
ELSEWHERE = (
    ("compiled code, not of a kernel", re.compile(r"test/(?:inductor|dynamo|export|fx|jit|higher_order_ops|aot\w*)/")),
    ("several processes", re.compile(r"test/distributed/")),
    ("another device", re.compile(r"test/(?:xpu/|test_(?:xpu|mps|mkldnn|metal|vulkan)\w*\.py)")),
    ("exporting and tools", re.compile(r"test/(?:onnx|package|mobile|lazy|scripts)/")),
)
CPP = re.compile(r"(?:test/cpp/|aten/src/ATen/test/|c10/test/).*\.(?:cpp|cc|cu)")
PYTHON = re.compile(r"test/(?:[^/]+/)*[^/]+\.py")

ASSERTS = re.compile(r"(?:with )?(?:self|torch\.testing|testing)?\.?assert|\w*[gG]radcheck\(")

CLASS = re.compile(r"class |\s+(?:async )?def test")


class NeedsFileError(Exception):
    """The patch alone does not do; the message says what is not in it."""


def from_tests(item: Item) -> tuple[list[Reproducer], list[str]]:
    """A script for each test file that has a test for it, and why the other tests were passed over."""
    found: list[Reproducer] = []
    passed: list[str] = []
    for changed, answer in outcomes(item):
        if isinstance(answer, Reproducer):
            found.append(answer)
        elif answer is not None:
            needs = "; that needs the file at the change's head" if isinstance(answer, NeedsFileError) else ""
            passed.append(f"file {changed.path}, line {_first_new_line(changed)}: {answer}{needs}")
    return found, passed


def outcomes(item: Item) -> Iterator[tuple[ChangedFile, Reproducer | Exception | None]]:
    """What comes of each test file; None where nothing in it is new."""
    patches = texts = 0
    tests = (one for one in item.files if PYTHON.fullmatch(one.path) or CPP.fullmatch(one.path))
    for place, changed in enumerate(one for one in tests if one.additions or one.patch):
        patches, texts = patches + len(changed.patch or ""), texts + len(changed.text or "")
        try:
            _is_small(place, patches, texts)
            yield changed, built(item, changed)
        except (NoTestError, NeedsFileError) as error:
            yield changed, error
        except RecursionError:
            yield changed, NoTestError("it is nested too deeply")


def _is_small(place: int, patches: int, texts: int) -> None:
    if place >= FILES or patches > LARGEST_PATCH or texts > LARGEST_TEXT:
        raise NoTestError("the change of its tests is too large for a fix")


def built(item: Item, changed: ChangedFile) -> Reproducer | None:
    """The script, none where nothing is new. Raises NoTestError or NeedsFileError."""
    _worth_reading(changed)
    known = hunks(changed.patch or "")
    if not added(known):
        return None
    if not any(map(_may_be_in_a_test, known)):
        raise NoTestError("no test method is new or changed")
    file, unseen = _file(changed, known)
    tests = touched(file, added(known))
    if len(tests) > MOST:
        raise NoTestError(f"{len(tests)} of its tests are new or changed: that is no fix's test")
    good, why = sorted_out(tests, file)
    if unseen and not any(test.new for test in good):
        raise NeedsFileError("what is new is inside of something that the patch shows in part")
    if not good:
        raise NoTestError(next(iter(why), "no test method is new or changed"))
    chosen = _first(good, item.title)
    parts = parts_of(chosen, file)
    _nothing_missing(parts, file)
    return _reproducer(item, changed, chosen, good, parts, file)


def _worth_reading(changed: ChangedFile) -> None:
    if CPP.fullmatch(changed.path):
        raise NoTestError("it is a test in C++")
    for what, pattern in ELSEWHERE:
        if pattern.match(changed.path):
            raise NoTestError(f"it is a test of {what}")
    if changed.patch is None:
        raise NoTestError("GitHub shows no patch of it")


def _file(changed: ChangedFile, known: Sequence[Hunk]) -> tuple[TestFile, Collection[int]]:
    """The best that is known of the file, and the new lines that are not in it."""
    if changed.text is not None and len(changed.text) <= LARGEST_TEXT:
        file = read(plain(changed.text), whole=True)
        if file is not None and fits(file, known):
            return file, ()
    text, unseen = shown(known)
    new = any(hunk.new_file for hunk in known)
    file = read(text, whole=new)
    if file is None and new:
        raise NoTestError("it is no Python, or nested too deeply")
    if file is None:
        raise NeedsFileError("what the patch shows of it does not stand alone")
    return file, unseen


def fits(file: TestFile, known: Sequence[Hunk]) -> bool:
    """Is it the file that the patch made? Lines that are not known are blank."""
    for hunk in known:
        for number, line in enumerate(hunk.lines, hunk.start):
            here = file.lines[number - 1] if number <= len(file.lines) else ""
            if here.strip() and here.rstrip() != line.rstrip():
                return False
    return any(file.lines)


def sorted_out(tests: Sequence[Test], file: TestFile) -> tuple[list[Test], list[str]]:
    """The tests that show something on the source device, new ones alone where there are any; why the others do not."""
    good: list[Test] = []
    why: list[str] = []
    for test in tests:
        try:
            check(test, file)
            good.append(test)
        except NoTestError as error:
            why.append(f"{test.name}: {error}")
    return [test for test in good if test.new] or good, why


def _first(tests: Sequence[Test], title: str) -> list[Test]:
    """So many as make one script; those first whose name the title speaks of."""
    words = {word for word in re.findall(r"[a-z]\w{3,}", title.lower()) if word not in ("test", "cuda", "with", "from")}
    named = [any(word in test.name.lower() for word in words) for test in tests]
    ranked = sorted(range(len(tests)), key=lambda place: (not named[place], place))[:TESTS]
    return [tests[place] for place in sorted(ranked)]


def _nothing_missing(parts: Parts, file: TestFile) -> None:
    """Raises what fits where names come from nowhere."""
    stars = any(alias.name == "*" for node in file.imports() for alias in node.names)
    if parts.missing and not (file.whole and stars):
        told = ", ".join(sorted(parts.missing)[:3])
        raise (NoTestError if file.whole else NeedsFileError)(f"{told} is defined elsewhere")


def _reproducer(
    item: Item, changed: ChangedFile, chosen: Sequence[Test], good: Sequence[Test], parts: Parts, file: TestFile
) -> Reproducer:
    names = ", ".join(test.name for test in chosen)
    about = f"{names} of {changed.path}, {item.key}"
    code = script(chosen, parts, file, about)
    changes = [f"a script made of {about}: it fails where that fix is missing", *dict.fromkeys(parts.changes)]
    changes += [] if file.whole else ["made of the patch alone: what else the class sets up is not known"]
    changes += [f"{len(good) - len(chosen)} further tests left out"] if len(good) > len(chosen) else []
    return Reproducer(
        code=code,
        origin=Origin(where=f"file {changed.path}", index=0, item=item.key),
        language="python",
        score=SCORE,
        oracle=Oracle(kind=OracleKind.ASSERTION, source=_assertion(code)),
        changes=tuple(changes),
    )


def _assertion(code: str) -> str:
    """The first line that asserts something; a test without one has to end well."""
    lines = (line.strip() for line in code.split("\n"))
    return next((line for line in lines if ASSERTS.match(line)), "the test has to end without an error")


def added(known: Sequence[Hunk]) -> frozenset[int]:
    """Numbers of all new lines."""
    return frozenset().union(*(hunk.added for hunk in known))


def _may_be_in_a_test(hunk: Hunk) -> bool:
    """Has it new lines, and is it in a class or shows one, or a method of one?"""
    within = hunk.heading.startswith("class ") or any(CLASS.match(line) for line in hunk.lines)
    return bool(hunk.added) and within


def _first_new_line(changed: ChangedFile) -> int:
    return min(added(hunks((changed.patch or "")[:LARGEST_PATCH])), default=1)
