"""train: how much the rules' words should weigh, learned from labelled items.

A multinomial logistic regression whose starting point is what the rules believe: the penalty draws every weight towards
the rule's own, so that words which few labelled items have keep what their author gave them. Two models, the class and
the defect kind, over the same words. Plain Python and a fixed number of steps: the same items give the same weights.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.model import DefectKind, ItemClass
from bot.stages.weigh import CLASSES, KINDS, Said, unlearned, weigh

PENALTY = 12.0
"""Of a weight's square: large, for there are more weights than items. Chosen by cross-validation."""
KIND_PENALTY = 30.0
"""The same for defect kinds, of which there are fewer examples: little but what many agree on is learned."""
COST = 6.0
"""How many wrongly passed items a missed candidate is worth; it is what moves the score's 0.5."""
NOT_CANDIDATE = 0.5
"""What the defect kind of an item that is no candidate counts for."""
STEPS = 120
DECIMALS = 2
LEAST = 0.1
"""A weight below it is left out: the file is meant to be read."""
Learned = dict[str, dict[str, dict[str, float]]]
"""Rule -> what it says -> class or defect kind -> weight."""
Signal = tuple[str, str]


class Example(NamedTuple):
    """A labelled item, as far as its rules' words go."""

    signals: tuple[Signal, ...]
    offset: tuple[float, ...]
    wanted: int
    cost: float


def learn(items: Iterable[tuple[Sequence[Said], ItemClass, DefectKind]]) -> Learned:
    """Weights from labelled items, in whatever order they come."""
    classes: list[Example] = []
    kinds: list[Example] = []
    for said, item_class, kind in items:
        own = unlearned(said)
        signals = tuple(sorted({(one.rule, one.claim.why) for one in own}))
        weighed = weigh(own)
        candidate = item_class is ItemClass.CANDIDATE
        classes.append(Example(signals, weighed.classes, CLASSES.index(item_class), COST if candidate else 1.0))
        if kind is not DefectKind.NONE:
            offset = weighed.kinds or (0.0,) * len(KINDS)
            kinds.append(Example(signals, offset, KINDS.index(kind), 1.0 if candidate else NOT_CANDIDATE))
    learned: Learned = {}
    for names, examples, penalty in ((CLASSES, classes, PENALTY), (KINDS, kinds, KIND_PENALTY)):
        for (rule, why), weights in sorted(_fit(sorted(examples), len(names), penalty).items()):
            rounded = {str(name): round(weight, DECIMALS) for name, weight in zip(names, weights, strict=True)}
            kept = {name: weight for name, weight in sorted(rounded.items()) if abs(weight) >= LEAST}
            if kept:
                learned.setdefault(rule, {}).setdefault(why, {}).update(kept)
    return learned


def _fit(examples: Sequence[Example], width: int, penalty: float) -> Mapping[Signal, list[float]]:
    """Gradient descent with Nesterov's momentum on the penalised loss."""
    weights: dict[Signal, list[float]] = {signal: [0.0] * width for example in examples for signal in example.signals}
    ahead = {signal: list(row) for signal, row in weights.items()}
    curvature = penalty + _curvature(examples)
    rate = 1 / curvature
    ratio = math.sqrt(penalty / curvature)
    momentum = (1 - ratio) / (1 + ratio)
    for _ in range(STEPS):
        slope = {signal: [penalty * each for each in row] for signal, row in ahead.items()}
        for example in examples:
            off = _off(example, ahead)
            for signal in example.signals:
                row = slope[signal]
                for place, each in enumerate(off):
                    row[place] += each
        for signal, row in weights.items():
            base, down = ahead[signal], slope[signal]
            new = [each - rate * fall for each, fall in zip(base, down, strict=True)]
            ahead[signal] = [one + momentum * (one - old) for one, old in zip(new, row, strict=True)]
            weights[signal] = new
    return weights


def _curvature(examples: Sequence[Example]) -> float:
    """A bound of the loss's curvature, by Gershgorin: how many signals are seen beside a signal, itself among them."""
    beside: dict[Signal, float] = {}
    for example in examples:
        for signal in example.signals:
            beside[signal] = beside.get(signal, 0.0) + example.cost * len(example.signals)
    return 0.5 * max(beside.values(), default=0.0)


def _off(example: Example, weights: Mapping[Signal, Sequence[float]]) -> list[float]:
    """By how much each probability is off, times the example's cost."""
    logits = [sum(column) for column in zip(example.offset, *(weights[one] for one in example.signals), strict=True)]
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    whole = sum(powers)
    off = [example.cost * power / whole for power in powers]
    off[example.wanted] -= example.cost
    return off
