"""How Spark writes instants into the JSON of records, always UTC."""

INSTANT = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
EXACT_INSTANT = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'"
"""As exact as a timestamp of Spark is."""
