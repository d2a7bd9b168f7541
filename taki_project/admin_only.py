"""Django's middleware of sessions, forms and messages, kept to the admin's pages: no call of the API passes through it."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_BEFORE_FORMS: Final = (SessionMiddleware, CommonMiddleware)
_BEHIND_FORMS: Final = (AuthenticationMiddleware, MessageMiddleware, XFrameOptionsMiddleware)


class AdminMiddleware:
    """All of it in Django's order, as one step, which any other path passes by."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self._forms = CsrfViewMiddleware(_through(_BEHIND_FORMS, get_response))
        self._admin = _through(_BEFORE_FORMS, convert_exception_to_response(self._forms))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Through it for the admin, past it for everybody else."""
        return self._admin(request) if _is_for_the_admin(request) else self.get_response(request)

    def process_view(self, request: HttpRequest, *rest: Any) -> HttpResponseBase | None:
        """Judges the forms of the admin; Django calls this between finding a view and calling it."""
        return self._forms.process_view(request, *rest) if _is_for_the_admin(request) else None


def _is_for_the_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith("/admin/")


def _through(kinds: tuple[Any, ...], get_response: Any) -> Any:
    """A chain as Django makes it: what one of them raises is an answer for the one around it."""
    for kind in reversed(kinds):
        get_response = convert_exception_to_response(kind(get_response))
    return get_response
