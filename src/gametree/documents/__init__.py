"""What gametree writes and reads as JSON: every document by the name of its schema.

A document is described once. Type checkers see it, `reading.py` checks by it what is handed in, and the JSON schemas in
`schemas/` are made from it (`python tests/schemas.py --write`; a test compares).
"""

from typing import Any, Final, get_args, get_type_hints

from gametree.documents.searching import (
    AnalysisDocument,
    CheckDocument,
    MatchDocument,
    ResponseDocument,
    SolutionDocument,
    StrategyDocument,
    VerificationDocument,
)
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
    get_args(get_type_hints(document)["schema"])[0]: document
    for document in (
        AnalysisDocument,
        AnswersDocument,
        CheckDocument,
        ExerciseDocument,
        GradesDocument,
        KeyDocument,
        MatchDocument,
        ProgramGradesDocument,
        ResponseDocument,
        SolutionDocument,
        StrategyDocument,
        TraceDocument,
        VerificationDocument,
        WhyDocument,
    )
}
"""Every document by the name of its schema."""
