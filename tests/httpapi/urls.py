"""Addresses that only tests have: views that do one thing each."""

import threading
from collections.abc import Collection
from typing import Annotated, Any, ClassVar, Final, NoReturn
from uuid import UUID

import msgspec
from django.contrib.auth.models import Group
from django.core.exceptions import SuspiciousOperation
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from httpapi.answers import Answer, answer, json_answer
from httpapi.idempotency import once
from httpapi.paging import Listing, PageQuery, Position, page
from httpapi.parsing import decode_body, decode_query
from httpapi.problems import Conflict
from httpapi.versions import etag, if_match, if_none_match, not_modified
from httpapi.views import ApiView


class Nested(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str = ""
    numbers: tuple[Annotated[int, msgspec.Meta(ge=1, le=9)], ...] = ()


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=2, max_length=10)] = "none"
    number: int = 0
    word: Annotated[str, msgspec.Meta(pattern="^[a-z]*$")] = ""
    nested: Nested = Nested()
    choice: UUID | None = None
    anything: Any = None


class Query(PageQuery, frozen=True):
    number: int = 0
    flag: bool = False


class Work:
    """What the view `works` does inside `once`: told by a test, done once a test."""

    inside: ClassVar[threading.Event] = threading.Event()
    go_on: ClassVar[threading.Event] = threading.Event()


class Everyone(ApiView):
    """A view without sign-in."""

    queries: ClassVar[Collection[str]] = ("GET", "POST")

    anonymous = ("GET", "HEAD", "POST", "PATCH", "DELETE")


class Echo(Everyone):
    def post(self, request: Request) -> HttpResponse:
        return json_answer(decode_body(request, Body))

    def get(self, request: Request) -> HttpResponse:
        return json_answer(decode_query(request, Query))


class Effect(Everyone):
    """Adds a row, once per key."""

    def post(self, request: Request) -> HttpResponse:
        def work() -> Answer:
            name = decode_body(request, Nested).name
            row = Group.objects.create(name=name)
            return answer({"id": row.id, "name": row.name}, 201, {"X-Server-Time": "then"})

        return once(request, work)


class SlowEffect(Everyone):
    """Adds a row and waits inside the transaction until the test lets it go on."""

    def post(self, request: Request) -> HttpResponse:
        def work() -> Answer:
            Group.objects.create(name=decode_body(request, Nested).name)
            Work.inside.set()
            assert Work.go_on.wait(60)
            return answer({"done": True}, 201)

        return once(request, work)


class CutEffect(Everyone):
    """Adds a row, then loses the database before the commit."""

    def post(self, request: Request) -> HttpResponse:
        def work() -> Answer:
            Group.objects.create(name=decode_body(request, Nested).name)
            if not Work.go_on.is_set():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
            return answer({"done": True}, 201)

        return once(request, work)


class RefusedEffect(Everyone):
    """Adds a row, then refuses."""

    def post(self, request: Request) -> HttpResponse:
        def work() -> Answer:
            Group.objects.create(name=decode_body(request, Nested).name)
            raise Conflict(params={"reason": "because"}, extra={"legal_moves": [1, 2]})

        return once(request, work)


class Versioned(Everyone):
    """Stands at version 17."""

    def get(self, request: Request) -> HttpResponse:
        if 17 in if_none_match(request._request):
            return not_modified(17)
        return json_answer({"version": 17}, headers={"ETag": etag(17)})

    def post(self, request: Request) -> HttpResponse:
        return json_answer({"expected": if_match(request._request)})


class Numbers(Everyone):
    """The names of all groups, newest first."""

    def get(self, request: Request) -> HttpResponse:
        def fetch(position: Position[tuple[int]] | None, count: int) -> list[Group]:
            rows = Group.objects.all()
            if position is None:
                return list(rows.order_by("-id")[:count])
            if position.backward:
                return list(rows.filter(id__gt=position.key[0]).order_by("id")[:count])
            return list(rows.filter(id__lt=position.key[0]).order_by("-id")[:count])

        listing: Listing[Group, tuple[int]] = Listing(
            key_type=tuple[int], key=lambda row: (row.id,), fetch=fetch, show=lambda row: row.name
        )
        return json_answer(page(request, decode_query(request, PageQuery), listing))


class Framework(Everyone):
    """A view in the framework's own manner, serializers' way in and out."""

    def post(self, request: Request) -> Response:
        return Response({"got": request.data})


class Foreign(Everyone):
    parser_classes = (JSONParser,)

    def post(self, request: Request) -> Response:
        return Response(request.data)


class SignedIn(ApiView):
    """For the signed-in, by the default of the settings."""

    def get(self, request: Request) -> HttpResponse:
        return json_answer({})


class Broken(Everyone):
    def get(self, request: Request) -> NoReturn:
        raise RuntimeError("secret of the server")


def suspicious(request: HttpRequest) -> NoReturn:
    raise SuspiciousOperation("secret of the server")


def broken(request: HttpRequest) -> NoReturn:
    raise RuntimeError("secret of the server")


def asks_database(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return json_answer({})


urlpatterns: Final = [
    path("api/test/echo", Echo.as_view()),
    path("api/test/effect", Effect.as_view()),
    path("api/test/slow", SlowEffect.as_view()),
    path("api/test/cut", CutEffect.as_view()),
    path("api/test/refused", RefusedEffect.as_view()),
    path("api/test/versioned", Versioned.as_view()),
    path("api/test/numbers", Numbers.as_view()),
    path("api/test/framework", Framework.as_view()),
    path("api/test/foreign", Foreign.as_view()),
    path("api/test/signed-in", SignedIn.as_view()),
    path("api/test/broken", Broken.as_view()),
    path("api/test/broken-plain", broken),
    path("api/test/suspicious", suspicious),
    path("api/test/database", asks_database),
    path("", include("taki_project.urls")),
]
