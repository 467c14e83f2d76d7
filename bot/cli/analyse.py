"""`analyze`: what the source of a kernel tree shows by itself."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stages import Json


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(analyze)


def analyze(  # noqa: PLR0913, PLR0917 -- an option is an argument
    target_source: Annotated[
        Path | None, typer.Option(help="Checkout of the target's kernels, e.g. intel/torch-xpu-ops.")
    ] = None,
    target_commit: Annotated[str | None, typer.Option(help="Read this commit by git instead: 40 digits.")] = None,
    upstream_source: Annotated[Path | None, typer.Option(help="Checkout of pytorch/pytorch, to compare with.")] = None,
    op: Annotated[list[str] | None, typer.Option(help="Only what this operator comes to; may be repeated.")] = None,
    kernel_rule: Annotated[list[str] | None, typer.Option(help="Only this rule; may be repeated.")] = None,
    json: Json = False,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF 2.1.0 there too.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The whole tree, and what could not be read of it.")
    ] = False,
    device: Annotated[str, typer.Option(help="The target device.")] = "xpu",
) -> int:
    """Read kernels for causes of faults: sums kept too narrow, indices in 32 bits, checks that the CUDA side has."""
    from bot.cli.analysis import answer

    return answer(target_source, upstream_source, op, kernel_rule, commit=target_commit, json=json, sarif=sarif,
                  everything=everything, device=device)  # fmt: skip
