"""The text of a token: a prefix that leak scanners know, 256 random bits, and a checksum against typing errors."""

import hashlib
import re
import secrets
import string
import zlib
from typing import Final

PREFIX: Final = "taki_"
_ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_LENGTH: Final = 43  # 62 ** 43 exceeds 2 ** 256
_CHECKSUM_LENGTH: Final = 6  # 62 ** 6 exceeds 2 ** 32
_FORM: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_RANDOM_LENGTH + _CHECKSUM_LENGTH}}}")


def new_token() -> str:
    """A fresh token."""
    body = PREFIX + _base62(secrets.randbits(256), _RANDOM_LENGTH)
    return body + _checksum(body)


def is_well_formed(token: str) -> bool:
    """Whether this can be one of our tokens at all; asks nobody."""
    if not _FORM.fullmatch(token):
        return False
    return _checksum(token[:-_CHECKSUM_LENGTH]) == token[-_CHECKSUM_LENGTH:]


def digest(token: str) -> bytes:
    """What is stored of a token. Its 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).digest()


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), _CHECKSUM_LENGTH)


def _base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
