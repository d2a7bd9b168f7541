"""Keys for signing checkpoints in tests."""

from eventlog.keyring import KeyRing
from eventlog.signing import SigningKey

FIRST, SECOND, THIRD = "11" * 32, "22" * 32, "33" * 32
RING = KeyRing([FIRST])
BOTH = KeyRing([FIRST, SECOND])
PUBLIC, SECOND_PUBLIC, THIRD_PUBLIC = (SigningKey(text).public for text in (FIRST, SECOND, THIRD))
