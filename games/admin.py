"""Games for the staff: found, looked at, never changed; no card, no seed and no client seed is shown."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Game
from httpapi.staff_lists import StaffAdmin

SHOWN = (
    "id",
    "name",
    "status",
    "mode",
    "host",
    "visibility",
    "sandbox",
    "min_players",
    "max_players",
    "auto_start",
    "version",
    "turn",
    "opened_at",
    "started_at",
    "acted_at",
    "finished_at",
)


@admin.register(Game)
class GameAdmin(StaffAdmin):
    """What the lists of the API show, for all tables."""

    list_display = ("id", "name", "status", "mode", "host", "opened_at", "acted_at")
    list_filter = ("status", "mode", "visibility", "sandbox")
    list_select_related = ("host",)
    search_fields = ("id__exact", "name", "host__id__exact", "host__username")
    search_help_text = "An id, a part of the name, or the host's id or username"
    ordering = ("-id",)
    fields = SHOWN
    readonly_fields = SHOWN
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: tables are opened by players."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: the log is the truth, and nobody edits it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False
