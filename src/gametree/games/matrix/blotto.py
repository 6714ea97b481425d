"""Colonel Blotto: soldiers are sent to several fields at once (Borel 1921)."""

from collections.abc import Iterator
from math import comb

from gametree.errors import InputError
from gametree.games.matrix.game import Matrix
from gametree.games.matrix.spec import MOST_CELLS
from gametree.games.parameters import whole_number


class ColonelBlotto(Matrix):
    """Two colonels send their soldiers to some fields; each field goes to the one who has more there.

    The payoff is the fields won less those lost. `enemy` is how many soldiers the second has, the same where it is 0.

    >>> blotto = ColonelBlotto(soldiers=3, fields=2)
    >>> blotto.form.choices[0]
    ('3-0', '2-1', '1-2', '0-3')
    """

    def __init__(self, soldiers: int = 5, fields: int = 3, enemy: int = 0):
        self.soldiers: int = whole_number("soldiers", soldiers, least=1)
        self.fields: int = whole_number("fields", fields, least=1)
        self.enemy: int = whole_number("enemy", enemy, least=0)
        theirs = self.enemy or self.soldiers
        count = comb(soldiers + fields - 1, fields - 1) * comb(theirs + fields - 1, fields - 1)
        if count > MOST_CELLS // 4:
            raise InputError(
                f"soldiers={soldiers}, fields={fields}: the matrix would have {count:,} cells; take fewer of one"
            )
        ours, others = list(_ways(self.soldiers, self.fields)), list(_ways(theirs, self.fields))
        cells = [[sum((a > b) - (a < b) for a, b in zip(one, other)) for other in others] for one in ours]
        super().__init__(
            cells,
            rows=["-".join(map(str, one)) for one in ours],
            columns=["-".join(map(str, one)) for one in others],
        )


def _ways(soldiers: int, fields: int) -> Iterator[tuple[int, ...]]:
    """All ways to send soldiers to fields, most to the first ones first."""
    if fields == 1:
        yield (soldiers,)
        return
    for first in range(soldiers, -1, -1):
        for rest in _ways(soldiers - first, fields - 1):
            yield (first, *rest)
