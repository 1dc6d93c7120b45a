"""A whole cluster on this machine: three Kafka brokers, Spark's own master and workers, a store."""
