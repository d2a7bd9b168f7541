"""The description as a file, and the page that shows it; nothing of either comes from elsewhere."""

from __future__ import annotations

import hashlib
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from httpapi.answers import JSON
from taki_project import description

YAML: Final = "application/yaml"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """OpenAPI as JSON, or as YAML for who asks for it by `?format=yaml` or by Accept."""
    if _wants_yaml(request):
        return _kept(request, description.as_yaml(), YAML)
    return _kept(request, description.as_json(), JSON)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The interactive page."""
    return HttpResponse(render_to_string("docs.html"), headers={"Content-Security-Policy": POLICY})


def _wants_yaml(request: HttpRequest) -> bool:
    wanted = request.GET.get("format")
    return wanted == "yaml" if wanted else request.get_preferred_type([JSON, YAML]) == YAML


def _kept(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """The file, or 304 for who holds it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "public, no-cache"}
    if tag in request.META.get("HTTP_IF_NONE_MATCH", ""):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(body, content_type=content_type, headers=headers)
