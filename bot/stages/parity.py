"""parity: is the target behind its reference backend, or does the reference have the same gap?"""

from bot.model import Case, ChangeState, DefectKind, ItemKind, Parity, ParityKind
from bot.stages.state import standings


def parity_of(case: Case, defect: DefectKind) -> Parity:
    """Told from where the chain's changes stand on the default branch; the reference backend is never run for it.

    A wrong result is wrong whatever other devices give. A check that no device makes yet is hardening: whether such
    arguments must be refused is not settled until upstream settles it.
    """
    stand = standings(case.items)
    changes = [item for item in case.items if item.kind is not ItemKind.ISSUE]
    landed = [item.key for item in changes if stand[item.key].state is ChangeState.LANDED]
    if landed:
        why = f"{', '.join(landed)} landed: the reference backend, which was not run, is taken to behave right since"
        return Parity(kind=ParityKind.PARITY, why=why)
    told = "; ".join(f"{item.key} is {stand[item.key].state.value}" for item in changes) or "no change of it is known"
    if defect is DefectKind.MISSING_CHECK:
        return Parity(
            kind=ParityKind.HARDENING, why=f"upstream has not settled that such arguments are to be refused: {told}"
        )
    why = f"the reference backend is taken to have the same fault, not mended yet, and was not run: {told}"
    return Parity(kind=ParityKind.BOTH, why=why)
