"""Tests as reproducers of patches that nobody wrote, or that somebody wrote to do harm."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import Item
from bot.registry import rules
from bot.stages.extract import extract_item
from bot.stages.headfile import kept, wanted
from bot.stages.patch import hunks
from bot.stages.testcase import LARGEST_PATCH
from tests.test_cases_testcase import item_of, laws_of_from_tests
from tests.work import calls

PIECES = (
    "@@ -1,3 +1,9 @@ class TestA(TestCase):\n",
    "@@ -0,0 +1,12 @@\n",
    "@@ -9 +8 @@ def helper():\n",
    "@@ bad @@\n",
    "+class TestA(TestCase):\n",
    "+    def test_a(self, device):\n",
    "+        self.assertEqual(torch.ones(1, device=device), 1)\n",
    "     @onlyCUDA\n",
    "+    @dtypes(\n",
    " \n",
    "\n",
    "-    def test_b(self):\n",
    "+import torch\n",
    '+"""\n',
    "+instantiate_device_type_tests(TestA, globals())\n",
    "\\ No newline at end of file\n",
    "+\r\n",
    "+\x00\n",
    "+\x0c\n",
    "+    x = [[[\n",
    "+class TestA(TestA): pass\n",
)


def of_patch(patch: str) -> Item:
    """A pull request that changes one test file."""
    return item_of({"files": [{"path": "test/test_any.py", "patch": patch, "additions": 1}]})


@settings(deadline=None, derandomize=True, database=None, max_examples=300)
@example("@@ -0,0 +1,5000 @@\n" + "+x = (" * 1 + "(" * 5000)
@example("@@ -0,0 +1,1 @@\n+x" + ".a" * 3000)
@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_patch_is_read(patch: str) -> None:
    """No patch raises anything, with no text at the head or any, and the laws hold on it."""
    item = of_patch(patch or "@")
    laws_of_from_tests(item)
    shown = "\n".join(line for hunk in hunks(patch) for line in hunk.lines)
    for text in (shown, patch, kept(item.files[0], shown)):
        laws_of_from_tests(item.model_copy(update={"files": (item.files[0].model_copy(update={"text": text}),)}))


METHOD = "+    def test_{0}(self, device):\n+        self.assertEqual(self.a{0}, helper_{0}(device))\n"
SHORT = "    def test_{0}(self): self.assertEqual(1, 1)"


def of_new(lines: list[str]) -> str:
    """The patch that makes a file of these lines."""
    return "@@ -0,0 +1,{n} @@\n" + "".join(f"+{line}\n" for line in "\n".join(lines).split("\n"))


HOSTILE = {
    "many tests": "@@ -0,0 +1,{n} @@\n+class TestA(TestCase):\n" + "".join(METHOD.format(n) for n in range(900)),
    "many classes": "@@ -0,0 +1,{n} @@\n"
    + "".join(f"+class A{n}(A{n - 1}):\n+    def test_a(self, device): pass\n" for n in range(1600)),
    "many hunks": "".join(
        f"@@ -{n} +{n} @@ class A(B):\n+    def test_a(self, device): pass\n" for n in range(1, 4200, 3)
    ),
    "a far line": "@@ -999998 +999999 @@ class A(B):\n+    def test_a(self, device): pass\n",
    "one line": "@@ -0,0 +1 @@\n+" + "f(" * 45_000,
    "a deep name": "@@ -0,0 +1 @@\n+x = a" + ".b" * 45_000,
    "no Python": "@@ -0,0 +1,9000 @@\n" + "+{ ' \" [\n" * 9000,
    "a megabyte": "@@ -0,0 +1,30000 @@\n" + "+    x = torch.ones(1, device='cuda')\n" * 30_000,
    "decorators": "@@ -0,0 +1,{n} @@\n+class TestA(TestCase):\n" + "+    @skip_a\n" * 7_000 + METHOD.format(1),
    "a mixin of many classes": of_new(
        ["class A:", *map(SHORT.format, range(100)), *(f"class B{n}(A, TestCase): x=1" for n in range(800))]
    ),
    "many tests of many classes": of_new(
        [*(f"class A{n}:\n{SHORT.format(n)}" for n in range(100))]
        + [f"class B{n}({', '.join(f'A{m}' for m in range(n % 90, n % 90 + 9))}, TestCase): x=1" for n in range(1300)]
    ),
    "many classes that are made": of_new(
        ["class A:", *map(SHORT.format, range(100)), *(f"class B{n}(A, TestCase): x=1" for n in range(1000))]
        + [f"instantiate_device_type_tests(B{n}, globals(), only_for='cpu')" for n in range(1000)]
    ),
    "many bases": of_new(
        ["class A(TestCase): x=1", *(f"class B{n}: x=1" for n in range(2500))]
        + [f"class C({', '.join(f'B{n}' for n in range(2500))}, A):", SHORT.format(1)]
        + [f"class D{n}(C): x=1" for n in range(1500)]
    ),
    "helpers that call each other": of_new(
        [f"def f{n}(x): return f{n + 1}(x) + f{n + 2}(x) + f{n * 7 % 1600}(x)" for n in range(1600)]
        + ["class A(TestCase):", "    def test_a(self, device): self.assertEqual(f0(device), 1)"]
    ),
    "members that call each other": of_new(
        ["class A(TestCase):", "    def test_a(self, device): self.f0(device)"]
        + [f"    def f{n}(self, x): return self.f{n + 1}(x) + self.f{n + 2}(x)" for n in range(1500)]
    ),
    "one name many times": of_new(
        [*["def f(x): return x + 1"] * 2200, "class A(TestCase):", *["    def g(self): pass"] * 1200]
        + [f"    def test_{n}(self): return f(self.g())" for n in range(100)]
    ),
    "classes that use each other": of_new(
        [f"class A{n}(TestCase):\n    def test_a(self, device): self.a{n}(A{n + 1}, A{n // 2})" for n in range(1200)]
    ),
    "decorated classes": of_new(
        [f"@unittest.skipIf({'not ' * 9}TEST_A and TEST_CUDA, 'a{n}')" for n in range(800)]
        + ["class A:", *map(SHORT.format, range(100)), *(f"class B{n}(A, TestCase): x=1" for n in range(800))]
    ),
    "a long condition": of_new(
        [f"@unittest.skipIf({'TEST_CUDA and IS_A or ' * 4000}False, 'a')", "class A(TestCase):", SHORT.format(1)]
    ),
    "a long name": of_new([f"@unittest.skipIf({'a' * 90_000}, 'a')", "class A(TestCase):", SHORT.format(1)]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_patch_is_work_that_grows_with_its_length(name: str) -> None:
    """However it is made, telling what is in it is a few calls for each of its characters."""
    patch = HOSTILE[name]
    item = of_patch(patch.replace("{n}", str(patch.count("\n+"))))
    assert len(patch) < LARGEST_PATCH or name == "a megabyte"
    text = "\n".join(line[1:] for line in patch.split("\n")[1:])
    for asked in (
        lambda: extract_item(item, rules("extract")),
        lambda: wanted(item),
        lambda: kept(item.files[0], text),
    ):
        assert calls(asked) < 1_000 + 30 * len(patch)
