"""Code in another language is listed with its language: a pointer to the kernel, never a script to run."""

from bot.model import Block, Found

LANGUAGES = {
    **dict.fromkeys(("c", "c++", "cc", "cpp", "cxx", "h", "hpp"), "cpp"),
    **dict.fromkeys(("cuda", "cu", "cuh", "hip"), "cuda"),
    **dict.fromkeys(("bash", "sh", "shell", "console", "zsh"), "shell"),
    "metal": "metal",
    "diff": "diff",
}


def rule(block: Block) -> Found | None:
    """By the fence's tag alone."""
    language = LANGUAGES.get(block.tag)
    return Found(code=block.text, language=language, score=0.05) if language else None
