"""What a viewer looks at on each page: a few sentences, and the terms that they need."""

from typing import NamedTuple


class PageGuide(NamedTuple):
    """What a page shows, and the terms of the glossary that it uses."""

    says: str
    terms: tuple[str, ...]


PAGE_GUIDES = {
    "report": PageGuide(
        "How many people the cameras have seen, where and when. The picture at the top is the way "
        "of each message: from the cameras through Kafka into the counts and the archive, as it is "
        "now. Orange is where messages wait, red is what does not work.",
        ("message", "sighting", "count", "on time", "report", "threshold", "unplaced", "check"),
    ),
    "live": PageGuide(
        "How the stream runs: how much comes in, how fast it is counted and archived, and how far "
        "each query is behind. The archive's numbers come in steps, because it collects messages "
        "for a while before it commits them: while few come, about a minute.",
        (
            *("topic", "streaming query", "micro-batch", "lag", "freshness", "p50", "p90"),
            *("state", "watermark", "drill"),
        ),
    ),
    "cameras": PageGuide(
        "Which cameras are offline, what happened to others lately, and what one camera has seen. "
        "A camera that is offline says nothing itself: its home says so, in a message that is as "
        "fresh as any other.",
        ("camera_status", "alert", "silent", "event", "home"),
    ),
    "message": PageGuide(
        "One message on its way: when it was sent, how long after that its sighting was sent, it "
        "was counted and it was archived; which count it raised, and its text in Kafka.",
        ("message", "partition", "offset", "sighting", "on time", "archive", "quarantine"),
    ),
    "lake": PageGuide(
        "The tables that keep everything: how large they are, what each commit did, how they were "
        "at an earlier time, and what could not be used and why.",
        (
            *("lake", "Delta table", "archive", "quarantine", "version", "time travel"),
            *("small files", "OPTIMIZE"),
        ),
    ),
    "proof": PageGuide(
        "Whether all numbers are right. The check counts everything again from the messages "
        "themselves, with other code, and compares value by value.",
        ("check", "exactly-once", "effectively once", "dirt", "too late"),
    ),
}
"""By the page's name in the address; the page Report is the first one, which has none there."""
FIRST_PAGE = "report"
