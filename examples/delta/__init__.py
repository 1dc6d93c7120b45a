"""Delta tables as sources, sinks and tables: one example a file."""
