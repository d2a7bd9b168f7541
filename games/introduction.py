"""What the rooms below must know of the game: its codes, its values in JSON, its proofs."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db.models.signals import post_save

from accounts.services.closing import account_closes
from games import proofs
from games.apps import STATUSES
from games.engine.cards import Cards, Lead, enc_hook
from games.engine.refusals import REFUSALS
from games.engine.visibility import Moment
from games.i18n import ERRORS
from games.services.departures import on_closing_account
from games.services.erasure import on_saved_account
from httpapi import answers, catalog
from httpapi.clock import isoformat_ms


def introduce() -> None:
    """Tell them, once, when the service starts."""
    catalog.register(ERRORS, STATUSES | {refusal.code: 409 for refusal in REFUSALS})
    answers.register_type(Cards, enc_hook)
    answers.register_type(Lead, enc_hook)
    answers.register_type(Moment, lambda moment: isoformat_ms(moment.ms))
    proofs.register()
    account_closes.connect(on_closing_account, dispatch_uid="games.departures")
    post_save.connect(on_saved_account, sender=get_user_model(), dispatch_uid="games.erasure")
