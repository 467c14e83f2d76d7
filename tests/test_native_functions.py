"""torch's tables of operators: what is none is refused in one line, however it was made."""

import pytest

from bot.edges.native_functions import table
from bot.errors import InputError

BOMB = "- func: f()\n  v0: &v0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"  v{level}: &v{level} [{', '.join([f'*v{level - 1}'] * 9)}]\n" for level in range(1, 12)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        f"{BOMB}  dispatch:\n    CPU: *v11\n",
        "- func: f()\n  dispatch: &a\n    CPU: *a\n",
        "- func: f()\n  dispatch: [a]\n",
        "- func: f()\n  dispatch: a\n",
        "- func: f()\n  dispatch:\n    1: a\n",
        "- func: f()\n  dispatch:\n    CPU: [a]\n",
        "- func: f()\n  structured_delegate: [a]\n",
        "- func: f()\n- {func: g()}\n",
        "- func: f()\n  1: a\n",
        "- func: f()\n  day: 2026-13-45\n",
        "- func: f()\n  ? [a]\n  : b\n",
        "- func: f()\n  x: " + "[" * 5000 + "]" * 5000 + "\n",
        "- func: !!python/object:os.system x\n",
        "- func: f(\x00)\n",
        "- \n",
        "",
    ],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    """Aliases, wrong types, entries that begin otherwise, and what YAML can't read: one line with the place."""
    with pytest.raises(InputError, match=r"^table\.yaml ") as raised:
        table(text, "table.yaml")
    assert "\n" not in str(raised.value)


def test_a_table() -> None:
    """Keys of several devices and nested tables of derivatives are read as they are."""
    text = (
        "- func: f()\n  dispatch:\n    CPU, CUDA: f_kernel\n- name: g(x)\n  dispatch:\n    Default:\n      self: h(x)\n"
    )
    assert [one["dispatch"] for one in table(text, "t").parsed] == [
        {"CPU, CUDA": "f_kernel"},
        {"Default": {"self": "h(x)"}},
    ]
