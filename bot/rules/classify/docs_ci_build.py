"""Documentation, continuous integration and builds are not kernels."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import all_files, claim

LABELS = frozenset(("module: docs", "module: ci", "module: build", "topic: docs", "module: docker", "module: binaries", "module: infra", "topic: build",
                    "module: devx", "better-engineering", "module: typing", "module: lint", "release notes: releng", "module: third_party"))  # fmt: skip
TAGS = Phrases(
    "doc", "docs", "doc fix", "ci", "be", "build", "docker", "windows build", "cmake", "release", "ez", "lint",
    "bazel", "easy", "codemod", "infra",
)  # fmt: skip
TITLE = Phrases(
    "doc", "docs", "documentation", "docstring*", "typo", "typos", "tutorial*", "readme", "docker*", "ci", "ci image*", "workflow*", "cmake*", "build script*|failure*|error*",
    "compiler|compilation error|warning", "compiler|compilation errors|warnings", "lint*", "wheels", "nightly wheel*", "document", "doc page", "build_docker*",
    "mention", "mentions", "build from source", "commit pin for", "infra", "github", "yml", "clang tidy", "pre commit", "reproducibility note", "bump", "upgrade", "ut reference",
    "issue tracker", "context", "requirements", "setup py", "pyproject", "link", "links", "comment", "comments", "nightly builds", "conda", "manywheel", "notes", "docu", "grammar", "grammatical*", "glossary", "wording", "aarch64|arm|windows build*", "build fix*|break*",
)  # fmt: skip
EDITS = Phrases(
    "fix|fixes|repair|unbreak ..3 build|builds|compilation|linking|workflow", "amend|amends|update|updates|updated|clarify|clarifies|correct|corrected|corrects|fix|improve|extend|mention|mentions ..4 note|notes|doc|docs|documentation|docstring|docstrings|tutorial",
)  # fmt: skip
PROSE = Phrases(
    "docs", "documentation", "ci", "docker", "workflow", "infra", "typo", "docstring*", "tutorial", "build workflow"
)
PATHS = re.compile(
    r"docs/|\.github/|\.ci/|\.circleci/|cmake/|tools/(?!autograd)|scripts/|[^/]*\.md$|(?:\w+/)*CMakeLists\.txt|setup\.py|\.lintrunner|third_party/|requirements|version\.txt|pyproject|torch/_\w*docs\.py"
)
SIGNALS = Signals(
    ItemClass.DOCS_CI_BUILD,
    Signal("tags", TAGS, 4.0, "the title carries its tag", veto=True),
    Signal("labels", LABELS, 3.0, "a label says so"),
    Signal("title", TITLE, 2.5, "the title speaks of it"),
    Signal("title", EDITS, 2.0, "the title edits documentation"),
    Signal("lead", PROSE, 1.5, "the text speaks of it"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Veto by changed paths and by title tag; labels and words in the title speak for it."""
    yield from SIGNALS.claims(item)
    touched = all_files(item, PATHS)
    if touched:
        why = "only documentation or build files are changed"
        yield claim(why, ItemClass.DOCS_CI_BUILD, 4.0, touched, veto=True)
