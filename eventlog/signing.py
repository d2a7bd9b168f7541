"""Ed25519 keys that sign checkpoints; pure. A private key is any 32 random bytes, in hex."""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


class SigningKey:
    """A private key; `public` is its public half in hex, by which checkpoints name it."""

    def __init__(self, text: str) -> None:
        """Read a key; ValueError, without quoting it, if the text is none."""
        try:
            secret = bytes.fromhex(text)
        except ValueError:
            secret = b""
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a signing key is {2 * KEY_BYTES} hex digits")
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def __repr__(self) -> str:
        """The public half alone."""
        return f"SigningKey({self.public})"

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes that only this key can make of a message."""
        return self._private.sign(message)


def is_signed(message: bytes, signature: bytes, public: str) -> bool:
    """Whether the private half of this key signed this message."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_key(public: str) -> bool:
    """Whether this is a public key, written as this service writes one."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).public_bytes_raw().hex() == public
    except ValueError:
        return False


def pem_of(public: str) -> str:
    """The public key as openssl reads it."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
