"""The Spark session, its JVM and its files, and who may have them."""
