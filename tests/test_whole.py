"""A file that is written in one step: whatever happens, it is the old one or the new one."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bot.edges.whole import write_whole
from bot.errors import InputError

ENDLESS = """
import sys
from pathlib import Path
from bot.edges.whole import write_whole
for letter in "ab" * 1_000_000:
    write_whole(Path(sys.argv[1]), letter * 4_000_000, "--output")
    print(flush=True)
"""
FULL = """
import resource, signal, sys
from pathlib import Path
from bot.edges.whole import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
write_whole(Path(sys.argv[1]), "new" * 10_000, "--output")
"""


def test_killed_in_the_middle(tmp_path: Path) -> None:
    """Killed at any moment, the file is whole."""
    path = tmp_path / "file"
    for part in range(4):
        running = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)], stdout=subprocess.PIPE)
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(0.013 * part)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        assert path.read_text("utf-8") in ("a" * 4_000_000, "b" * 4_000_000)


def test_no_room(tmp_path: Path) -> None:
    """Where the new text doesn't fit the old one stays, and nothing else is left."""
    path = tmp_path / "file"
    path.write_text("old", "utf-8")
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False)
    assert "give another --output" in done.stderr
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_links_modes_and_pipes_stay_what_they_are(tmp_path: Path) -> None:
    """What a link points to is replaced and not the link, a file keeps its mode, and a pipe is written to."""
    path, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    path.write_text("old", "utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "new", "--output")
    assert link.is_symlink()
    assert (path.read_text("utf-8"), path.stat().st_mode & 0o777) == ("new", 0o640)
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    write_whole(pipe, "through", "--output")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["no/such/folder", "."])
def test_where_no_file_can_be(name: str, tmp_path: Path) -> None:
    """A folder, or a place in none, is one line that names the option."""
    with pytest.raises(InputError, match="give another --weights"):
        write_whole(tmp_path / name, "x", "--weights")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_what_is_protected_stays(tmp_path: Path) -> None:
    """A file that may not be written isn't replaced either."""
    path = tmp_path / "file"
    path.write_text("old", "utf-8")
    path.chmod(0o444)
    with pytest.raises(InputError, match="Permission denied"):
        write_whole(path, "new", "--weights")
