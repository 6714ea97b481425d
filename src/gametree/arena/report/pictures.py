"""A match or a tournament as a picture."""

from gametree.arena.match import Match
from gametree.arena.tournament import Tournament
from gametree.explain.pictures.contest import ratings_table, score_curve
from gametree.explain.pictures.scene import Scene
from gametree.result import many


def picture(found: Match | Tournament) -> Scene:
    """The curve of the score of a match; the ratings and the cross table of a tournament."""
    if isinstance(found, Match):
        points = [(one.games, one.share, one.low, one.high) for one in found.curve]
        score = found.score
        caption = (
            f"{100 * score.share:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f}) of"
            f" {many(found.games_played, 'game', 'games')}"
        )
        return score_curve(points, f"{found.names[0]} against {found.names[1]}", caption)
    rated = [(one.rated.elo, one.rated.low, one.rated.high) for one in found.standings]
    shares = [[None if sample is None else sample.share for sample in line] for line in found.cross]
    caption = f"{found.kind}, {many(found.games_played, 'game', 'games')}"
    return ratings_table(found.names, rated, shares, found.game, caption)
