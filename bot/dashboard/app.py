"""The dashboard's addresses. Each is a question to the store and a page that shows the answer; nothing writes."""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from bot import __version__
from bot.dashboard import view
from bot.dashboard.page import page
from bot.dashboard.shield import shield
from bot.model import OutcomeKind, Window, WindowError
from bot.resources import resource
from bot.seams import Store, StoreError
from bot.stages.state import standings

ROWS_PER_PAGE = 500
"""A window of a busy year has tens of thousands of items; a browser lays out a few hundred at ease."""

_WRONG = {
    400: "That address can't be read",
    404: "Nothing here",
    405: "These pages are read-only",
    500: "The dashboard failed",
    503: "The store can't be read",
}


def create_app(store: Store, hosts: Sequence[str] = ()) -> FastAPI:
    """The read-only pages over `store`.

    `hosts` are further names, without port, by which the server may be addressed; loopback names always are.
    """
    app = FastAPI(title="alignbot", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    _add(app, "/", lambda: page("findings", rows=view.finding_rows(store.findings())))
    _add(app, "/windows", lambda: page("windows", windows=store.windows()))

    def finding(fingerprint: str) -> HTMLResponse:
        return _finding(store, fingerprint)

    def ledger(request: Request) -> HTMLResponse:
        return _ledger(store, dict(request.query_params))

    def health() -> JSONResponse:
        return _health(store)

    _add(app, "/findings/{fingerprint}", finding)
    _add(app, "/windows/ledger", ledger)
    _add(app, "/healthz", health)
    app.mount("/static", StaticFiles(directory=resource("templates/dashboard/static")))
    app.add_exception_handler(StarletteHTTPException, _refused)
    app.add_exception_handler(StoreError, _unreadable)
    app.add_exception_handler(Exception, _failed)
    shield(app, hosts)
    return app


def _add(app: FastAPI, path: str, answer: Callable[..., Response]) -> None:
    app.add_api_route(path, answer, methods=["GET", "HEAD"], response_model=None)


def _finding(store: Store, fingerprint: str) -> HTMLResponse:
    found = next((found for found in store.findings() if found[0].fingerprint == fingerprint), None)
    if found is None:
        raise HTTPException(404, f"No finding has the fingerprint {fingerprint}.")
    finding, draft, case = found
    return page(
        "finding",
        finding=finding,
        draft=draft,
        case=case,
        standing=view.standing(finding, draft),
        standings=standings(case.items),
        absences=view.absences(case),
    )


def _ledger(store: Store, query: dict[str, str]) -> HTMLResponse:
    try:
        window = Window.parse(query.get("window", ""))
    except WindowError as error:
        raise HTTPException(400, f"The window in the address: {error}") from error
    outcome = query.get("outcome", "")
    if outcome not in ("", *OutcomeKind, view.IN_PROGRESS):
        raise HTTPException(400, f"'{outcome}' is no outcome; there are {', '.join(OutcomeKind)}.")
    device = query.get("device", "xpu")
    rows = view.ledger_rows(store.cases(window, device))
    chosen = [row for row in rows if outcome in ("", row.outcome)]
    pages = max(1, -(-len(chosen) // ROWS_PER_PAGE))
    number = _page_number(query.get("page", "1"), pages)
    return page(
        "ledger",
        window=window,
        device=device,
        outcome=outcome,
        counts=view.outcome_counts(rows),
        total=len(rows),
        chosen=len(chosen),
        rows=chosen[(number - 1) * ROWS_PER_PAGE : number * ROWS_PER_PAGE],
        page=number,
        pages=pages,
    )


def _page_number(text: str, pages: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= pages:
        return int(text)
    raise HTTPException(404, f"There is no page {text}; this ledger has {pages}.")


def _health(store: Store) -> JSONResponse:
    try:
        windows = len(store.windows())
    except StoreError as error:
        return JSONResponse({"status": "unavailable", "version": __version__, "why": str(error)}, 503)
    return JSONResponse({"status": "ok", "version": __version__, "windows": windows})


async def _refused(request: Request, error: Any) -> Response:
    why = str(error.detail) if isinstance(error, HTTPException) else f"No page answers to {request.url.path}."
    if error.status_code == 405:
        why = f"{request.method} changes things; these pages only show."
    response = _problem(error.status_code, why)
    response.headers.update(error.headers or {})
    return response


async def _unreadable(_request: Request, error: Any) -> Response:
    return _problem(503, f"{error}. `alignbot config show` says which database that is.")


async def _failed(_request: Request, _error: Any) -> Response:
    return _problem(500, "A fault of the dashboard; its log has the trace. Nothing was changed.")


def _problem(status: int, why: str) -> HTMLResponse:
    return page("problem", status, number=status, heading=_WRONG.get(status, "Refused"), why=why)
