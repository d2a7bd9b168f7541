"""Request bodies."""

from rest_framework.parsers import JSONParser


class MsgspecParser(JSONParser):
    """JSON in."""
