"""The processes of the demo: embedded Kafka, services, ports, jars."""
