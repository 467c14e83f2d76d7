"""What GitHub publishes is fetched once, and only what was meant is kept."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.double import published
from tests.double.asking import needs_description, needs_schema


@needs_schema
@needs_description
def test_nothing_is_fetched_twice() -> None:
    """With both files here the script ends well where there is no npm."""
    done = subprocess.run(
        [sys.executable, published.__file__],
        env={**os.environ, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "schema.graphql: here\napi.github.com.json: here\n"


def test_no_npm_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file without npm is an error that names both."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(published.PublishedError, match="npm is needed to fetch @octokit/graphql-schema"):
        published.fetch(replace(published.SCHEMA, name="not-here"))


@needs_schema
def test_an_altered_file_is_not_taken_for_the_published_one(tmp_path: Path) -> None:
    """One byte more is another digest."""
    altered = tmp_path / "schema.graphql"
    altered.write_bytes(published.SCHEMA.path.read_bytes() + b"#")
    assert published.SCHEMA.here()
    assert not replace(published.SCHEMA, name=str(altered)).here()
