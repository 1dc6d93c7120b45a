"""What runs and proves the whole: the ``nest`` command, embedded Kafka, doctor and check."""
