"""The credentials of a secured Kafka: a folder for each user, readable by its owner alone.

``<user>/password`` and ``<user>/ca.pem`` are all that a client needs; Kafka's own tools take it in
the form of ``<user>/client.properties``. ``broker`` also has the broker's key and certificate, and
all users as Kafka's storage takes them; ``authority`` has the key that signed the certificate.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from contract.errors import UserError
from contract.kafka.acls import KAFKA_USERS
from contract.kafka.cluster import jaas_config
from contract.settings import Settings
from demo.stack.private_files import make_private_folder, open_private

BROKER = "broker"
"""The broker's own user, which may do everything."""
AUTHORITY = "authority"
USERS = (BROKER, *KAFKA_USERS)
LOCAL_HOSTS = ("localhost", "127.0.0.1")
_RENEW_BEFORE = timedelta(days=30)


class SecretFile(StrEnum):
    """What a user's folder may have."""

    PASSWORD = "password"  # noqa: S105 (the name of a file)
    CA = "ca.pem"
    CLIENT_PROPERTIES = "client.properties"
    BROKER_CERTIFICATE = "broker.pem"
    SCRAM_ARGUMENTS = "users.args"
    CA_KEY = "ca.key"


class Credentials:
    """The credentials in a folder; ``make`` writes those that are missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def certificates(self) -> Path:
        """The broker's key and certificate with its CA's, in one PEM file."""
        return self.folder / BROKER / SecretFile.BROKER_CERTIFICATE

    def password_file(self, user: str) -> Path:
        """Return the file with a user's password."""
        return self.folder / user / SecretFile.PASSWORD

    def ca_file(self, user: str) -> Path:
        """Return the file with the CA's certificate that a user has beside its password."""
        return self.folder / user / SecretFile.CA

    def password(self, user: str) -> str:
        """Return a user's password; UserError if there is none."""
        try:
            return self.password_file(user).read_text().strip()
        except FileNotFoundError:
            raise _missing(self.folder) from None

    @property
    def scram_arguments(self) -> Path:
        """The file with all users as arguments of Kafka's storage tool, in Java's form."""
        return self.folder / BROKER / SecretFile.SCRAM_ARGUMENTS

    @property
    def fingerprint(self) -> str:
        """What tells these credentials from others: the digest of the CA's certificate."""
        return hashlib.sha256(self.ca_file(BROKER).read_bytes()).hexdigest()

    def make(self, hosts: Iterable[str] = LOCAL_HOSTS) -> None:
        """Write what is missing; a certificate that expires soon or lacks a host is written anew.

        Raises UserError where the package `cryptography` is not installed, and for a folder with
        something else in it.
        """
        try:
            from demo.stack.security.certificates import Signed, new_authority, sign_broker
        except ModuleNotFoundError:
            raise UserError(
                "Certificates need the package cryptography: pip install "
                "'nest_camera_analytics[demo]'."
            ) from None
        self._require_own_folder()
        for folder in (self.folder, *(self.folder / name for name in (AUTHORITY, *USERS))):
            if not folder.exists():  # one that is there keeps its mode
                make_private_folder(folder)
        authority = self.folder / AUTHORITY
        key, certificate = authority / SecretFile.CA_KEY, authority / SecretFile.CA
        if not (key.exists() and certificate.exists()):
            for file, text in zip((key, certificate), new_authority(), strict=True):
                _write(file, text)
            self.certificates.unlink(missing_ok=True)
        ca = certificate.read_text()
        if not self._is_current(hosts := list(hosts)):
            signed = sign_broker(Signed(key.read_text(), ca), hosts)
            _write(self.certificates, signed.key + signed.certificate + ca)
        for user in USERS:
            _write(self.ca_file(user), ca)
            if not self.password_file(user).exists():
                _write(self.password_file(user), secrets.token_urlsafe(24))
            properties = self.folder / user / SecretFile.CLIENT_PROPERTIES
            _write(properties, _client_properties(user, self.password(user), ca))
        users = (f"SCRAM-SHA-512=[name={user},password={self.password(user)}]" for user in USERS)
        _write(self.scram_arguments, "".join(f'--add-scram "{user}"\n' for user in users))

    def _require_own_folder(self) -> None:
        is_ours = (self.folder / AUTHORITY).is_dir()
        if self.folder.exists() and not is_ours and any(self.folder.iterdir()):
            raise UserError(
                f"{self.folder.resolve()} has files in it, and no credentials. Name a folder of "
                "their own, which need not exist."
            )

    def _is_current(self, hosts: list[str]) -> bool:
        from demo.stack.security.certificates import hosts_of, valid_until

        if not self.certificates.exists():
            return False
        certificate = self.certificates.read_text()
        has_hosts = set(hosts) <= hosts_of(certificate)
        return has_hosts and valid_until(certificate) > datetime.now(UTC) + _RENEW_BEFORE


def credentials(settings: Settings) -> Credentials:
    """Return the credentials of the embedded Kafka."""
    return Credentials(settings.state / "security")


def as_user(settings: Settings, user: str) -> Settings:
    """Return the settings with a user's credentials if the embedded Kafka is secured."""
    if not settings.kafka_secure:
        return settings
    made = credentials(settings)
    return settings.model_copy(
        update={
            "kafka_security_protocol": "SASL_SSL",
            "kafka_sasl_mechanism": "SCRAM-SHA-512",
            "kafka_user": user,
            "kafka_password_file": made.password_file(user),
            "kafka_ca_file": made.ca_file(user),
        }
    )


def without_users(settings: Settings) -> Settings:
    """Return the settings for an open Kafka, whatever Kafka the environment is meant for."""
    defaults = {
        name: field.default
        for name, field in Settings.model_fields.items()
        if name.startswith("kafka_") and name != "kafka_memory"
    }
    return settings.model_copy(update=defaults)


def _write(file: Path, text: str) -> None:
    """Write a file unless it says so already: who has it open keeps it."""
    if not file.exists() or file.read_text() != text:
        with open_private(file) as opened:
            opened.write(text)


def _client_properties(user: str, password: str, ca: str) -> str:
    """Return what Kafka's own tools take with ``--command-config``."""
    options = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.jaas.config": jaas_config("SCRAM-SHA-512", user, password),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": ca.replace("\n", "\\n"),
    }
    return "".join(f"{name}={value}\n" for name, value in options.items())


def _missing(folder: Path) -> UserError:
    return UserError(
        f"There are no credentials in {folder}: `nest broker --secure` or `nest up --secure` makes "
        "them."
    )
