"""What can go wrong, in the user's words. Every message names the way out."""

from collections.abc import Sequence


class GametreeError(Exception):
    """The root of everything gametree raises on purpose."""


class RulesError(GametreeError):
    """The rules break the contract. `path` holds the names of the actions that lead there."""

    def __init__(self, message: str, path: Sequence[str] = ()):
        self.path: tuple[str, ...] = tuple(path)
        super().__init__(f"{message} (after {', '.join(self.path)})" if self.path else message)


class UnsuitableError(GametreeError):
    """The method asked for does not fit the game; the message names one that does."""


class CompileError(GametreeError):
    """The rules do not compile and `compile="always"` was asked for."""


class InputError(GametreeError, ValueError):
    """A text, number or option that cannot be understood."""


class TooDeepError(GametreeError):
    """A search without a depth met no end: the game is very deep or goes in circles."""


class FellBackError(GametreeError):
    """Compiled rules left what machine code can do; the game runs interpreted from now on, so search again.

    Searches do that by themselves. Whoever meets this error has called something smaller.
    """

    seconds: float = 0.0
    """How long was searched before."""
