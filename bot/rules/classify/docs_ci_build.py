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
    for why, span, weight, veto in (
        ("only documentation or build files are changed", all_files(item, PATHS), 4.0, True),
        ("the title carries its tag", in_title(item, TAGS), 4.0, True),
        ("a label says so", among_labels(item, LABELS), 3.0, False),
        ("the title speaks of it", in_title(item, TITLE), 2.5, False),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.DOCS_CI_BUILD, weight=weight, veto=veto, span=span)
