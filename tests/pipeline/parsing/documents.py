"""Documents of any kind, most of them nearly right, for tests that compare ways to read them."""

import orjson
from hypothesis import strategies as st

anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)
names = st.text(max_size=3) | st.sampled_from(
    [
        "k" * 277,
        "?k " * 100,
        'access_token: "',
        "token=hush",
        "cam-token",
        "cam?1",
        "http://x.y/?a=b",
        "http://user:hush@x.y/",
        "http:/user:hu'sh@x.y/?a=b",
        "http:///user:hush@x.y/",
        "http://user:" + "hush" * 30 + "@x.y/",
        "x" * 99 + "?hush",
        "a, b",
        "a***b?hush",
        "zz",
    ]
)
"""Map keys and ids: also long ones, and such that hold a credential or an address."""
objects_with_credentials = st.sampled_from(
    [
        {"token": "hush", "x": 1.5},
        {"token": "S" * 90, "name": "b" * 90},
        {"u": "http://user:hush@x.y/?a=b", "n": [1e300, {}]},
    ]
)
timestamps = st.sampled_from(
    [
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00.123Z",
        "2026-11-20T12:00:00",
        "2026-13-20T12:00:00Z",
        "2026-11-20 12:00:00Z",
        "0999-01-01T00:00:00Z",
        "2026-11-20T12:00:00.1234567Z",
    ]
)
events = st.fixed_dictionaries(
    {},
    optional={
        "has_person": st.booleans() | anything,
        "start_time": timestamps | anything,
        "web_url": st.sampled_from(
            [
                "https://u:p@h/a?b#c",
                "https:/u:p@h/a?b",
                "https:///u:p@h/a#b",
                "https://a https://u:p@h/",
                "https://h/{u:p@h2}",
                "h/@x",
                "?",
                "u@h",
            ]
        )
        | anything,
        "activity_zone_ids": st.lists(st.text(max_size=3), max_size=2) | anything,
    },
)
cameras = st.fixed_dictionaries(
    {},
    optional={
        "device_id": st.sampled_from(["a", "b"]) | names | objects_with_credentials | anything,
        "name": st.text(max_size=5) | objects_with_credentials | anything,
        "is_online": st.booleans() | anything,
        "activity_zones": st.lists(st.fixed_dictionaries({"id": st.text(max_size=3)}), max_size=2)
        | anything,
        "last_is_online_change": timestamps | anything,
        "last_event": events | anything,
    },
)
documents = st.fixed_dictionaries(
    {
        "devices": st.fixed_dictionaries(
            {"cameras": st.dictionaries(names, cameras | st.none() | anything, max_size=3)}
        )
        | anything
    }
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A document of which some bytes were cut out and others put in their place."""
    document = draw(documents.map(orjson.dumps))
    start = draw(st.integers(0, len(document)))
    end = draw(st.integers(start, min(start + 3, len(document))))
    signs = [
        b"{",
        b"}",
        b"[",
        b",",
        b'"',
        b"\\",
        b"\\ud800",
        b"\xff",
        b"1e999",
        b"-",
        b"0",
        b"\0",
        b" ",
    ]
    return document[:start] + draw(st.sampled_from(signs) | st.binary(max_size=2)) + document[end:]


record_values = documents.map(orjson.dumps) | damaged() | st.binary(max_size=20)
"""Values of records."""
