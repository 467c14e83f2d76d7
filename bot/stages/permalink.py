"""permalink: a place in a source as Markdown, linked to the very commit that was read where there is one."""

from urllib.parse import quote

from bot.model import Commit
from bot.stages.markup import code


def address(commit: Commit, path: str, line: int, end_line: int | None = None) -> str | None:
    """The web address of lines at a commit; None where what was read is no commit."""
    if commit.sha is None:
        return None
    lines = f"L{line}" + (f"-L{end_line}" if end_line and end_line > line else "")
    return f"https://github.com/{commit.repo}/blob/{commit.sha}/{quote(path)}#{lines}"


def place(commit: Commit, path: str, line: int, end_line: int | None = None) -> str:
    """`path:line` as a code span, a link where there is an address."""
    said = code(f"{path}:{line}" + (f"-{end_line}" if end_line and end_line > line else ""))
    url = address(commit, path, line, end_line)
    return f"[{said}]({url})" if url else said


def commit_name(commit: Commit) -> str:
    """`owner/name at 0123abc…, the frozen head`, or what was read in its place."""
    if commit.sha is None:
        return f"{commit.repo} from {commit.read_from}, whose commit is not known"
    return f"{commit.repo} at {code(commit.sha)}" + (", the frozen head" if commit.frozen else ", not the frozen head")
