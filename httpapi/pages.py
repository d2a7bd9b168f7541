"""The page that the `type` of a problem leads to: what a code means, for people and for programs."""

from html import escape
from typing import Final

import msgspec
from django.http import HttpRequest, HttpResponse

from httpapi import catalog, languages, problems
from httpapi.answers import json_answer
from httpapi.catalog import Entry

RIGHT_TO_LEFT: Final = frozenset({"he"})
_PAGE: Final = """<!doctype html>
<html lang="{language}" dir="{direction}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title} ({code})</title>
<style>body{{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}}
:root{{color-scheme:light dark}}</style>
<h1>{title}</h1>
<p>{detail}</p>
<p><code dir="ltr">{code}</code> &middot; HTTP {status}</p>
</html>
"""


class Explanation(msgspec.Struct, frozen=True):
    """What a code means; `detail` has {placeholders} where an answer names particulars."""

    code: str
    status: int
    title: str
    detail: str


def problem(request: HttpRequest, code: str) -> HttpResponse:
    """A page for browsers, JSON for whoever prefers it, both in the language asked for."""
    entry = catalog.find(code)
    if entry is None:
        return problems.response(problems.NotFound(), request)
    language = languages.asked_for(request)
    answer = _as_page(entry, language) if wants_a_page(request) else _as_json(entry, language)
    answer.headers["Content-Language"] = language
    answer.headers["Vary"] = "Accept, Accept-Language"
    answer.headers["Cache-Control"] = "public, max-age=3600"
    return answer


def wants_a_page(request: HttpRequest) -> bool:
    """Whether the caller is rather a browser than a program."""
    return request.get_preferred_type(["application/json", "text/html"]) == "text/html"


def _as_json(entry: Entry, language: str) -> HttpResponse:
    text = catalog.text(entry.code, language)
    return json_answer(Explanation(entry.code, entry.status, text.title, text.detail))


def _as_page(entry: Entry, language: str) -> HttpResponse:
    text = catalog.text(entry.code, language)
    page = _PAGE.format(
        language=language,
        direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
        title=escape(text.title),
        detail=escape(text.detail),
        code=escape(entry.code),
        status=entry.status,
    )
    return HttpResponse(page)
