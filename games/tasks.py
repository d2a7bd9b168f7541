"""Celery tasks: named for what they do, one service call each. Beat sends them; a lost one is made up by the next."""

from __future__ import annotations

from celery import shared_task

from games.models import DeadlineKind
from games.services import clock, sandbox


@shared_task(name="settle_expired_turns", ignore_result=True)
def settle_expired_turns() -> int:
    """Act for players whose turn or window ran out, and void open tables that nobody started."""
    return clock.sweep([DeadlineKind.TURN, DeadlineKind.EXPIRY])


@shared_task(name="draw_due_penalties", ignore_result=True)
def draw_due_penalties() -> int:
    """Draw the penalties of players whose time to call "last card" ran out."""
    return clock.sweep([DeadlineKind.CALL])


@shared_task(name="void_expired_sandbox_games", ignore_result=True)
def void_expired_sandbox_games() -> int:
    """Void what still runs of the sandbox games whose time is over."""
    return sandbox.void_expired()
