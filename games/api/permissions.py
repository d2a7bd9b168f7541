"""Which scope of a token each kind of call needs."""

from accounts.api.permissions import scoped

Look = scoped("read", "play", "host")
Play = scoped("play")
# Whoever may play may open a table for it: a guest with a phone is the commonest host.
Host = scoped("host", "play")
