"""Where each address leads."""

from django.contrib import admin
from django.urls import include, path

from httpapi import pages
from taki_project import health, schema_pages, staff_pages, welcome
from tournaments import pages as tournament_pages

urlpatterns = [
    path("api/v1/", include("games.api.urls")),  # first, as nearly all calls are about games
    path("", welcome.page),
    path("docs", welcome.page),
    path("docs/<path:name>", welcome.document),
    path("api/schema", schema_pages.schema),
    path("api/docs", schema_pages.docs),
    path("api/v1/", welcome.RootView.as_view()),
    path("problems/<slug:code>", pages.problem),
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("tournaments/<str:tournament_id>/stages.svg", tournament_pages.stages),
    path("admin/login/", staff_pages.login),
    path("admin/", admin.site.urls),
]
