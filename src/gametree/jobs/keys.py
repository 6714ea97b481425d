"""The key of a cluster: one file with a private key and its certificate, which all machines of the cluster share.

Whoever has the file may run programs on the cluster; who has it not is turned away by TLS, on both ends. It is made
for its owner's eyes alone.
"""

import datetime
import os
from pathlib import Path
from typing import Final

from gametree.errors import InputError
from gametree.places import data_directory

NAME: Final = "cluster.pem"
YEARS: Final = 5


def usual_key() -> Path:
    """Where the key is found, if nothing else is said."""
    return data_directory() / NAME


def key_file(given: str | Path | None = None) -> Path:
    """The key that is named, or the usual one; refused where there is none."""
    path = usual_key() if given is None else Path(given)
    if not path.is_file():
        raise InputError(
            f"there is no key of a cluster at {path}; `gametree cluster start` makes one, and every machine of the"
            " cluster needs a copy of it (--cluster-key FILE names it)"
        )
    text = path.read_text(encoding="ascii", errors="replace")
    if "PRIVATE KEY-----" not in text or "BEGIN CERTIFICATE-----" not in text:
        raise InputError(f"{path} is no key of a cluster: it has to hold a private key and a certificate")
    return path


def made_key(given: str | Path | None = None) -> Path:
    """The key that is named, or the usual one, made where there is none."""
    path = usual_key() if given is None else Path(given)
    if path.exists():
        return key_file(path)
    text = _new()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Nobody else may read it, at no moment.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
    except FileExistsError:  # another process was faster
        return key_file(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
    return path


def _new() -> str:
    """A private key and a certificate that vouches for itself."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import NameOID
    except ImportError:
        raise InputError("to make a key needs the extra `cluster`: pip install 'gametree[cluster]'") from None
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "gametree cluster")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))  # clocks of other machines may be late
        .not_valid_after(now + datetime.timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    return (
        private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
        + certificate.public_bytes(pem).decode()
    )
