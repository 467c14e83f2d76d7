"""Test files at a change's head: asked only where a patch does not do, kept, and carried by the item."""

from pathlib import Path

import pytest

from bot.model import Item, ItemKind
from bot.registry import rules
from bot.stages.extract import extract_item
from tests.double import World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.double.nouns import File
from tests.github.test_details import HOUR, detailed, saved
from tests.github.windowed import START, UPSTREAM, Windowed, empty_world, upstream, windowed
from tests.github_patch import patch_of

pytestmark = needs_schema
PATH = "test/test_edges.py"
BEFORE = """import torch
from torch.testing._internal.common_utils import TestCase
from torch.testing._internal.common_device_type import instantiate_device_type_tests


def blocks(count, device):
    return torch.arange(count * 256, device=device)


class TestEdges(TestCase):
    def test_start(self, device):
        self.assertEqual(blocks(1, device)[0], 0)

    def test_middle(self, device):
        self.assertEqual(blocks(2, device)[256], 256)


instantiate_device_type_tests(TestEdges, globals())
"""
NEW = """    def test_clamp_last_block(self, device):
        self.assertEqual({0}.clamp(max=3).max().item(), 3)

    def test_middle"""
AFTER = BEFORE.replace("    def test_middle", NEW.format("blocks(5, device)"))
ALONE = BEFORE.replace("    def test_middle", NEW.format("torch.arange(1025, device=device)"))


def edges(after: str = AFTER, text: str | None = None) -> File:
    """The file, changed."""
    return File(PATH, 3, 0, patch_of(BEFORE, after), text=after if text is None else text)


def world_with(*files: File) -> tuple[World, int]:
    """A world with a pull request that changes these."""
    world = empty_world()
    return world, changes.create_pull(upstream(world), "clamp: fix the last block", files=files, at=START).number


def scripts(item: Item) -> list[str]:
    """What is extracted of an item."""
    return [one.code for one in extract_item(item, rules("extract"))[0]]


def contents_asked(here: Windowed, since: int = 0) -> int:
    """How often the double was asked for a file."""
    return sum("/contents/" in path for path in here.asked(since=since))


def test_a_helper_that_the_patch_does_not_show(tmp_path: Path) -> None:
    """The file is asked for once at the pull request's head, and the item holds what of it the test needs."""
    world, number = world_with(edges())
    with windowed(world, tmp_path) as here:
        here.read()
        item = detailed(here, number)[number]
        text = item.files[0].text or ""
        assert "def blocks" in text
        assert "test_middle" not in text
        assert len(text.split("\n")) <= len(AFTER.split("\n"))
        (code,) = scripts(item)
        assert "def blocks" in code
        asked = contents_asked(here)
        assert detailed(here, number)[number] == item
        assert (asked, contents_asked(here)) == (1, 1)


def test_a_replay_needs_no_network(tmp_path: Path) -> None:
    """What was kept of the answers does; an item that went through JSON says the same."""
    world, number = world_with(edges())
    with windowed(world, tmp_path) as here:
        here.read()
        kept = [here.item(number)]
        item = saved(here, kept)[number]
        here.double.add(faults.server_error(times=None))
        assert saved(here, kept)[number] == item
        assert scripts(Item.model_validate_json(item.model_dump_json())) == scripts(item)


@pytest.mark.parametrize(
    "file",
    [
        edges(ALONE),
        File(PATH, 19, 0, patch_of("", BEFORE), text=BEFORE),
        File("aten/a.cu", 3, 0, patch_of(BEFORE, AFTER), text=AFTER),
        File("test/inductor/test_edges.py", 3, 0, patch_of(BEFORE, AFTER), text=AFTER),
        File(PATH, 3, 0, "", text=AFTER),
    ],
    ids=["the patch does", "a new file", "no test", "another stack", "no patch"],
)
def test_what_is_not_asked_for(tmp_path: Path, file: File) -> None:
    """A file that could tell nothing more costs no request."""
    world, number = world_with(file)
    with windowed(world, tmp_path) as here:
        here.read()
        assert detailed(here, number)[number].files[0].text is None
        assert contents_asked(here) == 0


def test_a_commit_without_a_pull_request(tmp_path: Path) -> None:
    """Its file is read at the commit itself."""
    world = empty_world()
    made = landing.commit(upstream(world), "clamp: fix the last block", files=[edges()], at=START + HOUR)
    with windowed(world, tmp_path) as here:
        here.read()
        commit = here.items()[f"{UPSTREAM}@{made.oid}"]
        assert commit.kind is ItemKind.COMMIT
        (found,) = here.source().details([commit])
        assert len(scripts(found)) == 1


@pytest.mark.parametrize(
    "file",
    [
        edges(text=AFTER + "#" * 2**20),
        edges(text=BEFORE),
        edges(text="\x00\x01("),
        edges(text=""),
    ],
    ids=["more than a megabyte", "another version", "no Python", "empty"],
)
def test_a_file_that_does_not_do(tmp_path: Path, file: File) -> None:
    """There is no text, and extraction says that it is missing."""
    world, number = world_with(file)
    with windowed(world, tmp_path) as here:
        here.read()
        item = detailed(here, number)[number]
        assert item.files[0].text is None
        found, passed = extract_item(item, rules("extract"))
        assert found == []
        assert "that needs the file at the change's head" in passed[0]


@pytest.mark.parametrize("status", [404, 406, 410, 422])
def test_a_file_that_github_does_not_give(tmp_path: Path, status: int) -> None:
    """It is done without, the item keeps the rest, and that is not remembered for ever."""
    world, number = world_with(edges())
    with windowed(world, tmp_path) as here:
        here.read()
        here.double.add(faults.status(status, "No", path="/contents/"))
        found = detailed(here, number)[number]
        assert found.files[0].text is None
        assert found.files[0].patch
        assert detailed(here, number)[number].files[0].text
