"""Which scope of a token each kind of call needs."""

from accounts.api.permissions import scoped

Look = scoped("read", "play", "host")
Play = scoped("play")
Host = scoped("host")
