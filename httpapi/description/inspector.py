"""drf-spectacular's way to an operation: the call that a chapter tells, or what a serializer gives away."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpRequest
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from msgspec import Struct

from httpapi.description.book import Book
from httpapi.description.operations import operation


class Demands(Struct, frozen=True):
    """What a view asks of a caller; `scopes` None: no token, empty: any token."""

    scopes: tuple[str, ...] | None
    limited: bool


class ToldSchema(AutoSchema):
    """Views whose calls stand in the book are described by it, others by their serializers."""

    book: ClassVar[Book]

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any] | None:
        """The operation of a method."""
        found = self.book.find(type(self.view), method)
        if found is None:
            return super().get_operation(path, path_regex, path_prefix, method, registry)
        return operation(self.book, self.book.described(found, path, method, demands(self.view, method)))


def demands(view: Any, method: str) -> Demands:
    """What a view asks of the callers of a method; permissions name the scopes they want."""
    permissions = view.get_permissions()
    scopes = tuple(scope for permission in permissions for scope in getattr(permission, "wanted", ()))
    return Demands(scopes if permissions else None, method in getattr(view, "limited", {}))


def pretended_request(method: str, path: str, view: Any, _original: Any, **_: Any) -> HttpRequest:
    """A request that asks a view for what it demands; nobody answers it."""
    request = HttpRequest()
    request.method, request.path = method, path
    return request
