"""Stands before everything: who may ask, by which name of this machine, from which page.

A page of somebody else can make a browser send requests to this machine, under a name that it has made point here. So a
request has to name a host that is served, once; whatever changes something or opens a WebSocket has to come from a page
that was served here; and the browser has to have a cookie that was given for the token or the password.
"""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, TypeAlias

from gametree.app.web.visitors import Visitor, Visitors
from gametree.jobs.addresses import is_loopback

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""No script but from our own files, and nothing from or to anybody else."""
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Without any referrer a browser would send our own form from the origin "null".
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
)


class Names:
    """Under which names a server may be asked for.

    >>> names = Names("127.0.0.1", 8642)
    >>> "localhost:8642" in names, "127.0.0.1:8642" in names, "evil.example:8642" in names, "localhost" in names
    (True, True, False, False)
    """

    def __init__(self, host: str, port: int):
        self.loopback: bool = is_loopback(host)
        self._port = port
        # Where every address of the machine is served, an address is no name that somebody can have made point here.
        self._any_address = host in ("0.0.0.0", "::")
        names = {"127.0.0.1", "localhost", "::1", host} if self.loopback else {host}
        if self._any_address:
            own = socket.gethostname().lower()
            names |= {"localhost", own, own.partition(".")[0] + ".local", socket.getfqdn().lower()}
        self._names = frozenset(name.lower() for name in names)

    def __contains__(self, host: str) -> bool:
        name, port = _split(host.lower())
        if port != self._port and (port is not None or self._port != 80):
            return False
        return name in self._names or (self._any_address and _is_address(name))


class Gate:
    """Lets through what may come in; `app` finds the one who asks in `scope["visitor"]`."""

    def __init__(self, app: App, names: Names, visitors: Visitors, open_paths: Iterable[str] = ()):
        self._app = app
        self._names = names
        self._visitors = visitors
        self._open = frozenset(open_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["visitor"] = self._visitor(_all(scope, b"cookie"))
        status, why = self._refusal(scope)
        if why:
            await _refuse(scope, send, status, why)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self._app(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str]:
        hosts, origins = _all(scope, b"host"), _all(scope, b"origin")
        if len(hosts) != 1:
            return 400, "a request names one host"
        if hosts[0] not in self._names:
            return 421, "this host is not served here"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if (changes or origins) and origins != [f"http://{hosts[0]}"]:
            return 403, "the request comes from another page"
        if scope["visitor"] is None and scope["path"] not in self._open:
            return 401, "open the address that gametree serve printed"
        return 200, ""

    def _visitor(self, cookies: list[str]) -> Visitor | None:
        for text in cookies:
            try:
                jar = SimpleCookie(text)
            except CookieError:
                continue
            if self._visitors.cookie_name in jar:
                return self._visitors.visitor(jar[self._visitors.cookie_name].value)
        return None


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    kind = "http.response"
    if scope["type"] == "websocket":
        kind = "websocket.http.response"
        if kind not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": why})
            return
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": f"gametree: {why}\n".encode()})


def _split(host: str) -> tuple[str, int | None]:
    """The name and the port of a Host header."""
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
    else:
        name, _, port = host.partition(":")
    if not port:
        return name, None
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
