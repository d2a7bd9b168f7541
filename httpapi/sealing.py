"""Answers kept so that only the sender's Idempotency-Key opens them again."""

import secrets
from typing import Final

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from httpapi.answers import Answer

_FORM: Final = b"\x01"
_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_PURPOSE: Final = b"answer to a repeated request, form 1"


def seal(answer: Answer, key: str, context: bytes) -> bytes:
    """Encrypt an answer under a key; `context` must be the same when it is opened."""
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    plain = msgspec.msgpack.encode(answer)
    return _FORM + salt + nonce + _cipher(key, salt).encrypt(nonce, plain, _FORM + context)


def unseal(sealed: bytes, key: str, context: bytes) -> Answer:
    """The answer; raises cryptography.exceptions.InvalidTag for another key, context, or altered bytes."""
    form, rest = sealed[:1], sealed[1:]
    salt, nonce = rest[:_SALT_BYTES], rest[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
    plain = _cipher(key, salt).decrypt(nonce, rest[_SALT_BYTES + _NONCE_BYTES :], form + context)
    return msgspec.msgpack.decode(plain, type=Answer)


def _cipher(key: str, salt: bytes) -> ChaCha20Poly1305:
    derived = HKDF(algorithm=SHA256(), length=32, salt=salt, info=_PURPOSE).derive(key.encode())
    return ChaCha20Poly1305(derived)
