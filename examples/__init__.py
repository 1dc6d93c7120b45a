"""Small runnable examples of Kafka, Spark and Delta Lake, on this project's own messages.

``nest example`` lists them.
"""
