"""Documentation, continuous integration and builds are not kernels."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import all_files, among_labels, in_title, words

LABELS = ("module: docs", "module: ci", "module: build", "topic: docs", "module: docker", "module: binaries")
TAGS = re.compile(r"^\s*\[(?:docs?|doc fix|CI|BE|build|docker|windows build|cmake|release)\b[^]]*\]", re.IGNORECASE)
TITLE = words(
    r"docs?", r"documentation", r"docstrings?", r"typos?", r"tutorials?", r"README", r"Docker\w*", r"CI images?",
    r"workflows?", r"CMake\w*", r"Dockerfile", r"compil(?:er|ation) (?:error|warning)s?", r"lint\w*", r"wheels?",
    r"build (?:failure|error|script)s?", r"document that",
)  # fmt: skip
PATHS = re.compile(
    r"docs/|\.github/|\.ci/|\.circleci/|cmake/|tools/|scripts/|[^/]*\.md$|CMakeLists\.txt|setup\.py|\.lintrunner"
)


def rule(item: Item) -> Iterable[Claim]:
    """Veto by changed paths and by title tag; labels and words in the title speak for it."""
    touched = all_files(item, PATHS)
    if touched:
        yield _claim("only documentation or build files are changed", touched, veto=True)
    tag = in_title(item, TAGS)
    if tag:
        yield _claim("the title carries its tag", tag, veto=True)
    for why, span, weight in (
        ("a label says so", among_labels(item, LABELS), 3.0),
        ("the title speaks of it", in_title(item, TITLE), 2.5),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.DOCS_CI_BUILD, weight=weight, span=span)


def _claim(why: str, span: object, *, veto: bool) -> Claim:
    return Claim.model_validate(
        {"why": why, "item_class": ItemClass.DOCS_CI_BUILD, "veto": veto, "weight": 4, "span": span}
    )
