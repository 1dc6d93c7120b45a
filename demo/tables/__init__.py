"""What the commands look up in the tables, without Spark: cameras and their places, the lake."""
