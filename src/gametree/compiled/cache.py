"""Machine code on disk: one file an entry, in the user's own cache directory.

An entry is a line of JSON, then object code. It is written to a temporary file and renamed, so that readers see
all of it or nothing, and carries a checksum: a torn, foreign or old file is a miss, never a crash. Trouble in
writing (no permission, no space) means that the next process compiles again.
"""

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gametree.compiled import notices

SUFFIX = ".gtc"
_MAGIC = "gametree-code/1"
_LOCK = ".lock-"
LONGEST_WAIT = 60.0
"""Seconds to wait for another process that makes the same entry."""
_PAUSE = 0.02


def directory() -> Path:
    """Where entries are kept: GAMETREE_CACHE_DIR, or the platform's cache directory."""
    given = os.environ.get("GAMETREE_CACHE_DIR")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("gametree", appauthor=False)) / "code"


@dataclass(frozen=True)
class Entry:
    """What `gametree cache` shows of an entry."""

    path: Path
    game: str
    kernel: str
    size: int
    created: float


def _is_private(path: Path) -> bool:
    """Whether only this user, or the system's own, can have written here: machine code from others is not run."""
    if os.name != "posix":
        return True
    try:
        info = path.stat()
    except OSError:
        return False
    return info.st_uid in (os.getuid(), 0) and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """The entry of a key, or None where there is none that can be trusted."""
    folder = directory()
    path = folder / f"{key}{SUFFIX}"
    try:
        if not path.is_file():
            return None
        if not _is_private(folder) or not _is_private(path):
            notices.once(
                f"the machine code in {folder} is not used: it belongs to another user, or others can write to it"
            )
            return None
        header, _, body = path.read_bytes().partition(b"\n")
        about = json.loads(header)
        sound = (
            about.get("magic") == _MAGIC
            and about.get("key") == key
            and about.get("sha256") == hashlib.sha256(body).hexdigest()
        )
    except (OSError, ValueError, AttributeError):
        return None
    return (about, body) if sound else None


def save(key: str, about: dict[str, Any], body: bytes) -> bool:
    """Keeps an entry; False where that is not possible."""
    header = {
        **about,
        "magic": _MAGIC,
        "key": key,
        "sha256": hashlib.sha256(body).hexdigest(),
        "created": time.time(),
    }
    temporary = None
    try:
        folder = _private_directory()
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(header).encode() + b"\n" + body)
        Path(temporary).replace(folder / f"{key}{SUFFIX}")
        return True
    except OSError as error:
        notices.once(
            f"machine code cannot be kept ({error.strerror or error}), so that every run makes it anew:"
            " GAMETREE_CACHE_DIR names another folder"
        )
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        return False


@contextlib.contextmanager
def turn(key: str) -> Iterator[None]:
    """Within the block no other process is in such a block for the same key: it waits, and then finds the entry.

    After a minute it waits no longer, and where there are no locks not at all, nor in a directory that others can
    write to, where no entry would be found: then an entry is made twice, as well.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(_locked(f"{_LOCK}{key}"))
        yield


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """Holds a lock that is named by a file, which is gone afterwards; OSError where it cannot be had."""
    import filelock

    path = _private_directory() / name
    lock = filelock.FileLock(
        path, timeout=LONGEST_WAIT, mode=0o600, poll_interval=_PAUSE, fallback_to_soft=False
    )
    with lock:
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # as long as it is open, Windows does not let it go
                path.unlink()


def _private_directory() -> Path:
    """The directory, made where it is missing; OSError where others can write to it."""
    folder = directory()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_private(folder):
        raise PermissionError(f"others can write to {folder}")
    return folder


def entries() -> list[Entry]:
    """All readable entries, the newest first."""
    found = []
    for path in directory().glob(f"*{SUFFIX}"):
        try:
            with path.open("rb") as file:
                about = json.loads(file.readline(65536))
            found.append(
                Entry(
                    path,
                    str(about["game"]),
                    str(about["kernel"]),
                    path.stat().st_size,
                    float(about["created"]),
                )
            )
        except (OSError, ValueError, KeyError, TypeError):
            with contextlib.suppress(OSError):
                found.append(Entry(path, "(damaged)", "", path.stat().st_size, path.stat().st_mtime))
    return sorted(found, key=lambda entry: -entry.created)


def clear() -> tuple[int, int]:
    """Removes every entry; how many went and how many could not be removed."""
    gone = kept = 0
    folder = directory()
    for path in [*folder.glob(f"*{SUFFIX}"), *folder.glob(".new-*"), *folder.glob(f"{_LOCK}*")]:
        try:
            path.unlink()
            gone += 1
        except OSError:
            kept += 1
    return gone, kept
