"""`gametree cache`: the machine code that is kept on disk."""

import dataclasses
import time
from collections.abc import Sequence
from typing import Annotated

import typer

from gametree.app.options import Json, json_only
from gametree.compiled import cache as store


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove every entry.")] = False,
    as_json: Json = False,
) -> None:
    """Shows the machine code that is kept on disk, or removes it.

    \b
    Examples:
      gametree cache
      gametree cache --clear
    """
    where = store.directory()
    with json_only(as_json) as emit:
        if clear:
            gone, kept = store.clear()
            if as_json:
                emit({"directory": str(where), "removed": gone, "kept": kept})
            else:
                still = f"; {kept} could not be removed" if kept else ""
                print(f"{gone} removed from {where}{still}")
            return
        entries = store.entries()
        if as_json:
            data = [{**dataclasses.asdict(entry), "path": str(entry.path)} for entry in entries]
            emit({"directory": str(where), "entries": data})
        else:
            _show(str(where), entries)


def _show(where: str, entries: Sequence[store.Entry]) -> None:
    for entry in entries:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created))
        print(f"{day}  {_bytes(entry.size):>8}  {entry.game} {entry.kernel}".rstrip())
    total = _bytes(sum(entry.size for entry in entries))
    noun = "entry" if len(entries) == 1 else "entries"
    print(f"{len(entries)} {noun}, {total}, in {where}")


def _bytes(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
