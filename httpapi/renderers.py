"""Answer bodies."""

from rest_framework.renderers import JSONRenderer


class MsgspecRenderer(JSONRenderer):
    """JSON out."""
