"""Which address a call is counted against."""

import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from httpapi.address import client_address


def seen(peer: str, forwarded: str = "") -> str:
    request = RequestFactory().get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)
    return client_address(request)


def test_the_address_of_the_connection_counts() -> None:
    assert seen("203.0.113.9") == "203.0.113.9"


def test_what_a_caller_claims_is_not_believed() -> None:
    assert seen("203.0.113.9", "198.51.100.1") == "203.0.113.9"


def test_all_addresses_of_one_ipv6_customer_count_as_one() -> None:
    assert seen("2001:db8:1:2:3::4") == seen("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert seen("2001:db8:1:3::1") != seen("2001:db8:1:2::1")


def test_ipv4_in_ipv6_is_ipv4() -> None:
    assert seen("::ffff:203.0.113.9") == "203.0.113.9"


@pytest.mark.parametrize(
    "forwarded, address",
    [
        ("198.51.100.1", "198.51.100.1"),
        ("192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("192.0.2.66, 198.51.100.1, 10.0.0.7", "198.51.100.1"),
        ("10.0.0.9, 10.0.0.7", "10.0.0.9"),
        ("nonsense", "10.0.0.1"),
        ("198.51.100.1, nonsense, 10.0.0.7", "10.0.0.7"),
        ("", "10.0.0.1"),
    ],
)
def test_behind_trusted_proxies_the_nearest_untrusted_address_counts(
    settings: LazySettings, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    assert seen("10.0.0.1", forwarded) == address


def test_a_proxy_at_a_socket_can_be_trusted(settings: LazySettings) -> None:
    assert seen("", "198.51.100.1") == "unix"
    settings.TRUSTED_PROXIES = ["unix"]
    assert seen("", "198.51.100.1") == "198.51.100.1"
