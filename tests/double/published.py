"""What GitHub publishes about its own interfaces, fetched once: the double speaks them and is checked against them.

Run as a script it brings the two files. They are megabytes of other people's text, so they stay out of the repository;
their digests are here, so that what was fetched is what was meant.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "published"
MISSING = "GitHub's published schema is not here: run `make published`"
"""Why a test skips where the files have not been fetched."""


@dataclass(frozen=True)
class Published:
    """One file of a package: where it lies there, what it is called here, and its digest."""

    package: str
    member: str
    name: str
    sha256: str

    @property
    def path(self) -> Path:
        """Where the file lies once fetched."""
        return FOLDER / self.name

    def here(self) -> bool:
        """Whether the file is there, whole and unaltered."""
        return self.path.is_file() and _digest(self.path.read_bytes()) == self.sha256


SCHEMA = Published(
    package="@octokit/graphql-schema@15.26.1",
    member="package/schema.graphql",
    name="schema.graphql",
    sha256="3c62d0526d133cee53221c89de9b455ade24db78b9e7ad56d642c4c15bce2654",
)
DESCRIPTION = Published(
    package="@octokit/openapi@23.0.2",
    member="package/generated/api.github.com.json",
    name="api.github.com.json",
    sha256="829b4bebb19a53133289f7b0bc819f4f1118115821db2ca9f25e9ee995a7da2a",
)


class PublishedError(RuntimeError):
    """A file could not be fetched, or is not the one that was meant."""


def schema_path() -> Path | None:
    """The GraphQL schema (SDL); None where it has not been fetched."""
    return SCHEMA.path if SCHEMA.path.is_file() else None


def description_path() -> Path | None:
    """The OpenAPI description of the REST interface; None where it has not been fetched."""
    return DESCRIPTION.path if DESCRIPTION.path.is_file() else None


def fetch(wanted: Published) -> bool:
    """Bring one file unless it is here already; whether anything was fetched. Raises PublishedError."""
    if wanted.here():
        return False
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as scratch:
        content = _member(_packed(wanted, Path(scratch)), wanted)
        if _digest(content) != wanted.sha256:
            raise PublishedError(f"{wanted.member} of {wanted.package} has another digest: {_digest(content)}")
        partial = Path(scratch) / wanted.name
        partial.write_bytes(content)
        partial.replace(wanted.path)
    return True


def _packed(wanted: Published, folder: Path) -> Path:
    """The package as one archive, as the registry's own client brings it."""
    try:
        done = subprocess.run(
            ["npm", "pack", "--silent", wanted.package], cwd=folder, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise PublishedError(f"npm is needed to fetch {wanted.package} and is not installed") from error
    if done.returncode != 0:
        raise PublishedError(f"npm pack {wanted.package} failed: {done.stderr.strip() or done.stdout.strip()}")
    return folder / done.stdout.split()[-1]


def _member(archive: Path, wanted: Published) -> bytes:
    with tarfile.open(archive) as packed:
        try:
            stream = packed.extractfile(wanted.member)
        except KeyError:
            stream = None
        if stream is None:
            raise PublishedError(f"{wanted.package} holds no file {wanted.member}")
        return stream.read()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main() -> int:
    """Fetch what is missing and say so; 1 with one line where that fails."""
    for wanted in (SCHEMA, DESCRIPTION):
        try:
            fetched = fetch(wanted)
        except PublishedError as error:
            print(f"published: {error}", file=sys.stderr)
            return 1
        print(f"{wanted.name}: {'fetched' if fetched else 'here'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
