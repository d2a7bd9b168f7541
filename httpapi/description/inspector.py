"""drf-spectacular's way to an operation: the call that a chapter tells of a view's method."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpRequest
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry

from httpapi.description.book import Book
from httpapi.description.calls import Demands
from httpapi.description.operations import operation


class ToldSchema(AutoSchema):
    """Views are described by the book; a call that nobody told of is left out, and a test names it."""

    book: ClassVar[Book]

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any] | None:
        """The operation of a method; None for one that nobody told of."""
        found = self.book.find(type(self.view), method)
        if found is None:
            return None
        return operation(self.book, self.book.described(found, path, method, demands(self.view, method)))


def demands(view: Any, method: str) -> Demands:
    """What a view asks of the callers of a method; permissions name the scopes they want."""
    permissions = view.get_permissions()
    scopes = tuple(scope for permission in permissions for scope in getattr(permission, "wanted", ()))
    return Demands(
        scopes=scopes if permissions else None,
        reads_token=bool(view.get_authenticators()),
        limited=method in getattr(view, "limited", {}),
    )


def pretended_request(method: str, path: str, view: Any, _original: Any, **_: Any) -> HttpRequest:
    """A request that asks a view for what it demands; nobody answers it."""
    request = HttpRequest()
    request.method, request.path = method, path
    return request
