"""Players."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models


class Player(AbstractBaseUser):
    """An account."""

    username = models.CharField(max_length=30, unique=True)
    USERNAME_FIELD = "username"
