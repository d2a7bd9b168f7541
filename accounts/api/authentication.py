"""Sign-in by bearer token."""

from rest_framework.authentication import BaseAuthentication


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`."""
