"""The only application that writes the counts and the tables: its lock, its lease, its session."""
