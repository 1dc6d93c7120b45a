"""An S3-compatible object store on this machine, which keeps its objects as files: S3Proxy."""

import secrets
from pathlib import Path

from contract.errors import UserError
from contract.java import require_java
from contract.settings import Settings
from demo.stack.kafka_java import as_java_property
from demo.stack.ports import LOOPBACK, is_open
from demo.stack.private_files import OWNER_ONLY, make_private_folder, open_private
from demo.stack.service import Service

ACCESS_KEY = "nest"
BUCKET = "nest"
S3PROXY_FILE = "s3proxy.conf"
"""Its settings, in the store's folder."""
_HEAP = "64m"
_LOGGING = Path(__file__).with_name("s3proxy_logging.xml")


class S3Proxy(Service):
    """The store, with one bucket and one key, whose secret it makes at its first start."""

    def __init__(self, settings: Settings, folder: Path, log: Path, port: int) -> None:
        """Describe a store that keeps its objects below ``folder``."""
        self._folder = folder.resolve()
        self._port = port
        self._jars = settings.state.resolve() / "jars" / "s3proxy"
        self.endpoint = f"http://{LOOPBACK}:{port}"
        self.objects = self._folder / "objects"
        self.secret_key_file = self._folder / "secret_key"
        command = [
            require_java(_HEAP, "the object store"),
            f"-Xmx{_HEAP}",
            f"-XX:MaxDirectMemorySize={_HEAP}",
            "-XX:+UseSerialGC",
            f"-Dlogback.configurationFile={_LOGGING}",
            *("-cp", f"{self._jars}/*"),
            *("org.gaul.s3proxy.Main", "--properties", str(self._properties)),
        ]
        super().__init__(
            "Object store", command, log=log, ready=lambda: is_open(port), umask=OWNER_ONLY
        )

    @property
    def _properties(self) -> Path:
        return self._folder / S3PROXY_FILE

    def with_lake_in_it(self, settings: Settings) -> Settings:
        """Return settings with lake and checkpoints in this store."""
        return settings.model_copy(
            update={
                "s3_endpoint": self.endpoint,
                "s3_access_key": ACCESS_KEY,
                "s3_secret_key_file": self.secret_key_file,
                "lake": f"s3a://{BUCKET}/lake",
                "checkpoints": f"s3a://{BUCKET}/checkpoints",
            }
        )

    def start(self) -> "S3Proxy":
        """Make the bucket and the secret if they are not there, and start the store."""
        if not any(self._jars.glob("*.jar")):
            raise UserError(
                f"The object store's jars are not in {self._jars}. `nest jars --cluster` fetches "
                "them."
            )
        make_private_folder(self._folder)
        (self.objects / BUCKET).mkdir(parents=True, exist_ok=True)
        if not self.secret_key_file.exists():
            with open_private(self.secret_key_file) as file:
                file.write(secrets.token_urlsafe(30))
        properties = {
            "s3proxy.endpoint": self.endpoint,
            "s3proxy.authorization": "aws-v2-or-v4",
            "s3proxy.identity": ACCESS_KEY,
            "s3proxy.credential": self.secret_key_file.read_text(),
            "jclouds.provider": "filesystem-nio2",
            "jclouds.filesystem.basedir": as_java_property(str(self.objects)),
        }
        with open_private(self._properties) as file:
            file.writelines(f"{name}={value}\n" for name, value in properties.items())
        super().start()
        return self
