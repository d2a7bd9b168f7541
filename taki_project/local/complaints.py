"""What ends a local run before it serves."""


class CannotStart(Exception):
    """Told to the person in one line, with exit status 1 and no traceback."""


class StopAsked(Exception):
    """Ctrl-C, SIGTERM or a closed terminal."""
