"""The report on known weaknesses is made whatever the registries answer, and names every jar."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from demo.stack.jars.lock import Jar
from tools.audit import jar_report
from tools.bill_of_materials import with_jars

JARS = [
    Jar("broker", "org.example", "good", "1.0", "00"),
    Jar("spark", "org.example", "bad", "2.0", "11"),
]


@pytest.fixture
def registry() -> Iterator[str]:
    """A registry that knows of one weakness, in the jar `bad`."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            found: list[dict[str, Any]] = [
                {"vulns": [{"id": "GHSA-1"}]} if "bad" in each["package"]["purl"] else {}
                for each in asked
            ]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": found}).encode())

        def log_message(self, *words: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_report_names_a_weak_jar(registry: str) -> None:
    report = list(jar_report(JARS, registry))
    assert "2 jars, 1 known weaknesses." in report
    assert "| org.example:bad | 2.0 | spark | GHSA-1 |" in report
    assert "| org.example:good | 1.0 | broker |  |" in report


def test_a_registry_that_cannot_be_asked_is_said_and_stops_nothing() -> None:
    report = list(jar_report(JARS, "http://127.0.0.1:1/"))
    assert any(line.startswith("NOT EXAMINED") for line in report)
    assert "| org.example:bad | 2.0 | spark | not examined |" in report


def test_the_bill_of_materials_has_the_jars_with_their_checksums() -> None:
    (package, *jars) = with_jars({"components": [{"name": "a"}]}, JARS)["components"]
    assert package == {"name": "a"}
    assert [each["purl"] for each in jars] == [jar.purl for jar in JARS]
    assert jars[0]["hashes"] == [{"alg": "SHA-256", "content": "00"}]
