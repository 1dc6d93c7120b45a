"""Ask the object store before anything begins; without one, its package is not even imported."""

from contract.settings import Settings


def require_object_store(settings: Settings) -> None:
    """Raise UserError if a bucket of the settings is not there or does not let us in."""
    if settings.object_store:
        from contract.bucket_access import require_buckets  # noqa: PLC0415 - only where there is one

        require_buckets(settings)
