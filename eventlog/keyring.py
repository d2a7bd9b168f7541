"""The keys that sign checkpoints: those of the settings, else one made on the first run and kept beside the secret key."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from eventlog.signing import KEY_BYTES, SigningKey

logger = logging.getLogger(__name__)


class NoSuchKeyError(Exception):
    """The key that has to sign now is not at hand."""


class KeyRing:
    """Private keys, the oldest first: the last one is the newest."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Read them; ImproperlyConfigured if one is none."""
        try:
            self._keys = {key.public: key for key in map(SigningKey, texts)}
        except ValueError as error:
            raise ImproperlyConfigured(f"CHECKPOINT_KEYS: {error}") from None

    @property
    def publics(self) -> tuple[str, ...]:
        """The public halves, the oldest first."""
        return tuple(self._keys)

    @property
    def newest(self) -> SigningKey:
        """The key that shall sign from the next rotation on."""
        return self._keys[self.publics[-1]]

    def key(self, public: str) -> SigningKey:
        """The private half of a key; NoSuchKeyError if it is not here."""
        if public not in self._keys:
            raise NoSuchKeyError(
                f"the last checkpoint names {public} as the key of the next one, and CHECKPOINT_KEYS does not hold it"
            )
        return self._keys[public]


def at_hand() -> KeyRing | None:
    """The ring as it is now; None if no key was ever made here."""
    texts = settings.CHECKPOINT_KEYS or _kept()
    return KeyRing(texts) if texts else None


def opened() -> KeyRing:
    """The ring; on the first run without a setting a key is made, kept and its public half told."""
    ring = at_hand()
    if ring is None:
        add_kept_key()
        ring = KeyRing(_kept())
    return ring


def add_kept_key() -> None:
    """Make a key behind those that are kept; ImproperlyConfigured where the settings name the keys."""
    if settings.CHECKPOINT_KEYS:
        raise ImproperlyConfigured("CHECKPOINT_KEYS names the keys: add the new one there, behind the others")
    path, before = _path(), _kept()
    text = secrets.token_hex(KEY_BYTES)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text("".join(f"{each}\n" for each in (*before, text)))
    try:
        _put(draft, path, replacing=bool(before))
    finally:
        draft.unlink(missing_ok=True)
    logger.warning("a key to sign checkpoints was made, kept in %s; public: %s", path, KeyRing(_kept()).newest.public)


def _put(draft: Path, path: Path, *, replacing: bool) -> None:
    if replacing:
        draft.replace(path)
        return
    try:
        os.link(draft, path)
    except FileExistsError:  # another process was faster; its key is as good
        return


def _path() -> Path:
    return Path(settings.CHECKPOINT_KEYS_FILE)


def _kept() -> list[str]:
    path = _path()
    return path.read_text().split() if path.exists() else []
