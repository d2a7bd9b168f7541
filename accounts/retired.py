"""User names of deleted accounts: not kept, but not given to anyone else either."""

from typing import Final

from django.utils.crypto import salted_hmac

_PURPOSE: Final = "accounts.retired_username"


def digest_of_retired(username: str) -> bytes:
    """What is kept of the name; without SECRET_KEY nobody can test names against it."""
    return salted_hmac(_PURPOSE, username, algorithm="sha256").digest()
