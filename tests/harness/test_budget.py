"""The arithmetic of the budget against exact fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'xpu-alignment-bot[runner]'")

from bot.harness import budget  # noqa: E402  it imports torch

DTYPES = ["float16", "bfloat16", "float32"]
PRECISION = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127)}
"""Significant bits, least and greatest exponent of a normal number (IEEE 754; bfloat16: the upper half of float32)."""

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


def tensor(value: float) -> "torch.Tensor":
    return torch.tensor(value, dtype=torch.float64)


def exact_ulp(value: float, name: str) -> Fraction:
    """2**(e - bits + 1) for the largest e with 2**e <= |value|, at least that of the least normal number."""
    bits, least, _ = PRECISION[name]
    exponent, size = least, abs(Fraction(value))
    while Fraction(2) ** (exponent + 1) <= size:
        exponent += 1
    return Fraction(2) ** (exponent - bits + 1)


def exactly_representable(value: float, name: str) -> bool:
    """A multiple of its own last place, not beyond the greatest number."""
    bits, _, greatest = PRECISION[name]
    largest = (2 - Fraction(2) ** (1 - bits)) * Fraction(2) ** greatest
    size = Fraction(value)
    return abs(size) <= largest and (size / exact_ulp(value, name)).denominator == 1


@pytest.mark.parametrize("name", DTYPES)
@settings(deadline=None)
@given(value=finite.filter(lambda one: abs(one) < 1e300))
def test_ulp(name: str, value: float) -> None:
    """The unit in the last place is the exact power of two at every float64, beyond the dtype's own range too."""
    assert Fraction(float(budget.ulp(tensor(value), getattr(torch, name)))) == exact_ulp(value, name)


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, 1e-45, 6e-8, 1.0, 2048.0, 65504.0, 3.4e38, 1e300])
def test_ulp_at(name: str, value: float) -> None:
    """Zero, subnormal, largest and larger numbers have the exact unit in the last place."""
    assert Fraction(float(budget.ulp(tensor(value), getattr(torch, name)))) == exact_ulp(value, name)


@pytest.mark.parametrize("name", DTYPES)
def test_ulp_at_nan_and_infinity(name: str) -> None:
    """At NaN the unit is the smallest there is, at infinity that of the largest number; both are finite."""
    dtype = getattr(torch, name)
    assert float(budget.ulp(tensor(float("nan")), dtype)) == exact_ulp(0.0, name)
    assert float(budget.ulp(tensor(float("inf")), dtype)) == exact_ulp(float(torch.finfo(dtype).max), name)


@pytest.mark.parametrize("name", DTYPES)
@settings(deadline=None)
@given(value=finite)
def test_representable(name: str, value: float) -> None:
    """A number is representable exactly if it is a multiple of its last place within the range."""
    for one in (value, float(tensor(value).to(getattr(torch, name)))):
        if abs(one) < float("inf"):
            assert bool(budget.representable(tensor(one), getattr(torch, name))) == exactly_representable(one, name)


@pytest.mark.parametrize("name", DTYPES)
@settings(deadline=None)
@given(value=finite.filter(lambda one: abs(one) < 1e300))
def test_floor(name: str, value: float) -> None:
    """The floor is eight roundings, of a subnormal too, and 1e-5 of the value or of 1, to the precision of float64."""
    bits, least, _ = PRECISION[name]
    smallest = max(4 * Fraction(2) ** (least - bits + 1), Fraction(2) ** -126)
    size = abs(Fraction(value))
    exact = 8 * Fraction(2) ** -bits * size + smallest + Fraction(1e-5) * min(1, size)
    found = Fraction(float(budget.floor(tensor(value), getattr(torch, name))))
    assert abs(found - exact) <= exact * Fraction(2) ** -50


def test_default_dtype_is_nobodys() -> None:
    """A script's default dtype changes no figure of the budget."""
    before = [float(budget.ulp(tensor(1e300), torch.float32)), float(budget.floor(tensor(3.0), torch.bfloat16))]
    kept = torch.get_default_dtype()
    torch.set_default_dtype(torch.float16)
    try:
        after = [float(budget.ulp(tensor(1e300), torch.float32)), float(budget.floor(tensor(3.0), torch.bfloat16))]
    finally:
        torch.set_default_dtype(kept)
    assert after == before


def test_no_pardon_for_infinity() -> None:
    """An infinite or missing reference has no budget of its own, and an unknown movement has no end."""
    infinite = torch.tensor([float("inf"), float("nan"), 1.0], dtype=torch.float64)
    assert budget.floor(infinite, torch.float16).isfinite().all()
    moved = torch.tensor([float("nan"), float("inf"), 0.0], dtype=torch.float64)
    assert budget.full(infinite, torch.float16, moved).isinf().tolist() == [True, True, False]
