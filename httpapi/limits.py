"""How often one may call: policies from the settings, the headers that tell of them, and the refusal."""

import time
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from httpapi import counts
from httpapi.address import client_address
from httpapi.callers import account_of
from httpapi.meter import meter
from httpapi.problems import TooManyRequests, Unauthenticated

ACCOUNT: Final = "account"
_ATTRIBUTE: Final = "_standings"


class Policy(msgspec.Struct, frozen=True):
    """A quota of calls in a window; each subject has windows of its own that begin at different moments."""

    name: str
    quota: int
    window_seconds: int


class Standing(msgspec.Struct, frozen=True):
    """Where a subject stands with a policy."""

    policy: Policy
    remaining: int
    reset_seconds: int


def policy(name: str) -> Policy:
    """The policy of this name as the settings have it."""
    return _read(name, settings.RATE_LIMITS[name])


@lru_cache(maxsize=64)
def _read(name: str, words: str) -> Policy:
    quota, _, seconds = words.partition("/")
    if not (quota.isdecimal() and seconds.isdecimal() and int(quota) and int(seconds)):
        raise ImproperlyConfigured(f"the limit {name} must look like 60/3600 (calls/seconds), not {words!r}")
    return Policy(name=name, quota=int(quota), window_seconds=int(seconds))


def spend_by_address(request: HttpRequest, name: str) -> None:
    """Count this call against the caller's address; refuses once the quota is used up."""
    _spend(request, name, client_address(request))


def spend_by_caller(request: HttpRequest, name: str) -> None:
    """Count this call, which must be rare, against the account that it is signed in for, beside the common limit."""
    _spend(request, name, _caller(request))


def _spend(request: HttpRequest, name: str, subject: str) -> None:
    rule = policy(name)
    key, reset = _window(rule, subject)
    used = counts.shared().add({key: 1}, rule.window_seconds)[key]
    _settle(request, rule, used, reset)


def _caller(request: HttpRequest) -> str:
    account = account_of(request)
    if account is None:
        raise Unauthenticated
    return account.hex


def spend_by_account(request: HttpRequest, subject: str) -> None:
    """Count this call against an account, without waiting for anything (see httpapi.meter)."""
    rule = policy(ACCOUNT)
    key, reset = _window(rule, subject)
    _settle(request, rule, meter().add(key, rule.window_seconds), reset)


def standings_of_address(request: HttpRequest, names: Sequence[str]) -> list[Standing]:
    """Where the caller's address stands with these policies; counts nothing."""
    return _standings(client_address(request), names)


def standings_of_caller(request: HttpRequest, names: Sequence[str]) -> list[Standing]:
    """Where the account that is signed in stands with these policies; counts nothing."""
    return _standings(_caller(request), names)


def _standings(subject: str, names: Sequence[str]) -> list[Standing]:
    rules = [policy(name) for name in names]
    windows = [_window(rule, subject) for rule in rules]
    used = counts.shared().get([key for key, _ in windows])
    return [
        Standing(rule, max(0, rule.quota - used[key]), reset) for rule, (key, reset) in zip(rules, windows, strict=True)
    ]


def spent(request: HttpRequest) -> list[Standing]:
    """The policies this call was counted against."""
    found: list[Standing] = request.__dict__.get(_ATTRIBUTE, [])
    return found


def add_headers(request: HttpRequest, response: HttpResponseBase) -> None:
    """RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers) for the policies this call met."""
    if found := spent(request):
        response.headers["RateLimit-Policy"] = ", ".join(_policy_item(standing.policy) for standing in found)
        response.headers["RateLimit"] = ", ".join(
            f'"{standing.policy.name}";r={standing.remaining};t={standing.reset_seconds}' for standing in found
        )


@lru_cache(maxsize=64)
def _policy_item(rule: Policy) -> str:
    return f'"{rule.name}";q={rule.quota};w={rule.window_seconds}'


def _window(rule: Policy, subject: str) -> tuple[str, int]:
    """The key of the present window of a subject, and the seconds until it ends."""
    moment = int(time.time()) + zlib.crc32(subject.encode())
    number, passed = divmod(moment, rule.window_seconds)
    return f"limit:{rule.name}:{subject}:{number}", rule.window_seconds - passed


def _settle(request: HttpRequest, rule: Policy, used: int, reset: int) -> None:
    request.__dict__.setdefault(_ATTRIBUTE, []).append(Standing(rule, max(0, rule.quota - used), reset))
    if used > rule.quota:
        raise TooManyRequests(
            params={
                "limit": rule.name,
                "quota": rule.quota,
                "window_seconds": rule.window_seconds,
                "retry_after_seconds": reset,
            },
            headers={"Retry-After": str(reset)},
        )
