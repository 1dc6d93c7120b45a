"""The Spark application: one file per streaming query, made of pure transforms."""
