"""The judgement on answers: part by part, with the mistakes."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from gametree.course.exercise import POINTS, Exercise
from gametree.documents.teaching import GradesDocument


@dataclass(frozen=True)
class Mistake:
    """Something that is not right: where, what was said, what is right."""

    where: str
    said: str
    right: str

    def __str__(self) -> str:
        return f"{self.where}: {self.said}, right is {self.right}"


@dataclass(frozen=True)
class PartGrade:
    """The judgement on one part."""

    part: str
    share: Fraction
    """From 0 to 1."""
    mistakes: tuple[Mistake, ...] = ()
    answered: bool = True

    @property
    def points(self) -> int:
        return POINTS[self.part]

    @property
    def score(self) -> float:
        return round(float(self.points * self.share), 2)

    @property
    def right(self) -> bool:
        return self.share == 1

    @property
    def verdict(self) -> Literal["right", "partly right", "wrong", "not answered"]:
        if not self.answered:
            return "not answered"
        return "right" if self.right else "partly right" if self.share else "wrong"


@dataclass(frozen=True)
class Grades:
    """The judgement on all parts of an exercise."""

    exercise: Exercise
    student: str
    parts: tuple[PartGrade, ...]
    notes: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return round(sum(part.score for part in self.parts), 2)

    @property
    def points(self) -> int:
        return self.exercise.points

    @property
    def right(self) -> bool:
        return all(part.right for part in self.parts)

    def to_dict(self) -> GradesDocument:
        """As JSON data, by the schema gametree.grades/1."""
        return {
            "schema": "gametree.grades/1",
            "exercise": self.exercise.id,
            "student": self.student,
            "score": self.score,
            "points": self.points,
            "parts": [
                {
                    "part": part.part,
                    "verdict": part.verdict,
                    "score": part.score,
                    "points": part.points,
                    "mistakes": [
                        {"where": one.where, "said": one.said, "right": one.right} for one in part.mistakes
                    ],
                }
                for part in self.parts
            ],
            "notes": list(self.notes),
        }

    def text(self, *, hide: bool = False) -> str:
        """For people; with `hide` it says where mistakes are and not what is right."""
        who = f" · {self.student}" if self.student else ""
        lines = [f"{self.exercise.id}{who}: {self.score:g} of {self.points} points"]
        for part in self.parts:
            first = ""
            if part.mistakes:
                shown = part.mistakes[0].where if hide else str(part.mistakes[0])
                more = f" (and {len(part.mistakes) - 1} more)" if len(part.mistakes) > 1 else ""
                first = f"; first mistake at {shown}{more}"
            lines.append(f"  {part.part:<12}{part.score:g} of {part.points}  {part.verdict}{first}")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])
