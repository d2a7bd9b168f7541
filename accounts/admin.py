"""Accounts and tokens for the staff: look, lock, approve reviewers, revoke; never read a secret, never delete a row."""

from typing import Any, Final

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Player, Token
from accounts.services import closing
from httpapi.names import clean_name
from httpapi.problems import Problem
from httpapi.staff_lists import ListedLookups, StaffAdmin


class NamedForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic while the program runs
    """Judges display names as the API does."""

    def clean_display_name(self) -> str:
        """The composed name."""
        try:
            return clean_name(self.cleaned_data["display_name"], "/display_name")
        except Problem as refusal:
            raise ValidationError(refusal.errors[0].code) from refusal


class PlayerForm(NamedForm, UserChangeForm):  # type: ignore[type-arg]
    """Changes."""

    def clean_username(self) -> str | None:
        """None for none: an empty text would be the name of one guest only."""
        return self.cleaned_data.get("username") or None


class NewPlayerForm(NamedForm, AdminUserCreationForm):  # type: ignore[type-arg]
    """A new account of a person."""

    class Meta:
        model = Player
        fields = ("username", "display_name")


RIGHTS: Final = ("may_review", "is_staff", "is_superuser", "groups", "user_permissions")


def _is_administrator(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


@admin.register(Player)
class PlayerAdmin(ListedLookups, UserAdmin):  # type: ignore[type-arg]
    """Accounts."""

    form = PlayerForm
    add_form = NewPlayerForm
    list_display = ("display_name", "username", "kind", "created_at", "is_active", "may_review", "is_staff")
    list_filter = ("kind", "is_active", "may_review", "is_staff", ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("id__exact", "username", "display_name")
    search_help_text = "An id, or a part of a name"
    ordering = ("-id",)
    readonly_fields = ("id", "kind", "created_at", "deleted_at", "last_login")
    actions = ("close_accounts",)
    fieldsets = (
        (None, {"fields": ("id", "kind", "username", "password", "created_at", "deleted_at", "last_login")}),
        ("Person", {"fields": ("display_name", "birth_year", "language")}),
        ("Rights", {"fields": ("is_active", "may_review", "is_staff", "is_superuser", "groups", "user_permissions")}),
    )
    add_fieldsets = (
        (
            None,
            {"classes": ("wide",), "fields": ("username", "display_name", "usable_password", "password1", "password2")},
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Of the staff's own accounts, administrators alone: whoever sets another's password acts as that one."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or _is_administrator(request) or not (obj.is_staff or obj.is_superuser))

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Nobody but an administrator gives rights."""
        always = super().get_readonly_fields(request, obj)
        return always if _is_administrator(request) else (*always, *RIGHTS)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Never: results point to the row. Closing the account erases what is personal."""
        return False

    @admin.action(description="Close accounts: erase what is personal, for good", permissions=["change"])
    def close_accounts(self, request: HttpRequest, accounts: QuerySet[Player]) -> None:
        """As DELETE /me does."""
        own = {} if _is_administrator(request) else {"is_staff": False, "is_superuser": False}
        for player in accounts.filter(deleted_at=None, **own):
            closing.close(player.pk)
            self.log_change(request, player, "closed")


@admin.register(Token)
class TokenAdmin(StaffAdmin):
    """Tokens, without their digests."""

    list_display = ("id", "player", "label", "scopes", "created_at", "expires_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("player",)
    search_fields = ("id__exact", "player__id__exact", "player__username")
    search_help_text = "An id, a player's id, or a part of a username"
    ordering = ("-id",)
    fields = readonly_fields = ("id", "player", "label", "scopes", "created_at", "expires_at", "revoked_at")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never: a token is made by its owner."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a revoked one tells its owner why it no longer works."""
        return False

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> None:
        """At once."""
        for token in chosen.filter(revoked_at=None):
            token.revoked_at = timezone.now()
            token.save(update_fields=["revoked_at"])
            self.log_change(request, token, "revoked")


admin.site.unregister(Group)


@admin.register(Group)
class RightsAdmin(ListedLookups, GroupAdmin):
    """Groups of rights."""
