"""The names of Delta tables in SQL."""


def sql_name(uri: str) -> str:
    """Return how SQL names the table at a path or URI, which may have a backtick."""
    return "delta.`{}`".format(uri.replace("`", "``"))
