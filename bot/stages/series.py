"""series: what else of a window is about a candidate's operator. It is no part of the change, but worth a look."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from bot.model import ItemClass, Ruling
from bot.stages.chain import Group
from bot.stages.family import stem

MOST = 8
"""Items that a case is linked with for its operator's sake: the nearest by number."""
NOISE = frozenset({ItemClass.TEST_TOGGLE, ItemClass.DOCS_CI_BUILD})


def series(groups: Sequence[Group], rulings: Mapping[str, Ruling]) -> dict[str, tuple[str, ...]]:
    """Leader's key of each chain that holds a candidate -> keys of other chains' items of the same operator."""
    about: dict[str, list[tuple[tuple[str, str], str, str]]] = defaultdict(list)
    for group in groups:
        for one in group:
            ruling = rulings[one.key]
            if ruling.ops and ruling.item_class not in NOISE:
                about[stem(ruling.ops[0])].append((one.order, one.key, group[0].key))
    found: dict[str, tuple[str, ...]] = {}
    for group in groups:
        chosen = next((rulings[one.key] for one in group if rulings[one.key].candidate), None)
        if chosen is not None and chosen.ops:
            others = [each for each in sorted(about[stem(chosen.ops[0])]) if each[2] != group[0].key]
            found[group[0].key] = _nearest(group[0].order, others)
    return found


def _nearest(order: tuple[str, str], others: Sequence[tuple[tuple[str, str], str, str]]) -> tuple[str, ...]:
    """Half of them from before, half from after, without measuring all: they are sorted."""
    before = [key for place, key, _ in others if place < order][-MOST // 2 :]
    after = [key for place, key, _ in others if place > order][: MOST // 2]
    return (*before, *after)
