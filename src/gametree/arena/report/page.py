"""A match or a tournament as one HTML page: what came of it, how games ended, and every game to replay."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from gametree.arena.match import Match
from gametree.arena.report.pictures import picture
from gametree.arena.rounds import GamePlayed, Round
from gametree.arena.tournament import Tournament
from gametree.board.found import board_of
from gametree.errors import GametreeError
from gametree.explain.pages.shell import filled
from gametree.explain.pictures.frames import Frames
from gametree.explain.pictures.svg import written
from gametree.game import Game
from gametree.result import many

MOST_NUMBERS: Final = 1_500_000
"""So many numbers in the positions of all games: a page of some 10 MB at the most."""
_HERE: Final = "gametree.arena.report"


def page(found: Match | Tournament, game: Game, names: Sequence[str]) -> str:
    """The whole page, to be written to a file as UTF-8. `names` are the players in the order of their numbers."""
    frames = Frames()
    games = list(_games(game, names, found, frames))
    left = found.games_played - len(games)
    told = f"{many(left, 'more game is', 'more games are')} in the file of results."
    title = f"{found.names[0]} against {found.names[1]}" if isinstance(found, Match) else "A tournament"
    data = {
        "games": games,
        "things": frames.things,
        "box": [round(frames.width + 2), round(frames.height + 2)],
    }
    return filled(
        _HERE,
        "match_page",
        f"{title}: {type(game).__name__}",
        data,
        data_id="match",
        style=frames.style("auto"),
        about=escape(found.game),
        summary=_summary(found),
        picture=written(picture(found), "auto"),
        endings=_endings(found),
        more=f"<p class='soft'>{told}</p>" if left else "",
    )


def _summary(found: Match | Tournament) -> str:
    if isinstance(found, Match):
        rows = "".join(
            f"<tr><th>{escape(label)}</th><td>{escape(text)}</td></tr>" for label, text in found.rows()
        )
        return f"<table>{rows}</table>"
    head, *rest = found.rows()
    cells = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rest)
    notes = "".join(f"<p>{escape(note)}</p>" for note in found.notes())
    return (
        f"<div class='wide'><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )


def _endings(found: Match | Tournament) -> str:
    rows = "".join(
        f"<tr><td>{escape(reason)}</td><td>{count:,}</td><td>{100 * count / max(1, found.games_played):.1f} %</td></tr>"
        for reason, count in sorted(found.reasons.items(), key=lambda one: -one[1])
    )
    length = found.plies / max(1, found.games_played)
    return (
        "<table><thead><tr><th>reason</th><th>games</th><th>share</th></tr></thead>"
        f"<tbody>{rows}</tbody></table><p class='soft'>{length:.1f} plies a game on average.</p>"
    )


def _games(
    game: Game, names: Sequence[str], found: Match | Tournament, frames: Frames
) -> Iterator[dict[str, Any]]:
    for one in found.each_round():
        for number, played in enumerate(one.games, 1):
            if frames.size > MOST_NUMBERS:
                return
            yield _game(game, names, one, number, played, frames)


def _game(
    game: Game, names: Sequence[str], one: Round, number: int, played: GamePlayed, frames: Frames
) -> dict[str, Any]:
    state = game.initial() if one.start is None else game.parse_state(one.start)
    positions: list[Any] = [frames.add(board_of(game, state), None, game.show(state))]
    for name in played.moves:
        try:
            state = game.result(state, game.parse_action(state, name))
        except (GametreeError, ValueError, LookupError, TypeError):
            break  # a game whose names cannot be read back
        positions.append(frames.add(board_of(game, state), positions[-1], game.show(state)))
    return {
        "name": f"{one.number + 1}.{number}",
        "players": [names[seat] for seat in played.seats],
        "points": [round(points, 3) for points in played.points],
        "reason": played.reason,
        "moves": list(played.moves),
        "opening": len(one.opening),
        "frames": positions,
    }
