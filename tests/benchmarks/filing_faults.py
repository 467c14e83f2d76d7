"""Faults of filing, injected by the hundred: `python -m tests.benchmarks.filing_faults [FAULTS]`.

Every boundary once, then rounds of random faults until so many have struck (500 unless said). Prints what struck and
what became of the findings; ends with 1 where a law was broken.
"""

import json
import sys
import time

from tests.filing.campaign import Told, at_random, every_boundary, two_filers


def main(wanted: int) -> int:
    """The figures as JSON on standard output."""
    told, began = Told(), time.monotonic()
    with two_filers() as (filer, other):
        every_boundary(told, filer, other)
        seed = 0
        while told.injected < wanted:
            seed += 1
            at_random(told, filer, seed)
            broken = f"{len(told.broken)} broken {told.broken[-1:]}"
            print(f"{told.injected} faults, {told.findings} findings, {broken}", file=sys.stderr)
    figures = {
        "faults": told.injected,
        "findings": told.findings,
        "states": dict(told.states),
        "issues twice, lost or above a cap": told.broken,
        "seconds": round(time.monotonic() - began),
        "by fault": dict(told.faults.most_common()),
    }
    print(json.dumps(figures, indent=2))
    return 1 if told.broken else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
