"""The Kafka users of the demo by name, one for each part."""

PRODUCER = "producer"
PIPELINE = "pipeline"
DASHBOARD = "dashboard"
OPERATOR = "operator"
"""Who types commands: makes topics, runs the report and the check, sends events, runs drills."""

KAFKA_USERS = (PRODUCER, PIPELINE, DASHBOARD, OPERATOR)
