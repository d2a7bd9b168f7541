"""Makes the floors' tables, games, players and tokens, and prints the tokens of (a) and of the others as JSON."""

from __future__ import annotations

import os
import sys
from uuid import UUID

import django
import msgspec

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.load.floors.settings"
STATE_BYTES = 300


def main(games: int, players: int) -> None:
    """Ids of games are their numbers."""
    django.setup()
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from rest_framework.authtoken.models import Token  # noqa: PLC0415

    from bench.load.floors.models import Game  # noqa: PLC0415
    from bench.load.floors.work import sign  # noqa: PLC0415

    call_command("migrate", run_syncdb=True, verbosity=0)
    state = bytes(range(256)) + bytes(STATE_BYTES - 256)
    Game.objects.bulk_create([Game(id=UUID(int=number), state=state) for number in range(games)])
    users = User.objects.bulk_create([User(username=f"player-{number}") for number in range(players)])
    tokens = Token.objects.bulk_create([Token(user=user, key=Token.generate_key()) for user in users])
    told = {"a": [token.key for token in tokens], "signed": [sign(user.pk) for user in users]}
    sys.stdout.write(msgspec.json.encode(told).decode())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
