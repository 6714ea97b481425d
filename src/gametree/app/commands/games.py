"""`gametree games`: the games that can be named."""

import dataclasses

from gametree import games as shelf
from gametree.app.options import Json, json_only
from gametree.app.screen import width, wrapped


def games(as_json: Json = False) -> None:
    """Lists the games that can be named, each with its parameters (--set) and their defaults.

    \b
    Example:
      gametree games
    """
    with json_only(as_json) as emit:
        found = [shelf.describe(name) for name in shelf.names()]
        if as_json:
            emit([dataclasses.asdict(one) for one in found])
            return
    for one in found:
        if one.error is not None:
            print(wrapped(str(one), width(), hanging=4))
            continue
        print(wrapped(" ".join((one.name, *one.parameters)), width(), hanging=4))
        print(wrapped(f"    {one.summary}", width(), hanging=4))
