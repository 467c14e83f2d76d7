"""headfile: when a test file has to be read as it is at a change's head, and what of it is worth keeping."""

from collections.abc import Iterator

from bot.model import ChangedFile, Item
from bot.stages.decorators import NoTestError
from bot.stages.hosts import runs
from bot.stages.parts import Parts, parts_of
from bot.stages.patch import hunks, plain
from bot.stages.testcase import LARGEST_TEXT, MOST, NeedsFileError, added, fits, outcomes, sorted_out
from bot.stages.testfile import Test, TestFile, header, lines_of, read, touched

MAKERS = ("instantiate_device_type_tests", "instantiate_parametrized_tests")


def wanted(item: Item) -> list[str]:
    """Paths of the files whose text at the change's head is needed to tell."""
    return [changed.path for changed, answer in outcomes(item) if isinstance(answer, NeedsFileError)]


def kept(changed: ChangedFile, text: str) -> str:
    """The file's text with only those lines that its changed tests need, at their places; the others are blank.

    The same script comes of it as of the whole. Empty where it is not the file that the patch made.
    """
    known = hunks(changed.patch or "")
    file = read(plain(text), whole=True) if len(text) <= LARGEST_TEXT else None
    if file is None or not fits(file, known):
        return ""
    tests = touched(file, added(known))[: MOST + 1]
    needed = {*_of_touched(tests, file), *_of_classes(tests, file)}
    try:
        good, _ = sorted_out(tests, file)
        needed.update(_of_parts(parts_of(good, file), file))
    except (NoTestError, RecursionError):
        pass  # the tests alone say why
    return "\n".join(line if number in needed else "" for number, line in enumerate(file.lines, 1)).rstrip() + "\n"


def _of_touched(tests: list[Test], file: TestFile) -> Iterator[int]:
    """Lines of the tests, of all imports and of what is set for the whole file."""
    for node in (*(test.node for test in tests), *file.imports(), *file.settings()):
        yield from lines_of(node)


def _of_classes(tests: list[Test], file: TestFile) -> Iterator[int]:
    """Lines that say what the tests' classes are, and for which devices their tests are made."""
    near = {name for test in tests for host in (test.home, *runs(test, file)) for name in file.bases(host)}
    for name in near:
        yield from header(file.classes[name])
        for call in (call for maker in MAKERS for call in file.calls(maker, name)):
            yield from range(call.lineno, (call.end_lineno or call.lineno) + 1)


def _of_parts(parts: Parts, file: TestFile) -> Iterator[int]:
    """Lines of all that the tests use."""
    for node in parts.statements.values():
        yield from lines_of(node)
    for name, members in parts.members.items():
        yield from header(file.classes[name])
        for node in members.values():
            yield from lines_of(node)
