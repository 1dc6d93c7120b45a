"""A stand-in for the pipeline's thread that answers requests for maintenance."""

from pathlib import Path

from contract.errors import UserError
from contract.polling import poll_until
from contract.settings import Settings
from pipeline.maintenance.maintain import Maintained, TableStorage
from pipeline.maintenance.request import answer, next_request

SIZE = TableStorage(1, 2, 3, 4, 5, 6)
DONE = [Maintained("camera", SIZE, SIZE), Maintained("quarantine", SIZE, SIZE, "no space left")]


def settings_in(folder: Path) -> Settings:
    return Settings(checkpoints=str(folder), lake=str(folder / "lake"))


def answer_next_request(settings: Settings, hours: list[int], error: str | None = None) -> None:
    """Answer one request, as the pipeline's thread does."""

    def maintain(retention_hours: int | None) -> list[Maintained]:
        hours.append(retention_hours)
        if error:
            raise UserError(error)
        return DONE

    request = poll_until(lambda: next_request(settings), "a request", 20)
    assert request
    answer(settings, request, maintain)
