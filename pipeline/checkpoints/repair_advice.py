"""The advice to repair a query, for messages."""

from contract.queries import Query

_DOES = {
    Query.STATS: "it deletes the counts, and the next start counts from the first message",
    Query.SIGHTINGS: "it empties nest-sightings, and the next start fills it anew",
    Query.ARCHIVE: "it writes what is missing from Kafka and makes a new checkpoint",
    Query.CAMERA_STATUS: "it builds the table camera_status anew from the table camera",
    Query.ALERTS: "the next start compares the cameras with what the alerts so far have said",
}


def repair_advice(query: Query) -> str:
    """Return the command that repairs a query, and what it does."""
    return f"`nest repair {query}`: {_DOES[query]}."
