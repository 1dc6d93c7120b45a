"""The processes of the demo: embedded Kafka and its topics, services, ports, jars."""
