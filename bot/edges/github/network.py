"""The way to GitHub: which proxy, and whose certificates are trusted. Read from the environment once.

Libraries read these variables each in its own way. Here they are read as people know them from curl, requests and
httpx together, so that nothing depends on which library sends what.
"""

import ipaddress
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import certifi
import httpx

from bot.errors import InputError

BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_DIR")
"""Variables that name trusted certificates, a file or a folder; the first that is set counts."""


@dataclass(frozen=True, slots=True)
class Network:
    """How connections are made."""

    context: ssl.SSLContext
    proxy: httpx.Proxy | None


def network(api: str, proxy: str | None, ca_bundle: Path | None, environ: Mapping[str, str]) -> Network:
    """The way to that address. Raises InputError that names the setting or variable that can't be used."""
    try:
        scheme, _ = urlsplit(api).scheme, urlsplit(api).port
    except ValueError as error:
        raise InputError(f"github.api is no address: {api}") from error
    name, url = ("github.proxy", proxy) if proxy else proxy_for(api, environ)
    made = _proxy(name, url) if url else None
    if scheme == "http" and (made is None or made.url.scheme != "https"):
        return Network(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), made)  # nothing is encrypted, nobody need be trusted
    context = _context(ca_bundle, environ)
    if made and made.url.scheme == "https":
        made.ssl_context = context
    return Network(context, made)


def _proxy(name: str, url: str) -> httpx.Proxy:
    """The proxy at an address; its password is in no error."""
    try:
        made = httpx.Proxy(url)
    except (ValueError, httpx.InvalidURL) as error:
        raise InputError(f"{name} is no address of a proxy: write http://host:port") from error
    if made.url.scheme.startswith("socks") and find_spec("socksio") is None:
        raise InputError(f"{name} names a SOCKS proxy: install httpx[socks], or set github.proxy to an HTTP proxy")
    if not made.url.host:
        raise InputError(f"{name} is no address of a proxy: write http://host:port")
    return made


def proxy_for(address: str, environ: Mapping[str, str]) -> tuple[str, str | None]:
    """The variable that names the proxy for an address, and its URL; None where there is none or NO_PROXY says so."""
    parts = urlsplit(address)
    for name in (f"{parts.scheme}_proxy", "all_proxy"):
        url = environ.get(name) or environ.get(name.upper())
        if url:
            excepted = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
            if excepts(excepted, parts.hostname or "", parts.port):
                return name.upper(), None
            return name.upper(), url if "://" in url else f"http://{url}"
    return "", None


def excepts(no_proxy: str, host: str, port: int | None) -> bool:
    """Is the host in NO_PROXY: `*`, `host`, `.domain`, `host:port`, an address, or a net such as 10.0.0.0/8?"""
    for entry in no_proxy.lower().replace(",", " ").split():
        name = entry.removeprefix("*.").lstrip(".")
        if entry == "*" or name in (host, f"{host}:{port}", f"[{host}]") or host.endswith(f".{name}"):
            return True
        try:
            if ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False):
                return True
        except ValueError:
            continue
    return False


def _context(ca_bundle: Path | None, environ: Mapping[str, str]) -> ssl.SSLContext:
    variables = ((name, Path(environ[name])) for name in BUNDLES if environ.get(name))
    usual = ("certifi", Path(certifi.where()))
    name, path = ("github.ca_bundle", ca_bundle.expanduser()) if ca_bundle else next(variables, usual)
    try:
        if path.is_dir():
            return ssl.create_default_context(capath=path)
        return ssl.create_default_context(cafile=path)
    except OSError as error:  # an SSLError is one
        raise InputError(f"{name} names {path}, which is no file of certificates: {error.strerror or error}") from error
