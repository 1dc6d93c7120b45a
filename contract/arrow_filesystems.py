"""Arrow's own file systems, for a path or URI and for a Delta table."""

from urllib.parse import urlsplit
from urllib.request import url2pathname

import pyarrow.fs as pafs

from contract.lake import is_uri
from contract.object_store import SCHEME, is_on_object_store


def filesystem_and_path(uri: str) -> tuple[pafs.FileSystem, str]:
    """Return the file system of a path or URI, and the path in it."""
    if not is_uri(uri):
        return pafs.LocalFileSystem(), uri
    if uri.startswith("file://"):  # Arrow refuses what delta-rs leaves as it is, such as [
        return pafs.LocalFileSystem(), url2pathname(urlsplit(uri).path)
    # Hadoop's scheme is its own.
    known = uri.replace(SCHEME, "s3://", 1) if is_on_object_store(uri) else uri
    filesystem, path = pafs.FileSystem.from_uri(known)
    return filesystem, path


def table_filesystem(table_uri: str) -> pafs.FileSystem | None:
    """Return the file system with a table's folder as its root; None for one Arrow does not know.

    With the one of delta-rs, Arrow's threads call Python. They are slower, and Python aborts a
    process that ends while one of them is about to.
    """
    if not table_uri.startswith(("file://", "s3://", "s3a://")):
        return None
    filesystem, path = filesystem_and_path(table_uri)
    return pafs.SubTreeFileSystem(path, filesystem)
