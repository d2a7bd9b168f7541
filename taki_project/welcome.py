"""The page at the root: where the API, its description and the documentation are."""

from django.http import HttpRequest, HttpResponse

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>TAKI over HTTP</title>
<h1>TAKI over HTTP</h1>
<ul>
<li><a href="/api/v1/rules">The rules</a> and <a href="/api/v1/rules/presets">the presets</a></li>
<li><a href="/health/ready">Is the service ready?</a></li>
<li><a href="/admin/">Administration</a></li>
</ul>
</html>
"""


def page(request: HttpRequest) -> HttpResponse:
    """A small page of links."""
    return HttpResponse(PAGE)
