"""An S3-compatible object store, in the forms of Spark (S3A) and of delta-rs and Arrow.

Lake, checkpoints and device locations are on it where they are given as ``s3a://bucket/folder``.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from contract.errors import UserError

SCHEME = "s3a://"
_S3A = "spark.hadoop.fs.s3a"


def is_on_object_store(uri: str) -> bool:
    """Tell whether a path or URI is on an object store."""
    return uri.startswith(SCHEME)


@dataclass(frozen=True)
class ObjectStore:
    """Where the store is, and with which key; it never holds the secret.

    Without an endpoint it is AWS. Without an access key the libraries look for one themselves, as
    in the role of the machine.
    """

    endpoint: str | None = None
    region: str = "us-east-1"
    access_key: str | None = None
    secret_key_file: Path | None = None

    @property
    def uses_tls(self) -> bool:
        """Whether the connection is encrypted."""
        return not (self.endpoint or "").startswith("http://")

    def read_secret_key(self) -> str:
        """Return the secret key; UserError if its file cannot be read or holds none."""
        setting = f"NEST_S3_SECRET_KEY_FILE={self.secret_key_file}"
        try:
            secret = Path(self.secret_key_file or "").read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise UserError(f"{setting} cannot be read: {reason}.") from None
        if not secret or not secret.isprintable():
            raise UserError(f"{setting} holds no key: it must be one line of printable characters.")
        return secret

    def spark_conf(self) -> dict[str, str]:
        """Return the session's configuration; it holds the secret, which Spark's UI hides."""
        conf = {f"{_S3A}.endpoint.region": self.region}
        if self.endpoint:
            conf[f"{_S3A}.endpoint"] = self.endpoint
            # Other stores than AWS have the bucket in the path and not in the host's name.
            conf[f"{_S3A}.path.style.access"] = "true"
            conf[f"{_S3A}.connection.ssl.enabled"] = str(self.uses_tls).lower()
        if self.access_key:
            provider = "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider"
            conf[f"{_S3A}.aws.credentials.provider"] = provider
            conf[f"{_S3A}.access.key"] = self.access_key
            conf[f"{_S3A}.secret.key"] = self.read_secret_key()
        return conf

    def environment(self) -> dict[str, str]:
        """Return the variables of AWS from which delta-rs and Arrow take the same."""
        variables = {"AWS_REGION": self.region, "AWS_DEFAULT_REGION": self.region}
        if self.endpoint:
            variables["AWS_ENDPOINT_URL"] = self.endpoint
            variables["AWS_ALLOW_HTTP"] = str(not self.uses_tls).lower()
        if self.access_key:
            variables["AWS_ACCESS_KEY_ID"] = self.access_key
            variables["AWS_SECRET_ACCESS_KEY"] = self.read_secret_key()
        return variables

    def use_in_this_process(self) -> None:
        """Let delta-rs and Arrow find the store wherever this process opens a table or file."""
        os.environ |= self.environment()
