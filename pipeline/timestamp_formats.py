"""How Spark writes timestamps into the JSON of records (its option timestampFormat), always UTC."""

MILLISECONDS = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
MICROSECONDS = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'"
"""As exact as a timestamp of Spark is."""
