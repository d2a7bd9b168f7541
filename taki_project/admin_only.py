"""Django's middleware of sessions, forms and messages, kept to the admin's pages: no call of the API pays for them."""

from typing import Any

from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest
from django.middleware import clickjacking, common, csrf
from django.utils.deprecation import MiddlewareMixin


def is_for_the_admin(request: HttpRequest) -> bool:
    """Whether the path lies below /admin/."""
    return request.path_info.startswith("/admin/")


class AdminOnly(MiddlewareMixin):
    """Steps aside for every path but the admin's."""

    def __call__(self, request: HttpRequest) -> Any:
        """Through the middleware that this is mixed into, or past it."""
        return super().__call__(request) if is_for_the_admin(request) else self.get_response(request)


class SessionMiddleware(AdminOnly, sessions.SessionMiddleware):
    """Sessions."""


class CommonMiddleware(AdminOnly, common.CommonMiddleware):
    """Missing slashes."""


class CsrfViewMiddleware(AdminOnly, csrf.CsrfViewMiddleware):
    """Form tokens; Django calls `process_view` by itself, so it steps aside there too."""

    def process_view(self, request: HttpRequest, *rest: Any) -> Any:
        """Judges forms of the admin alone."""
        return super().process_view(request, *rest) if is_for_the_admin(request) else None


class AuthenticationMiddleware(AdminOnly, auth.AuthenticationMiddleware):
    """The user of a session."""


class MessageMiddleware(AdminOnly, messages.MessageMiddleware):
    """One-time messages."""


class XFrameOptionsMiddleware(AdminOnly, clickjacking.XFrameOptionsMiddleware):
    """No frames."""
