"""Django's entry for this app."""

from typing import Final

from django.apps import AppConfig

STATUSES: Final = {
    "game_not_open": 409,
    "game_not_running": 409,
    "game_full": 409,
    "already_seated": 409,
    "not_seated": 409,
    "not_the_host": 403,
    "too_few_players": 409,
    "table_too_large": 400,
    "unknown_option": 400,
    "option_not_offered": 400,
    "impossible_option": 400,
    "unknown_preset": 400,
    "wrong_join_code": 404,
    "history_not_visible": 403,
    "record_not_ready": 409,
    "version_conflict": 412,
    "not_your_sandbox_game": 403,
    "unknown_player": 400,
    "duplicate_player": 400,
    "unknown_card": 400,
    "too_many_cards": 400,
    "no_cards": 400,
    "needs_one_card": 400,
    "called_and_owed": 400,
    "lead_covered": 400,
    "odd_number": 400,
    "drawn_not_playable": 400,
    "owed_on_stack": 400,
    "stages_in_single_mode": 400,
}
"""The status of each code of the game, those of the rules apart: these are all 409."""


class GamesConfig(AppConfig):
    """The game of TAKI."""

    name = "games"

    def ready(self) -> None:
        """Introduce the game to the rooms below it."""
        from games.introduction import introduce  # noqa: PLC0415 (models are not ready before)

        introduce()
