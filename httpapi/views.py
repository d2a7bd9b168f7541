"""The base of all views: Django REST framework's order of checks without the steps that never differ here."""

from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final

from django.http.response import HttpResponseBase
from msgspec import Struct
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from httpapi import limits
from httpapi.parsing import decode_body, decode_query
from httpapi.plain import plain
from httpapi.renderers import MsgspecRenderer

_RENDERER: Final = MsgspecRenderer()


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The query, or the body, of a call that takes none."""


class ApiView(APIView):
    """A view. There is one form of answer and one version, so neither is negotiated.

    `anonymous` names the methods that overlook a token (where none is needed but a bad one is refused, empty
    `permission_classes` serve); `limited` gives, by method, the limit by address that a call is counted
    against, `limited_by_caller` one by account; `permissions_of` a permission other than those of the whole view;
    `queries` names the methods that read their query: anywhere else one is refused, not overlooked.
    """

    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    anonymous: ClassVar[Collection[str]] = ()
    limited: ClassVar[dict[str, str]] = {}
    limited_by_caller: ClassVar[dict[str, str]] = {}
    permissions_of: ClassVar[dict[str, type[BasePermission]]] = {}
    queries: ClassVar[Collection[str]] = ()

    def get_authenticators(self) -> list[Any]:
        """None where no token is needed."""
        return [] if self.request.method in self.anonymous else super().get_authenticators()

    def get_permissions(self) -> Sequence[Any]:
        """None where no token is needed, nor for a method that does not exist: 405 is no secret."""
        method = self.request.method or ""
        if method in self.anonymous or not hasattr(self, method.lower()) or method == "OPTIONS":
            return []
        own = self.permissions_of.get(method)
        return [own()] if own else super().get_permissions()

    def get_throttles(self) -> list[BaseThrottle]:
        """The limits by address and by account, if this method has any."""
        method = self.request.method or ""
        by_address, by_caller = self.limited.get(method), self.limited_by_caller.get(method)
        found: list[BaseThrottle] = [_ByAddress(by_address)] if by_address else []
        return [*found, _ByCaller(by_caller)] if by_caller else found

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Token, permission, limits, in this order."""
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)
        if request.method == "DELETE" and "DELETE" in self.allowed_methods:
            decode_body(request, Nothing)
        method = "GET" if request.method == "HEAD" else request.method
        if request.META.get("QUERY_STRING") and method in self.allowed_methods and method not in self.queries:
            decode_query(request, Nothing)

    def finalize_response(  # type: ignore[override]  # the stubs know no HttpResponse here
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """Most answers are complete; a Response of Django REST framework is still to be rendered."""
        if isinstance(response, Response):
            response.accepted_renderer = _RENDERER
            response.accepted_media_type = _RENDERER.media_type
            vars(response)["renderer_context"] = self.get_renderer_context()
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["Allow"] = ", ".join(self.allowed_methods)
        return response

    @property
    def default_response_headers(self) -> dict[str, str]:
        """None: the middleware adds what every answer carries."""
        return {}


class _ByAddress(BaseThrottle):
    """Counts a call against the limit of its address, which refuses by itself."""

    def __init__(self, name: str) -> None:
        self.name = name

    def allow_request(self, request: Request, view: Any) -> bool:
        """True, or 429."""
        limits.spend_by_address(plain(request), self.name)
        return True


class _ByCaller(_ByAddress):
    """Counts a call against a limit of its account."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """True, or 429."""
        limits.spend_by_caller(plain(request), self.name)
        return True
