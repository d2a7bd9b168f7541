"""The way in for the staff: as many tries as for signing in to the API, and counted with them."""

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from httpapi import limits, problems


def login(request: HttpRequest) -> HttpResponseBase:
    """Django's page; 429 once the address has used up its tries."""
    if request.method == "POST":
        try:
            limits.spend_by_address(request, "sign_in")
        except problems.TooManyRequests as refusal:
            return problems.response(refusal, request)
    return admin.site.login(request)
