# SPDX-License-Identifier: Apache-2.0
"""The model's server behind TLS, with an authority of the test's own."""

from __future__ import annotations

import datetime as dt
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.e2e.messages_server import MessagesServer


def _certificates(folder: Path) -> tuple[Path, Path]:
    """An authority's certificate, and the chain with the key of "localhost"."""
    now = dt.datetime.now(dt.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        for name in ("test authority", "localhost")
    ]
    made = []
    for index, (key, name) in enumerate(zip(keys, names, strict=True)):
        made.append(
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(names[0])
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=index == 0, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key()),
                critical=False,
            )
            .sign(keys[0], hashes.SHA256())
        )
    pem = serialization.Encoding.PEM
    authority, server = folder / "authority.pem", folder / "server.pem"
    authority.write_bytes(made[0].public_bytes(pem))
    key_text = keys[1].private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    server.write_bytes(key_text + made[1].public_bytes(pem))
    return authority, server


@contextmanager
def tls_server(
    turns: Sequence[dict[str, Any]], folder: Path
) -> Iterator[tuple[MessagesServer, Path]]:
    """A server, and the certificate of the authority that vouches for it."""
    authority, chain = _certificates(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    with MessagesServer(turns, tls=context) as server:
        yield server, authority
