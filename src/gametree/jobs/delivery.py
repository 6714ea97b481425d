"""How parcels reach the workers of a Dask cluster: by the scheduler, once each, also those that join later.

As data of a task they would travel from worker to worker, and not all workers can reach each other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gametree.jobs.parcel import Parcel

if TYPE_CHECKING:
    WorkerPlugin = object  # the types of Dask are partly unknown
else:
    from distributed import WorkerPlugin

_here: Final[dict[str, Parcel]] = {}
"""The parcels that have reached this process."""


@dataclass(frozen=True)
class Ticket:
    """Stands for a parcel that was delivered."""

    digest: str


class Delivery(WorkerPlugin):
    """Has every worker keep a parcel."""

    def __init__(self, parcel: Parcel):
        self.parcel = parcel
        self.name: str = f"gametree-parcel-{parcel.digest}"

    def setup(self, worker: Any) -> None:
        """Called by Dask in every worker."""
        _here[self.parcel.digest] = self.parcel

    def teardown(self, worker: Any) -> None:
        """Called by Dask where nobody needs the parcel any more."""
        _here.pop(self.parcel.digest, None)


def call(function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """A call in a worker, with the parcels that its tickets stand for."""
    return function(*(_here[one.digest] if isinstance(one, Ticket) else one for one in given), **named)
