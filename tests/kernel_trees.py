"""Git repositories of the two small trees in `tests/data/kernel_tree`, served over HTTP on loopback by git itself."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TREES = Path(__file__).parent / "data" / "kernel_tree"
ALONE = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "alignbot",
    "GIT_AUTHOR_EMAIL": "alignbot@example.org",
    "GIT_COMMITTER_NAME": "alignbot",
    "GIT_COMMITTER_EMAIL": "alignbot@example.org",
    "GIT_AUTHOR_DATE": "2026-11-11T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-11T00:00:00Z",
    "PATH": os.environ["PATH"],
}


def git(folder: Path, *arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], env=ALONE, capture_output=True, check=True)
    return done.stdout.decode().strip()


def repository(base: Path, name: str, source: Path) -> str:
    """Make `base/name.git` of a folder's files; its one commit."""
    bare = base / f"{name}.git"
    bare.mkdir(parents=True)
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant", "http.getanyfile"):
        git(bare, "config", key, "true")
    return commit(bare, source)


def commit(bare: Path, source: Path) -> str:
    """Commit a folder's files on main."""
    tree = ["--git-dir", str(bare), "--work-tree", str(source)]
    git(source, *tree, "add", "--all", "--force")
    git(source, *tree, "commit", "--quiet", "--message", "Kernels")
    return git(bare, "rev-parse", "main")


class _Backend(BaseHTTPRequestHandler):
    """git's own `http-backend`, asked as a web server asks it; what was asked is noted."""

    protocol_version = "HTTP/1.1"
    base: Path
    asked: list[str]

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            content = b"".join(self._chunks())
        else:
            content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._serve(content)

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _serve(self, content: bytes) -> None:
        path, _, query = self.path.partition("?")
        self.asked.append(f"{self.command} {path}")
        environment = {
            **ALONE,
            "GIT_PROJECT_ROOT": str(self.base),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(content)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(["git", "http-backend"], env=environment, input=content, capture_output=True, check=False)
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self.send_response(int(fields.pop("Status", "200 OK").split()[0]))
        for name, text in fields.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def serving(base: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a folder of repositories, and what is asked of it."""
    asked: list[str] = []
    made = type("Backend", (_Backend,), {"base": base, "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), made)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
