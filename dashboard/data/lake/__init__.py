"""The lake's tables, read with delta-rs and DuckDB, which open only the files that are needed."""
