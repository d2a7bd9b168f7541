"""The staff's pages: what they are called, and the way in, with as many tries as for signing in to the API."""

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from httpapi import limits, problems

admin.site.site_header = admin.site.site_title = "TAKI"
admin.site.index_title = "Accounts and games"
admin.site.enable_nav_sidebar = False  # the lists need the room


def login(request: HttpRequest) -> HttpResponseBase:
    """Django's page; 429 once the address has used up its tries."""
    if request.method == "POST":
        try:
            limits.spend_by_address(request, "sign_in")
        except problems.TooManyRequests as refusal:
            return problems.response(refusal, request)
    return admin.site.login(request)
