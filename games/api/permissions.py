"""Which scope of a token each kind of call needs."""

from accounts.api.permissions import scoped

Look = scoped("read", "play", "host", "review")
Play = scoped("play")
Host = scoped("host")
