"""Pages for people."""

from django.http import Http404, HttpRequest, HttpResponse


def problem(request: HttpRequest, code: str) -> HttpResponse:
    """Explains a problem's code."""
    raise Http404(code)
