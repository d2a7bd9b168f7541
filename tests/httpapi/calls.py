"""Calls to the service as a client makes them, and what is expected of every refusal."""

import json
from typing import Any, cast

from django.http import HttpResponse
from django.test import Client

from tests.description import conformity

Json = dict[str, Any]


class Answer:
    """An answer with its body read."""

    def __init__(self, response: HttpResponse) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.raw = response.content
        self.cookies = response.cookies

    @property
    def body(self) -> Json:
        return cast("Json", json.loads(self.raw))

    def ok(self, status: int = 200) -> Json:
        """The body of an answer that must have this status."""
        assert self.status == status, self.raw.decode()
        return self.body if self.raw else {}

    def refused(self, status: int, code: str) -> Json:
        """The document of a refusal that must be this one."""
        assert self.headers["Content-Type"] == "application/problem+json", self.raw.decode()
        body = self.body
        assert (self.status, body["status"], body["code"]) == (status, status, code), body
        assert body["type"] == f"/problems/{code}"
        assert body["request_id"] == self.headers["X-Request-ID"]
        assert body["title"]
        assert body["detail"]
        return body

    def faulty(self, pointer: str, code: str) -> Json:
        """The fault of a 400 that must point here."""
        errors = self.refused(400, "invalid_request")["errors"]
        assert [(error["pointer"], error["code"]) for error in errors] == [(pointer, code)]
        return cast("Json", errors[0])


def call(method: str, path: str, body: object = None, token: str | None = None, **headers: str) -> Answer:
    """Call the service; headers as `if_match="17"`, bytes as they are, everything else as JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        named["Authorization"] = f"Bearer {token}"
    sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    content_type = named.pop("content-type", "application/json" if sent else "")
    client = Client(raise_request_exception=False)
    answer = client.generic(method, path, sent, content_type, headers=named)
    conformity.check(method, path, answer)
    return Answer(cast("HttpResponse", answer))
