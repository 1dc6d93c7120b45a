"""Whether an object store lets us in, asked before anything begins.

It needs the package obstore, which the parts that write or check the lake have.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from obstore.exceptions import BaseError
from obstore.store import S3Store

from contract.errors import UserError
from contract.object_store import SCHEME, ObjectStore, is_on_object_store
from contract.settings import Settings

_TIMEOUT = timedelta(seconds=10)
_PLACES = ("lake", "checkpoints", "device_locations")
_WRONG_KEYS = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken")
"""What stores say of a key that they do not know or of a wrong secret."""
_WRONG_REGION = ("configured region", "AuthorizationHeaderMalformed")
"""What obstore says of an answer that sends it elsewhere, and what stores say."""
_STATUS = "status code: "
"""What obstore writes before the number of an HTTP answer."""


def require_buckets(settings: Settings) -> None:
    """Raise UserError, in one sentence, if a bucket of the settings cannot be read."""
    store = settings.object_store
    asked: set[str] = set()
    for place in _PLACES:
        uri = getattr(settings, place)
        bucket = urlsplit(uri).netloc
        if store and is_on_object_store(uri) and bucket not in asked:
            _require_bucket(store, f"NEST_{place.upper()}={uri}", bucket)
            asked.add(bucket)


def open_store(store: ObjectStore, uri: str) -> S3Store:
    """Return a client of the folder that a URI names; it has not asked for anything yet."""
    parts = urlsplit(uri)
    config: Any = {"region": store.region, "virtual_hosted_style_request": store.endpoint is None}
    if store.endpoint:
        config["endpoint"] = store.endpoint
    if store.access_key:
        config["access_key_id"] = store.access_key
        config["secret_access_key"] = store.read_secret_key()
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        config=config,
        client_options={
            "allow_http": not store.uses_tls,
            "connect_timeout": _TIMEOUT,
            "timeout": _TIMEOUT,
        },
        retry_config={"max_retries": 2, "retry_timeout": _TIMEOUT},
    )


def _require_bucket(store: ObjectStore, setting: str, bucket: str) -> None:
    if not bucket:
        raise UserError(f"{setting} names no bucket: write s3a://bucket/folder.")
    where = store.endpoint or f"AWS ({store.region})"
    key = f"the key {store.access_key}" if store.access_key else "the key that was found"
    try:
        for _ in open_store(store, f"{SCHEME}{bucket}").list(chunk_size=1):
            return
    except (BaseError, OSError) as error:
        text = str(error)
        if "NoSuchBucket" in text:
            reason = f"there is no bucket {bucket} at {where}. Make it, or name another"
        elif any(word in text for word in _WRONG_KEYS):
            reason = (
                f"{where} does not know {key}, or its secret is wrong. Set NEST_S3_ACCESS_KEY and "
                "NEST_S3_SECRET_KEY_FILE right"
            )
        elif "403 Forbidden" in text or "401 Unauthorized" in text:
            reason = f"{where} does not let {key} list the bucket {bucket}. Give it that right"
        elif any(word in text for word in _WRONG_REGION):
            reason = f"{where} says that the region is wrong. Set NEST_S3_REGION to the bucket's"
        elif _STATUS in text:
            answer = text.partition(_STATUS)[2].splitlines()[0]
            reason = f"{where} does not list the bucket {bucket}: it answers {answer}"
        else:
            reason = f"no object store answers at {where}. Start it, or set NEST_S3_ENDPOINT"
        raise UserError(f"{setting}: {reason}.") from None
