"""The Spark session, its JVM and its files."""
