"""Who has come in: one-time tokens, a password, and the cookies that they are exchanged for."""

import contextlib
import hashlib
import hmac
import os
import secrets
import time
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

Role: TypeAlias = Literal["owner", "guest"]
"""The owner has the address with the token; a guest knows the password."""

LASTS: Final = 30 * 24 * 3600
"""Seconds after which a cookie is worth nothing."""
_KEY_FILE: Final = "serve.key"
_KEY_BYTES: Final = 32


class Visitor(NamedTuple):
    """Somebody who has come in."""

    role: Role
    key: str
    """Tells one browser from another."""


class Visitors:
    """Tells whether a token, a password or a cookie is good.

    >>> doors = Visitors(b"secret", port=8642)
    >>> cookie = doors.admit(doors.token)
    >>> doors.visitor(cookie).role, doors.visitor(cookie[:-1]), doors.admit("a guess")
    ('owner', None, '')
    """

    def __init__(self, key: bytes, port: int, password: str | None = None):
        self.cookie_name: str = f"gametree-{port}"
        self.token: str = secrets.token_urlsafe(16)
        self.password: str | None = password
        # A cookie is good for the port and the password that it was given for.
        self._key = hashlib.sha256(b"|".join([key, str(port).encode(), (password or "").encode()])).digest()

    def admit(self, token: str) -> str:
        """The owner's cookie for a token, which is good once; empty where it is not good."""
        if not _same(token, self.token):
            return ""
        self.token = secrets.token_urlsafe(16)
        return self._cookie("owner")

    def welcome(self, password: str) -> str:
        """A guest's cookie for the password; empty where it is the wrong one, or there is none."""
        if self.password is None or not _same(password, self.password):
            return ""
        return self._cookie("guest")

    def visitor(self, cookie: str) -> Visitor | None:
        """Whom a cookie lets in."""
        about, _, mark = cookie.rpartition(".")
        if not _same(mark, self._mark(about)):
            return None
        role, until, key = about.split(".")
        if float(until) < time.time():
            return None
        return Visitor("owner" if role == "owner" else "guest", key)

    def _cookie(self, role: Role) -> str:
        about = f"{role}.{int(time.time()) + LASTS}.{secrets.token_hex(8)}"
        return f"{about}.{self._mark(about)}"

    def _mark(self, about: str) -> str:
        return hmac.new(self._key, about.encode(), hashlib.sha256).hexdigest()


def kept_key(folder: Path) -> bytes:
    """The key that cookies are made with. It is kept, so that pages go on after the server was started anew.

    Where it cannot be kept for this user alone, it is another one each time.
    """
    file = folder / _KEY_FILE
    new = secrets.token_bytes(_KEY_BYTES)
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as out:
                out.write(new)
        info = file.stat()
        private = os.name != "posix" or (info.st_uid == os.getuid() and not info.st_mode & 0o077)
        kept = file.read_bytes()
        if private and len(kept) == _KEY_BYTES:
            return kept
    return new


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
