"""Fixtures shared by all rooms: one broker and one JVM for the whole run."""

pytest_plugins = ["tests.fixtures.browser", "tests.fixtures.kafka", "tests.fixtures.spark"]
