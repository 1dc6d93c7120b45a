"""Units of time in milliseconds; every moment in this room is in milliseconds since 1970, UTC."""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
