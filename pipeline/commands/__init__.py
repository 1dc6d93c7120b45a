"""What `nest` commands do with Spark; each says whether a pipeline may run beside it."""
