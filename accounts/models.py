"""Players."""

from django.contrib.auth.models import AbstractUser


class Player(AbstractUser):
    """An account."""
