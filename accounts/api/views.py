"""Calls about players, tokens and one's own account."""

from typing import ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from accounts import requests, selectors
from accounts.api import shapes
from accounts.api.callers import caller_of
from accounts.api.permissions import SignedIn, require, scoped
from accounts.models import Player, Token
from accounts.scopes import Scope
from accounts.services import closing, registration, tokens
from httpapi import limits
from httpapi.answers import Answer, answer, json_answer, no_content
from httpapi.idempotency import once
from httpapi.languages import asked_for
from httpapi.paging import Listing, PageQuery, page
from httpapi.parsing import decode_body, decode_query, uuid_or_404
from httpapi.plain import plain
from httpapi.views import ApiView

SECRET: Final = {"Cache-Control": "no-store"}
TokenKey = tuple[UUID]
BY_ADDRESS: Final = ("sign_up", "guest", "sign_in")


def _welcome(player: Player) -> Answer:
    signed_up = shapes.SignedUp(shapes.account_shown(player), shapes.new_token(tokens.issue(player)))
    return answer(signed_up, 201, {"Location": f"/api/v1/players/{player.id}", **SECRET})


class PlayersView(ApiView):
    """Sign up."""

    anonymous = ("POST",)
    limited: ClassVar = {"POST": "sign_up"}

    def post(self, request: Request) -> HttpResponse:
        """A player with a first token."""
        language = asked_for(plain(request))
        return once(request, lambda: _welcome(registration.sign_up(decode_body(request, requests.SignUp), language)))


class GuestsView(ApiView):
    """Play at once."""

    anonymous = ("POST",)
    limited: ClassVar = {"POST": "guest"}

    def post(self, request: Request) -> HttpResponse:
        """A player without a password, with a token."""
        language = asked_for(plain(request))
        return once(
            request, lambda: _welcome(registration.open_guest(decode_body(request, requests.OpenGuest), language))
        )


class PlayerView(ApiView):
    """A player as others see it."""

    permission_classes = ()

    def get(self, request: Request, player_id: str) -> HttpResponse:
        """The public part."""
        return json_answer(selectors.public_player(uuid_or_404(player_id)))


class TokensView(ApiView):
    """Sign in; the list of one's tokens."""

    anonymous = ("POST",)
    limited: ClassVar = {"POST": "sign_in"}
    permission_classes = (SignedIn,)

    queries: ClassVar = ("GET",)

    def post(self, request: Request) -> HttpResponse:
        """A new token for name and password."""

        def work() -> Answer:
            issued = tokens.sign_in(decode_body(request, requests.SignIn))
            return answer(shapes.new_token(issued), 201, SECRET)

        return once(request, work)

    def get(self, request: Request) -> HttpResponse:
        """The tokens that count, newest first."""
        caller = caller_of(request)
        listing: Listing[Token, TokenKey] = Listing(
            key_type=TokenKey,
            key=lambda row: (row.id,),
            fetch=lambda position, count: selectors.tokens_of(caller.player_id, position, count),
            show=lambda row: shapes.token_shown(row, caller.token_id),
        )
        return json_answer(page(request, decode_query(request, PageQuery), listing))


class TokenView(ApiView):
    """One token."""

    permission_classes = (SignedIn,)

    def delete(self, request: Request, token_id: str) -> HttpResponse:
        """End a token; every token may end itself, one with the scope play any of the account."""
        token = uuid_or_404(token_id)
        if token != caller_of(request).token_id:
            require(request, Scope.PLAY)
        tokens.revoke(caller_of(request).player_id, token)
        return no_content()


class MeView(ApiView):
    """One's own account."""

    permission_classes = (scoped("play"),)
    permissions_of: ClassVar = {"GET": SignedIn, "HEAD": SignedIn}

    def get(self, request: Request) -> HttpResponse:
        """The account."""
        return json_answer(shapes.account_shown(selectors.account(caller_of(request).player_id)))

    def patch(self, request: Request) -> HttpResponse:
        """Change some of it."""
        changed = registration.change(caller_of(request).player_id, decode_body(request, requests.ChangeAccount))
        return json_answer(shapes.account_shown(changed))

    def delete(self, request: Request) -> HttpResponse:
        """Leave for good."""
        closing.close(caller_of(request).player_id)
        return no_content()


class UpgradeView(ApiView):
    """A guest becomes a person."""

    permission_classes = (scoped("play"),)
    limited: ClassVar = {"POST": "sign_up"}

    def post(self, request: Request) -> HttpResponse:
        """The account with its name."""
        caller = caller_of(request)

        def work() -> Answer:
            player = registration.upgrade(caller.player_id, decode_body(request, requests.Upgrade))
            return answer(shapes.account_shown(player))

        return once(request, work)


class PasswordView(ApiView):
    """One's password."""

    permission_classes = (scoped("play"),)
    limited: ClassVar = {"POST": "sign_in"}

    def post(self, request: Request) -> HttpResponse:
        """Change it; all other tokens end."""
        caller = caller_of(request)

        def work() -> Answer:
            asked = decode_body(request, requests.ChangePassword)
            ended = closing.change_password(caller.player_id, caller.token_id, asked)
            return answer(shapes.PasswordChanged(ended))

        return once(request, work)


class LimitsView(ApiView):
    """How much one may still call."""

    permission_classes = (SignedIn,)

    def get(self, request: Request) -> HttpResponse:
        """All limits, that of the account first."""
        inner = plain(request)
        own = [shapes.limit_shown(standing, "account") for standing in limits.spent(inner)]
        rarer = [name for name in settings.RATE_LIMITS if name not in (limits.ACCOUNT, *BY_ADDRESS)]
        own += [shapes.limit_shown(standing, "account") for standing in limits.standings_of_caller(inner, rarer)]
        others = limits.standings_of_address(inner, BY_ADDRESS)
        return json_answer(shapes.Limits(own + [shapes.limit_shown(standing, "address") for standing in others]))
