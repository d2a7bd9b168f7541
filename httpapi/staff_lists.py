"""What an address of the staff's lists may ask for: their own filters and the id, so that no hidden field is told."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest

_OF_A_FILTER: Final = ("", "__exact", "__isnull", "__isempty")
_OF_THE_ID: Final = ("id", "id__exact")


class ListedLookups:
    """Goes before ModelAdmin, which lets every field of its own be asked for, shown or not, in every manner."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Whether a list may be narrowed by this; text with NUL fits nothing and is no question for the database."""
        filters = self.list_filter if request is None else self.get_list_filter(request)  # type: ignore[attr-defined]
        names = (each[0] if isinstance(each, (list, tuple)) else each for each in filters)
        listed = {f"{name}{manner}" for name in names for manner in _OF_A_FILTER}
        return (lookup in _OF_THE_ID or lookup in listed) and "\0" not in str(value)


class StaffAdmin(ListedLookups, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists that tell of nothing but what they show."""
