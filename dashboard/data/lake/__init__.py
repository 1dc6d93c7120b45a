"""The lake's tables, read with delta-rs and DuckDB: only the files needed, and no JVM."""
