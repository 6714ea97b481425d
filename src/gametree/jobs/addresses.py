"""Addresses of clusters, and which of them nobody else can listen to."""

import ipaddress

from gametree.errors import InputError


def checked(address: str) -> str:
    """The address, or a refusal where a connection to it would be open to others."""
    scheme, separator, rest = address.partition("://")
    if not separator or not rest:
        raise InputError(f"{address!r} is no address of a cluster; write tls://HOST:8786")
    if scheme == "tcp" and not is_loopback(host_of(rest)):
        raise InputError(
            f"{address} is not encrypted: whoever is on the way could run programs on every machine of the cluster."
            f" Use tls://{rest}, or tcp:// on this machine only, tcp://127.0.0.1:8786"
        )
    if scheme not in ("tls", "tcp"):
        raise InputError(f"{address}: a cluster is reached by tls://HOST:8786, or by tcp://127.0.0.1:8786")
    return address


def host_of(place: str) -> str:
    """The host of `host:port`.

    >>> host_of("127.0.0.1:8786"), host_of("[::1]:8786"), host_of("localhost")
    ('127.0.0.1', '::1', 'localhost')
    """
    if place.startswith("["):
        return place[1:].partition("]")[0]
    return place.rpartition(":")[0] if place.count(":") == 1 else place


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host, and nobody else is on the way.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
