"""What the calls about accounts say of themselves (docs/api.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from accounts import requests
from accounts.api import shapes, views
from accounts.selectors import PublicPlayer
from httpapi.description.calls import Call, Calls, Chapter, Reply, SignIn
from httpapi.description.paged import paged
from httpapi.paging import PageQuery

_PASSWORD: Final = ("password_too_short", "password_too_common", "password_too_similar")
_NAME: Final = ("username_pattern", *_PASSWORD)
_DISPLAY_NAME: Final = ("forbidden_character", "blank_text", "birth_year_in_the_future")
_NEW: Final = ("Location",)

_SIGNING_UP: Final[Calls] = {
    (views.PlayersView, "POST"): Call(
        name="signUp",
        summary="Sign up",
        text="An account for a person, with a first token; the token is shown this once. Counted by address.",
        body=requests.SignUp,
        replies={201: Reply(type=shapes.SignedUp, text="The account and its first token.", headers=_NEW)},
        codes=("username_taken",),
        faults=(*_NAME, *_DISPLAY_NAME),
    ),
    (views.GuestsView, "POST"): Call(
        name="openGuest",
        summary="Play as a guest",
        text="An account for a device, without name and password. Its token lives for a year, since a guest cannot sign in "
        "again; `POST /me/upgrade` makes a person of it. Counted by address.",
        body=requests.OpenGuest,
        replies={201: Reply(type=shapes.SignedUp, text="The account and its token.", headers=_NEW)},
        faults=_DISPLAY_NAME,
    ),
    (views.PlayerView, "GET"): Call(
        name="getPlayer",
        summary="Look at a player",
        text="What everybody may know. Who deleted an account is shown under a pseudonym.",
        replies={200: Reply(type=PublicPlayer, text="The public part.")},
    ),
}

_TOKENS: Final[Calls] = {
    (views.TokensView, "POST"): Call(
        name="signIn",
        summary="Sign in",
        text="A token for user name and password, shown this once. A wrong name and a wrong password get the same answer. "
        "Counted by address.",
        body=requests.SignIn,
        replies={201: Reply(type=shapes.NewToken, text="The token.")},
        codes=("sign_in_failed", "scope_not_grantable"),
        faults=("forbidden_character", "blank_text"),
    ),
    (views.TokensView, "GET"): Call(
        name="listTokens",
        summary="List your tokens",
        text="Those that still count, newest first.",
        query=PageQuery,
        replies={200: Reply(type=paged(shapes.TokenShown, "TokenPage"), text="One page.")},
        faults=("invalid_cursor",),
    ),
    (views.TokenView, "DELETE"): Call(
        name="revokeToken",
        summary="Revoke a token",
        text="At once. Every token may end itself; one with the scope `play` any of the account. One that ended already stays so.",
        replies={204: Reply(text="It counts no more.")},
        codes=("scope_missing",),
    ),
}

_OWN: Final[Calls] = {
    (views.MeView, "GET"): Call(
        name="getMe",
        summary="Look at your account",
        replies={200: Reply(type=shapes.Account, text="The account, as only its owner sees it.")},
    ),
    (views.MeView, "PATCH"): Call(
        name="changeMe",
        summary="Change your account",
        text="Changes what is named and leaves the rest; `null` takes the year of birth away.",
        body=requests.ChangeAccount,
        replies={200: Reply(type=shapes.Account, text="The account as it is now.")},
        faults=_DISPLAY_NAME,
    ),
    (views.MeView, "DELETE"): Call(
        name="deleteMe",
        summary="Delete your account",
        text="User name, display name, year of birth, password and the labels of tokens are erased, all tokens end. Seats and "
        "results stay, under a pseudonym. Open tables that you host are cancelled, your seats at others given back, running games "
        "left: all of it or, if anything fails, none. There is no way back.",
        replies={204: Reply(text="It is gone.")},
    ),
    (views.UpgradeView, "POST"): Call(
        name="upgradeMe",
        summary="Turn a guest into a person",
        text="A user name and a password for a guest; seats, results and tokens stay. Counted by address.",
        body=requests.Upgrade,
        replies={200: Reply(type=shapes.Account, text="The account as it is now.")},
        codes=("not_a_guest", "username_taken"),
        faults=(*_NAME, *_DISPLAY_NAME),
    ),
    (views.PasswordView, "POST"): Call(
        name="changePassword",
        summary="Change your password",
        text="A new password for the old one; all your other tokens end. Counted by address.",
        body=requests.ChangePassword,
        replies={200: Reply(type=shapes.PasswordChanged, text="Changed.")},
        codes=("wrong_password", "no_password_yet"),
        faults=_PASSWORD,
    ),
    (views.LimitsView, "GET"): Call(
        name="getLimits",
        summary="List your limits",
        text="And what is left of them.",
        replies={200: Reply(type=shapes.Limits, text="That of the account first, then those of your address.")},
    ),
}

CHAPTER: Final = Chapter(
    tag="accounts",
    text="Players, guests and tokens.",
    calls={**_SIGNING_UP, **_TOKENS, **_OWN},
    words=Path(__file__).with_name("words.yaml"),
    names={shapes.TokenShown: "Token", shapes.LimitShown: "Limit", PublicPlayer: "Player"},
    places={
        "player_id": {"description": "The player's id.", "schema": {"type": "string", "format": "uuid"}},
        "token_id": {"description": "The token's id; not the token.", "schema": {"type": "string", "format": "uuid"}},
    },
    sign_in=SignIn(
        token=("token_missing", "token_unknown", "token_expired", "token_revoked", "account_locked"),
        scope=("scope_missing",),
    ),
)
