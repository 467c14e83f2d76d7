"""Every hunk of the corpus: what the change rules say of it, and what holds for whatever a patch holds."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import ChangedFile, Item, UpstreamChange
from bot.registry import names, rules
from bot.stages.changed import changes
from tests.laws import files, shuffled, text_of

SAID = re.compile(r"change: (?P<kind>[\w-]+) (?P<line>\d+) ?(?P<names>.*)")


def of_patch(patch: str, path: str = "aten/src/ATen/native/cuda/Fold.cu", **order: object) -> list[UpstreamChange]:
    """What the rules say of a patch to one file."""
    item = Item(
        repo="pytorch/pytorch", number=1, kind="pull", title="Fold", files=(ChangedFile(path=path, patch=patch),)
    )
    chosen = shuffled(rules("change")) if order else rules("change")
    return changes([item], chosen)


def told(found: list[UpstreamChange]) -> list[tuple[str, int, str]]:
    """Kind, line and names."""
    return sorted((one.kind.value, one.line, ", ".join(one.names)) for one in found)


@pytest.mark.parametrize("path", files("change", "diff"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """A hunk changes what its first lines say, in whatever order the rules are asked, and nothing else."""
    said, _, patch = text_of(path).partition("@@ ")
    expected = sorted((one["kind"], int(one["line"]), one["names"]) for one in SAID.finditer(said))
    found = of_patch("@@ " + patch)
    assert told(found) == expected
    assert told(of_patch("@@ " + patch, order="shuffled")) == expected
    for one in found:
        assert one.item == "pytorch/pytorch#1"
        assert one.rule == "" or one.rule in {*names("kernel"), "unguarded-index", "uninitialised-output"}


def test_a_third_changes_nothing() -> None:
    """At least a third of the corpus are hunks of which nothing may be said."""
    found = [text_of(path) for path in files("change", "diff")]
    assert sum("change: " not in text for text in found) * 3 >= len(found)


@pytest.mark.parametrize("path", ["test/test_fold.cpp", "docs/fold.md", "torch/fold.py", "third_party/fold.cu"])
def test_other_files_are_not_read(path: str) -> None:
    """A patch to tests, documents, Python or others' code changes no kernel."""
    patch = "@@ -1,1 +1,2 @@\n void f();\n+TORCH_CHECK(a.dim() == 2);\n"
    assert of_patch(patch, path) == []
    assert len(of_patch(patch)) == 1


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("+- @"), st.text("abcxyz(){}<>;,=+-*&[]\"'/\\ \t\n0_", max_size=30)), max_size=12
    )
)
def test_any_patch_is_read_without_an_error(lines: list[tuple[str, str]]) -> None:
    """Whatever stands in a hunk, the rules answer with places on its new side."""
    patch = "@@ -1,9 +1,9 @@ void f()\n" + "\n".join(sign + text for sign, text in lines)
    for one in of_patch(patch):
        assert one.line >= 0
