"""Answer bodies: one encode by msgspec, with hooks for types of other apps."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from django.http import HttpResponse

JSON: Final = "application/json"

_HOOKS: Final[dict[type, Callable[[Any], Any]]] = {}


def _encode_special(value: object) -> Any:
    hook = _HOOKS.get(type(value))
    if hook is None:
        raise NotImplementedError(f"{type(value).__name__} has no form in JSON")
    return hook(value)


ENCODER: Final = msgspec.json.Encoder(enc_hook=_encode_special, uuid_format="canonical", decimal_format="string")


def register_type(type_: type, hook: Callable[[Any], Any]) -> None:
    """Let ENCODER write a type of another app; `hook` turns it into something msgspec knows."""
    _HOOKS[type_] = hook


class Answer(msgspec.Struct, frozen=True):
    """An answer as bytes, so that it can be kept and given again unchanged."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def response(self) -> HttpResponse:
        """The answer for Django."""
        return HttpResponse(self.body, status=self.status, content_type=JSON, headers=dict(self.headers))


def encoded(body: object) -> bytes:
    """The JSON of a body; bytes are taken for JSON already."""
    return body if isinstance(body, bytes) else ENCODER.encode(body)


def answer(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer to be given now, and kept if its request carried an Idempotency-Key."""
    return Answer(body=encoded(body), status=status, headers=tuple((headers or {}).items()))


def json_answer(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """An answer for Django from a Struct, from Raw, or from bytes that are JSON already."""
    return HttpResponse(encoded(body), status=status, content_type=JSON, headers=headers)


def no_content() -> HttpResponse:
    """204, nothing more to say."""
    response = HttpResponse(status=204)
    del response.headers["Content-Type"]
    return response
