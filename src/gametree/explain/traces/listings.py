"""The pseudo-code of the searches that are written down in one form only. `tag | text`, as in `pseudocode`.

The star as a side says that MAX and MIN share the line; what is said of MAX holds for MIN the other way round.
"""

from typing import Final

_WINDOW = """
max enter min enter | function VALUE(state, depth, α, β) returns a value    (for MAX; MIN is the mirror image)
max leaf min leaf |   if IS-TERMINAL(state) then return UTILITY(state)
"""

_LOOP = """
 |   v ← −∞
 |   for each a in ACTIONS(state) do
* backup |     v ← max(v, VALUE(RESULT(state, a), depth − 1, α, β))
max cut min cut |     if v ≥ β then return v
max bound min bound |     α ← max(α, v)
"""

_HORIZON = "* leaf |   if depth = 0 then return EVAL(state)\n"
_LEAVE = "max leave min leave |   return v\n"
_END = "max leave min leave * end |   return v\n"

DEEPENING: Final = f"""
* start | for depth ← 1, 2, 3, … until time is up do
 |   v, best ← the value and the move of VALUE(root, depth, −∞, +∞)
* end | return the best move of the last depth that was finished
 |{_WINDOW}{_HORIZON.strip()}{_LOOP}{_LEAVE}"""

QUIESCENCE: Final = f"""{_WINDOW}* leaf |   if depth ≤ 0 and state is quiet then return EVAL(state)
* stand |   if depth ≤ 0 then v ← EVAL(state), ACTIONS ← the moves that are not quiet
 |   else v ← −∞
 |   if v ≥ β then return v, else α ← max(α, v)
 |   for each a in ACTIONS(state) do
* backup |     v ← max(v, VALUE(RESULT(state, a), depth − 1, α, β))
max cut min cut |     if v ≥ β then return v
max bound min bound |     α ← max(α, v)
{_END}"""

TABLE: Final = f"""{_WINDOW}{_HORIZON}* table |   if TABLE[state, depth] is enough then return it, else narrow α, β
 |   v ← −∞
 |   for each a in ACTIONS(state) do
* backup |     v ← max(v, VALUE(RESULT(state, a), depth − 1, α, β))
max cut min cut * skip |     if v ≥ β then leave the loop
max bound min bound |     α ← max(α, v)
 |   TABLE[state, depth] ← v, with what it proves: =, ≥ or ≤
{_END}"""

ORDERING: Final = f"""{_WINDOW}{_HORIZON}* order |   sort ACTIONS(state), the most promising first
{_LOOP.strip()}
{_END}"""

NULL: Final = f"""{_WINDOW}{_HORIZON}* null |   v ← VALUE(PASS(state), depth − 2, α, β)    unless the last move was one
* skip |   if v ≥ β then return v
{_LOOP.strip()}
{_END}"""

FORWARD: Final = f"""{_WINDOW}{_HORIZON}* skip |   ACTIONS ← those k of ACTIONS(state) that seem best
{_LOOP.strip()}
{_END}"""

STAR: Final = """
chance enter | function CHANCE(state, α, β) returns a value    (all payoffs lie between L and U)
 |   total ← 0; least, most ← what the outcomes that are left add: p·L each, p·U each
{probe} |   for each outcome r of state do
 |     take p·L and p·U of r off least and most
 |     v ← VALUE(RESULT(state, r), (α − total − most) / p, (β − total − least) / p)
chance backup |     total ← total + p · v
* cut |     if total + most ≤ α or total + least ≥ β then return that bound
chance leave |   return total
 |
max enter | function MAX-VALUE(state, α, β) returns a value
max leaf chance leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   v ← −∞
 |   for each a in ACTIONS(state) do
max backup |     v ← MAX(v, VALUE(RESULT(state, a), α, β))
max cut |     if v ≥ β then return v
max bound |     α ← MAX(α, v)
max leave |   return v
 |
min enter | function MIN-VALUE(state, α, β) returns a value
min leaf |   if IS-TERMINAL(state) then return UTILITY(state)
 |   v ← +∞
 |   for each a in ACTIONS(state) do
min backup |     v ← MIN(v, VALUE(RESULT(state, a), α, β))
min cut |     if v ≤ α then return v
min bound |     β ← MIN(β, v)
min leave |   return v
"""

STAR1: Final = STAR.replace("{probe} |", " |")
STAR2: Final = STAR.replace(
    "{probe} |",
    "* probe |   first for each r: a bound on it by one move of who moves there, instead of L or U\n |",
)

MONTE_CARLO: Final = """
* start | for each simulation do
 |   selection: node ← the root; while node has children do
* select |     node ← an untried child, or that of greatest x̄ + c·√(ln N / n)
* expand |   expansion: a node that was visited before gets its children
* simulate * leaf |   simulation: play at random until the game is over
* update |   backup: at every node on the way N ← N + 1, sum ← sum + payoff
* end | return the move that was tried most
"""

SSS: Final = """
* start | OPEN ← {⟨root, live, +∞⟩}
 | repeat: take the state ⟨J, status, h⟩ with the greatest h from OPEN
* end |   J is the root and solved: return h
* leaf |   J is live and a leaf: add ⟨J, solved, min(h, payoff of J)⟩
max expand |   J is live and MAX moves: add ⟨K, live, h⟩ for every child K
min expand |   J is live and MIN moves: add ⟨the first child, live, h⟩
max update |   J is solved below MAX: add ⟨parent, solved, h⟩, drop all states below it
min update |   J is solved below MIN: add ⟨the next child, live, h⟩
min solved |     after the last child: add ⟨parent, solved, h⟩
"""

PROOF_NUMBERS: Final = """
* start | pn, dn of a leaf: 0, ∞ where it is proven; ∞, 0 where it is disproven; 1, 1 where it is open
 | while pn ≠ 0 and dn ≠ 0 at the root do
* select |   go down to the most-proving node: at OR by least pn, at AND by least dn
* expand |   expand it: its children are new leaves
 |   from there upwards:
or update |     OR:  pn ← the least pn of the children, dn ← the sum of their dn
and update |     AND: pn ← the sum of the children's pn, dn ← the least of their dn
* same |     if nothing has changed then leave the loop
* end | proven if pn = 0 at the root, disproven if dn = 0
"""

LISTINGS: Final = {
    "deepening": DEEPENING,
    "quiescence": QUIESCENCE,
    "transpositions": TABLE,
    "ordering": ORDERING,
    "null-move": NULL,
    "forward-pruning": FORWARD,
    "star1": STAR1,
    "star2": STAR2,
    "mcts": MONTE_CARLO,
    "sss": SSS,
    "pns": PROOF_NUMBERS,
}
"""The code of each of these methods."""
