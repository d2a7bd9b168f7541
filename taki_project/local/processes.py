"""The processes of the service itself, in the order in which they start; they end in the opposite one."""

from taki_project.local import web
from taki_project.local.home import Home
from taki_project.local.supervisor import Entry


def entries(home: Home, where: web.Address, variables: dict[str, str]) -> tuple[Entry, ...]:
    """Workers come before the web server, so that they end after it."""
    return (web.entry(home, where, variables),)
