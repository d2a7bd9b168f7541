"""The address a call comes from: that of the connection, or what a trusted proxy says of it."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.http import HttpRequest

UNIX_SOCKET: Final = "unix"
_PREFIX_OF_ONE_IPV6_CUSTOMER: Final = 64


def client_address(request: HttpRequest) -> str:
    """The caller's address, for counting: of IPv6 the /64 network, since one customer has that many addresses."""
    peer = request.META.get("REMOTE_ADDR") or UNIX_SOCKET
    trusted = tuple(settings.TRUSTED_PROXIES)
    if not _is_trusted(peer, trusted):
        return _counted(peer)
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    return _counted(_first_untrusted(reversed(hops), peer, trusted))


def _first_untrusted(hops: Iterable[str], peer: str, trusted: tuple[str, ...]) -> str:
    """Walks from the nearest hop outward; what lies beyond the first untrusted one may be invented."""
    for hop in (text.strip() for text in hops):
        if _parsed(hop) is None:
            return peer
        if not _is_trusted(hop, trusted):
            return hop
        peer = hop
    return peer


@lru_cache(maxsize=1024)
def _is_trusted(peer: str, trusted: tuple[str, ...]) -> bool:
    if peer == UNIX_SOCKET:
        return UNIX_SOCKET in trusted
    address = _parsed(peer)
    networks = (ip_network(text, strict=False) for text in trusted if text != UNIX_SOCKET)
    return address is not None and any(address in network for network in networks)


def _counted(peer: str) -> str:
    address = _parsed(peer)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address), _PREFIX_OF_ONE_IPV6_CUSTOMER), strict=False))
    return str(address) if address else peer


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
