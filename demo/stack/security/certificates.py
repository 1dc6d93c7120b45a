"""A certificate authority for one Kafka, and the certificates that it signs, as PEM text."""

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CA_LIFETIME = timedelta(days=3650)
LIFETIME = timedelta(days=365)
_CLOCKS_DIFFER = timedelta(hours=1)


class Signed(NamedTuple):
    """A private key (PKCS#8) and its certificate, both PEM."""

    key: str
    certificate: str


def new_authority() -> Signed:
    """Return the key and certificate of a new certificate authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named("nest-camera-analytics demo CA")
    certificate = (
        _described(name, name, key.public_key(), datetime.now(UTC) + CA_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _as_pem(key, certificate)


def sign_broker(authority: Signed, hosts: Iterable[str], until: datetime | None = None) -> Signed:
    """Return a key and certificate for a broker that is reached under these names and addresses.

    Its subject is CN=localhost, whatever the names: the broker knows itself by it. It also serves
    as a client's certificate, for the connection of the broker to its controller.
    """
    ca = x509.load_pem_x509_certificate(authority.certificate.encode())
    ca_key = serialization.load_pem_private_key(authority.key.encode(), password=None)
    key = ec.generate_private_key(ec.SECP256R1())
    purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    certificate = (
        _described(
            _named("localhost"), ca.subject, key.public_key(), until or datetime.now(UTC) + LIFETIME
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
        .add_extension(x509.SubjectAlternativeName(list(map(_alternative, hosts))), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(ca.public_key()),  # type: ignore[arg-type]
            critical=False,
        )
        .sign(ca_key, hashes.SHA256())  # type: ignore[arg-type]
    )
    return _as_pem(key, certificate)


def valid_until(certificate: str) -> datetime:
    """Return when the first certificate of a PEM text expires, UTC."""
    return x509.load_pem_x509_certificate(certificate.encode()).not_valid_after_utc


def hosts_of(certificate: str) -> set[str]:
    """Return the names and addresses that the first certificate of a PEM text is for."""
    names = x509.load_pem_x509_certificate(certificate.encode()).extensions
    alternatives = names.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in alternatives}


def _described(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, until: datetime
) -> x509.CertificateBuilder:
    begin = min(datetime.now(UTC), until - timedelta(days=1)) - _CLOCKS_DIFFER
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(until)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _as_pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Signed:
    encoded = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return Signed(encoded.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode())
