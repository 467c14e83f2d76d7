"""What every part of judging says in the same words."""

from collections.abc import Sequence

from bot.model import Bucket, DeviceFacts, Judgement, OracleKind, Reason, RunEvidence, RunRecord, Verdict


def judgement(
    bucket: Bucket, verdict: Verdict, oracle: OracleKind, why: str, reasons: tuple[Reason, ...] = ()
) -> Judgement:
    """A judgement, its fields in the order in which one thinks of them."""
    return Judgement(bucket=bucket, verdict=verdict, oracle=oracle, why=why, reasons=reasons)


def verdict_on(device: DeviceFacts) -> Verdict:
    """What a confirmed fault means: only a real XPU's own run calls for a fix there."""
    real_xpu = device.type == "xpu" and not device.simulated
    return Verdict.NEEDS_XPU_FIX if real_xpu else Verdict.VERIFICATION_GAP


def of_all(some: Sequence[RunRecord], evidence: RunEvidence) -> str:
    """`2 of 2 fresh processes`: every repeat is a process of its own."""
    return f"{len(some)} of {len(evidence.runs)} fresh processes" if len(evidence.runs) > 1 else "one process"
