"""Make the rows of games again from their logs."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.services.rebuilding import BrokenLog, rebuild


class Command(BaseCommand):
    """Make the rows of games again from their logs, and say which fields had been wrong."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", type=UUID, help="this game alone")

    def handle(self, *_: Any, game: UUID | None, **__: Any) -> None:
        games = Game.objects.values_list("pk", flat=True) if game is None else [game]
        number, mended, broken = 0, 0, 0
        for number, game_id in enumerate(games, 1):  # noqa: B007 (counted)
            try:
                rebuilt = rebuild(game_id)
            except LookupError as fault:
                raise CommandError(str(fault)) from fault
            except BrokenLog as fault:
                broken += 1
                self.stderr.write(f"{game_id}: not rebuilt, {fault}")
                continue
            if rebuilt.mended:
                mended += 1
                self.stdout.write(f"{game_id}: {', '.join(rebuilt.mended)} made again, version {rebuilt.version}")
        self.stdout.write(f"{number} games, {mended} mended, {broken} with a broken log")
        if broken:
            raise CommandError("some logs are broken: see verify_log")
