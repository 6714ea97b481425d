"""What gametree writes and reads as JSON: every document by the name of its schema.

A document is described once. Type checkers see it, `reading.py` checks by it what is handed in, and the JSON schemas in
`schemas/` are made from it (`python tests/schemas.py --write`; a test compares).
"""

from typing import Any, Final

from gametree.documents.classroom import ClassAnswer, ClassRequest
from gametree.documents.hidden import EquilibriumDocument, ExploitabilityDocument, ProfileDocument
from gametree.documents.matches import (
    MatchDocument,
    MatchResultDocument,
    TournamentResultDocument,
    TuningDocument,
)
from gametree.documents.playing import LevelsDocument
from gametree.documents.protocol import AnswerDocument, RequestDocument
from gametree.documents.searching import (
    AnalysisDocument,
    CheckDocument,
    ResponseDocument,
    SolutionDocument,
    StrategyDocument,
    VerificationDocument,
)
from gametree.documents.spreading import PerftDocument, TuneDocument
from gametree.documents.teaching import (
    AnswersDocument,
    ExerciseDocument,
    GradesDocument,
    KeyDocument,
    ProgramGradesDocument,
    TraceDocument,
    WhyDocument,
)

DOCUMENTS: Final[dict[str, Any]] = {
    "gametree.analysis/1": AnalysisDocument,
    "gametree.answers/1": AnswersDocument,
    "gametree.check/1": CheckDocument,
    "gametree.code-grades/1": ProgramGradesDocument,
    "gametree.equilibrium/1": EquilibriumDocument,
    "gametree.exercise/1": ExerciseDocument,
    "gametree.exploitability/1": ExploitabilityDocument,
    "gametree.grades/1": GradesDocument,
    "gametree.key/1": KeyDocument,
    "gametree.levels/1": LevelsDocument,
    "gametree.match-result/1": MatchResultDocument,
    "gametree.match/2": MatchDocument,
    "gametree.perft/1": PerftDocument,
    "gametree.profile/1": ProfileDocument,
    "gametree.response/1": ResponseDocument,
    "gametree.solution/1": SolutionDocument,
    "gametree.strategy/1": StrategyDocument,
    "gametree.tournament-result/1": TournamentResultDocument,
    "gametree.trace/1": TraceDocument,
    "gametree.tune/1": TuneDocument,
    "gametree.tuning/1": TuningDocument,
    "gametree.verification/1": VerificationDocument,
    "gametree.why/1": WhyDocument,
}
"""Every document by the name of its schema."""
MESSAGES: Final[dict[str, Any]] = {
    "gametree.answer/1": AnswerDocument,
    "gametree.class-answer/1": ClassAnswer,
    "gametree.class-request/1": ClassRequest,
    "gametree.request/1": RequestDocument,
}
"""What `gametree engine` and `gametree serve` read and write, by the name of its schema, which no message repeats."""
